// Says whether the printed files (schema/, docs/operations.md, docs/graphql-errors.md, docs/settings.md) are those of the present build, and
// whether the client is that of the schema and its documents. `npm run print-schema` renews them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClient, generatedClient } from './generate-client.mjs';

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

if (readFileSync(join(project, generatedClient), 'utf8') !== (await generateClient())) {
  console.error(`${generatedClient} is outdated: run \`npm run generate:client\` and commit it.`);
  process.exitCode = 1;
}
