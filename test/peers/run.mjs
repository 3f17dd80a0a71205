// Runs the administration clients of other projects, unmodified, against the built server.
//
//   node test/peers/run.mjs [java python saml oauth scim node graphql go gocloak-suite]
//
// Each language (and graphql, whose clients are in test/clients-of-graphql) is a folder with a pinned manifest and a program that calls every method of its client that it can, and
// names the others. The clients come from their registries and are kept in node_modules/.cache/peers. A language that is not
// installed is skipped, and so is an optional client that its registry does not give. The last line is `N passed, N failed` (languages).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from './languages.mjs';
import { startSurroundings } from './surroundings.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const secondsForOne = 300;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in languages));
if (unknown.length > 0)
  throw new Error(`There is no peer ${unknown.join(', ')}, only ${Object.keys(languages).join(', ')}.`);

let passed = 0;
let failed = 0;
let skipped = 0;
const surroundings = await startSurroundings(join(project, 'dist/main.js'));
try {
  for (const name of names.length > 0 ? names : Object.keys(languages)) await check(name, languages[name]);
} finally {
  await surroundings.stop();
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0) process.exitCode = 1;

async function check(name, { client, folder: place = name, needs, manifest, install, run, isOptional = false }) {
  const missing = needs.filter((command) => !isInstalled(command)).map(([command]) => command);
  if (missing.length > 0) {
    skipped += 1;
    console.log(`${name}: skipped, ${missing.join(', ')} is not installed.`);
    return;
  }
  console.log(`\n${name}: ${client}`);
  const start = Date.now();
  const folder = fileURLToPath(new URL(place, import.meta.url));
  const cache = join(project, 'node_modules/.cache/peers', name);
  try {
    const problem = await installed(folder, cache, manifest, install).catch((error) => error);
    if (problem && isOptional) {
      skipped += 1;
      console.log(`${name}: skipped, ${problem.message}`);
      return;
    }
    if (problem) throw problem;
    for (const command of run(folder, cache)) await execute(command, cache);
    passed += 1;
    console.log(`${name}: passed in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`${name}: FAILED, ${error.message}`);
  }
}

function isInstalled([command, ...probe]) {
  return spawnSync(command, probe, { stdio: 'ignore' }).status === 0;
}

/** Installs the client unless the cache holds what the manifest says. */
async function installed(folder, cache, manifest, install) {
  const stamp = join(cache, 'stamp');
  const hash = createHash('sha256');
  for (const file of manifest) hash.update(readFileSync(join(folder, file)));
  const wanted = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  for (const command of install(folder, cache)) {
    await execute(command, cache).catch((error) => {
      throw new Error(`the client could not be installed from its registry: ${error.message}`);
    });
  }
  writeFileSync(stamp, wanted);
}

/** Runs a command, and fails when it does or when it takes too long. */
function execute([command, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...surroundings.env },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: secondsForOne * 1000,
      killSignal: 'SIGKILL',
    });
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Error(`${command} ended with ${signal ?? `status ${status}`}.`));
    });
  });
}
