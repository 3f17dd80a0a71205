// npm run release:package   keeps this version as test/upgrade/released.tar.br: tests upgrade it to the next one, and its
// migrations do not change any more. Without documents, pages, source maps, white space, and comments.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { minifySync } from 'vite';
import { releasedPackage } from './released.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const parts = ['package.json', 'dist', 'client/dist', 'prisma/migrations'];
const left = /^dist\/(?:explorer|console)(?:\/|$)|\.(?:map|d\.ts|tsbuildinfo)$|\/\.preparing$/;
const options = [
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--sort=name',
  '--mtime=UTC 2026-01-01',
  '--mode=a+rX,go-w',
];

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
  const tar = execFileSync('tar', ['-cf', '-', ...options, '-C', folder, 'package'], { maxBuffer: 2 ** 28 });
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: tar.length };
  writeFileSync(releasedPackage, brotliCompressSync(tar, { params }));
} finally {
  rmSync(folder, { recursive: true });
}
console.log('test/upgrade/released.tar.br is this version: commit it with the release.');
