// Compares the printed schemas with those of the last release in schema/released, and fails if clients would break.
// `--release` takes the present schemas as those of the release whose version package.json states.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { breakingChanges, deprecationsOf } from './stability.mjs';

const folder = 'schema/released';
const files = ['schema.graphql', 'openapi.json'];
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const schemasIn = (path) => ({
  graphql: readFileSync(`${path}/schema.graphql`, 'utf8'),
  openapi: readJson(`${path}/openapi.json`),
});

const { version } = readJson('package.json');
const isReleased = existsSync(`${folder}/release.json`);
const released = isReleased ? { ...readJson(`${folder}/release.json`), ...schemasIn(folder) } : undefined;
const current = { version, ...schemasIn('schema') };
const broken = released ? await breakingChanges(released, current) : [];

for (const change of broken) console.error(change);
if (broken.length > 0) {
  console.error(`${broken.length} changes break clients of ${released.version}. docs/graphql.md says what is allowed.`);
  process.exitCode = 1;
} else if (process.argv.includes('--release')) {
  mkdirSync(folder, { recursive: true });
  for (const name of files) copyFileSync(`schema/${name}`, `${folder}/${name}`);
  const deprecations = deprecationsOf(current.graphql, version, released?.deprecations ?? {});
  writeFileSync(`${folder}/release.json`, `${JSON.stringify({ version, deprecations }, null, 2)}\n`);
  console.log(`The schemas of ${version} are in ${folder}: commit them with the release.`);
} else {
  console.log(released ? `Nothing breaks clients of ${released.version}.` : 'There is no release to compare with yet.');
}
