// Says whether the printed schemas (schema/) are those of the present build. `npm run print-schema` renews them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const committed = join(project, 'schema');
const folder = mkdtempSync(join(tmpdir(), 'realmgate-schema-'));
try {
  execFileSync(process.execPath, [join(project, 'dist/print-schema.js'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const printed = readdirSync(folder);
  if (printed.length === 0) throw new Error('dist/print-schema.js printed nothing into the folder that it was given');
  for (const name of printed) {
    const path = join(committed, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === readFileSync(join(folder, name), 'utf8')) continue;
    console.error(`schema/${name} is not what the build prints: run \`npm run print-schema\` and commit it.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
