// npm run bench -- [measurement] [options]   README.md lists the measurements; default: compare
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , first = ''] = process.argv;
const isNamed = first !== '' && !first.startsWith('-');
const name = isNamed ? first : 'compare';
const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
if (/^[a-z-]+$/.test(name) && existsSync(file)) {
  // the arguments are then those of the script itself
  process.argv.splice(1, isNamed ? 2 : 1, file);
  await import(pathToFileURL(file).href);
} else {
  console.error(`There is no measurement ${name}. bench/README.md lists them.`);
  process.exitCode = 2;
}
