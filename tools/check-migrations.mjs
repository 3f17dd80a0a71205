// npm run check:migrations   says which migrations of PostgreSQL cannot be applied while the version before serves, and which
// were changed after their release (exit status 1)
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrongIn } from './migration-rules.mjs';
import { releasedPackage, unpackReleased } from './released.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The migrations of the last release: they are applied somewhere, and are not changed any more. */
const released = mkdtempSync(join(tmpdir(), 'realmgate-released-'));
process.on('exit', () => rmSync(released, { recursive: true }));
if (existsSync(releasedPackage)) unpackReleased(released, ['package/prisma/migrations']);
const ofRelease = join(released, 'package');

/** The migration that only empty databases get. */
const init = namesIn('prisma/migrations/sqlite').find((name) => name.endsWith('_init')) ?? '';
const wrong = [];
const known = new Set();
for (const dialect of ['sqlite', 'postgresql']) {
  const folder = `prisma/migrations/${dialect}`;
  for (const name of namesIn(join(ofRelease, folder)).filter((each) => each >= init)) {
    const path = join(folder, name, 'migration.sql');
    known.add(path);
    if (!existsSync(path)) wrong.push(`${path} was released, and is missing.`);
    else if (textOf(path) !== textOf(join(ofRelease, path))) wrong.push(`${path} was changed after its release.`);
  }
}
const folder = 'prisma/migrations/postgresql';
const added = namesIn(folder)
  .filter((name) => name !== init) // only applied to an empty database
  .filter((name) => !known.has(join(folder, name, 'migration.sql')));
for (const name of added) {
  const path = join(folder, name, 'migration.sql');
  for (const sentence of wrongIn(name, textOf(path))) wrong.push(`${path}: ${sentence}`);
}

function namesIn(path) {
  return existsSync(path) ? readdirSync(path).filter((name) => /^\d/.test(name)) : [];
}

function textOf(path) {
  return readFileSync(path, 'utf8');
}

for (const sentence of wrong) console.error(sentence);
if (wrong.length > 0) process.exitCode = 1;
else console.log(`${added.length} migrations since the last release: nothing holds up or breaks the version before.`);
