// Says whether the printed files (schema/, docs/operations.md, docs/rest-26.md, docs/graphql-errors.md, docs/settings.md, docs/settings-without-effect.md,
// docs/limits.md) are those of the present build (`npm run print-schema` renews them), and whether the picture of the architecture is that of its source.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { architecturePicture } from './architecture-picture.mjs';
import { digestOfSources, readPack } from './graphiql-pack.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'realmgate-schema-'));
try {
  execFileSync(process.execPath, [join(project, 'dist/cli/print-schema.js'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const printed = readdirSync(folder).flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => join(part, name)),
  );
  if (printed.length === 0)
    throw new Error('dist/cli/print-schema.js printed nothing into the folder that it was given');
  for (const name of printed) {
    const path = join(project, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === readFileSync(join(folder, name), 'utf8')) continue;
    console.error(`${name} is not what the build prints: run \`npm run print-schema\` and commit it.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (readPack().digest !== digestOfSources()) {
  console.error('explorer/graphiql.br is outdated: run `npm run pack:graphiql` and commit it.');
  process.exitCode = 1;
}

const picture = 'docs/architecture.svg';
if (readFileSync(join(project, picture), 'utf8') !== (await architecturePicture())) {
  console.error(`${picture} is outdated: run \`npm run pictures\` and commit it.`);
  process.exitCode = 1;
}
