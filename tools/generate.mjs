// Runs `prisma generate` for both databases from the one schema. Needs no network and no database. The types are for the check of types, and
// the clients for the tests that compare the query compiler with Prisma's: `npm start` needs neither.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const source = readFileSync('prisma/schema.prisma', 'utf8');
const postgresql = source
  .replace(/generator pothos \{[^}]*\}\n/, '')
  .replace('../src/generated/sqlite', '../src/generated/postgresql')
  .replace('provider = "sqlite"', 'provider = "postgresql"')
  .replaceAll('"../src', '"../../src');
mkdirSync('prisma/.variants', { recursive: true });
writeFileSync('prisma/.variants/postgresql.prisma', postgresql);

const env = {
  ...process.env,
  PATH: resolve('node_modules/.bin') + delimiter + process.env.PATH,
  // any executable will do: `generate` asks for the engine and never runs it
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};
for (const schema of ['prisma/schema.prisma', 'prisma/.variants/postgresql.prisma']) {
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', schema, '--no-hints'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
}

// the package `@prisma/client` is an alias of its own small part: package.json has the real one under another name
for (const folder of ['src/generated/sqlite', 'src/generated/postgresql']) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (file.endsWith('.ts'))
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"@prisma/client/', '"prisma-client/'));
  }
}
