// npm run check:migrations   says which migrations of PostgreSQL cannot be applied while the version before serves, and which
// were changed after their release (exit status 1)
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrongIn } from './migration-rules.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** The package of the last release: what it includes is applied somewhere, and is not changed any more. */
const released = 'test/upgrade/released.tgz';
const ofRelease = (path) =>
  execFileSync('tar', ['-xOzf', released, `package/${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26 });
const paths = existsSync(released)
  ? execFileSync('tar', ['-tzf', released], { encoding: 'utf8' })
      .split('\n')
      .map((path) => path.replace('package/', ''))
      .filter((path) => /^prisma\/migrations\/.*\/migration\.sql$/.test(path))
  : [];

const wrong = [];
for (const path of paths) {
  if (!existsSync(path)) wrong.push(`${path} was released, and is missing.`);
  else if (readFileSync(path, 'utf8') !== ofRelease(path)) wrong.push(`${path} was changed after its release.`);
}
const folder = 'prisma/migrations/postgresql';
const names = readdirSync(folder).filter((name) => /^\d/.test(name));
const added = names.filter((name) => !paths.includes(`${folder}/${name}/migration.sql`));
for (const name of added) {
  const path = join(folder, name, 'migration.sql');
  for (const sentence of wrongIn(name, readFileSync(path, 'utf8'))) wrong.push(`${path}: ${sentence}`);
}

for (const sentence of wrong) console.error(sentence);
if (wrong.length > 0) process.exitCode = 1;
else console.log(`${added.length} migrations since the last release: nothing holds up or breaks the version before.`);
