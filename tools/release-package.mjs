// npm run release:package   keeps this version as test/upgrade/released.tar.br: tests upgrade it to the next one, and its
// migrations do not change any more. Without documents, pages, source maps, white space, and comments.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'rolldown/utils';
import { packReleased } from './released.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const parts = ['package.json', 'dist', 'client/dist', 'prisma/migrations'];
const left = /^dist\/(?:explorer|console)(?:\/|$)|\.(?:map|d\.ts|tsbuildinfo)$|\/\.preparing$/;

const folder = mkdtempSync(join(tmpdir(), 'realmgate-release-'));
try {
  const target = join(folder, 'package');
  for (const part of parts) cpSync(part, join(target, part), { recursive: true, filter: (path) => !left.test(path) });
  for (const file of readdirSync(target, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const path = join(target, file);
    // names stay: they are in messages, and in the traces of a test that fails
    const { code } = minifySync(path, readFileSync(path, 'utf8'), { module: true, compress: false, mangle: false });
    writeFileSync(path, code);
  }
  packReleased(folder);
} finally {
  rmSync(folder, { recursive: true });
}
console.log('test/upgrade/released.tar.br is this version: commit it with the release.');
