// Renders the documents as a static site in site/dist, and fails on dead links. The generator has its packages in site/, so that
// neither the service nor its tests need them. `npm run docs -- --preview` serves the result.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { faultsOf } from '../site/check.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const generator = 'site/node_modules/vitepress/bin/vitepress.js';

/** Whether npm has installed what the lock file of the site names. */
function isInstalled() {
  const note = 'site/node_modules/.package-lock.json';
  if (!existsSync(note)) return false;
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync('site/package-lock.json', 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { optional, version }]) =>
      path === '' || (optional && !installed[path]) || installed[path]?.version === version,
  );
}

const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

try {
  if (!isInstalled()) run('npm', ['ci', '--prefix', 'site', '--no-audit', '--no-fund']);
  run(process.execPath, [generator, 'build', 'site']);
  const faults = faultsOf('site/dist');
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (process.argv.includes('--preview')) run(process.execPath, [generator, 'preview', 'site']);
  else console.log('The site is in site/dist. Any web server can serve it: npm run docs -- --preview');
} catch (error) {
  if (error.status === undefined) throw error;
  process.exitCode = 1; // the command has said what is wrong
}
