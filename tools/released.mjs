// The package of the last release, which `npm run release:package` makes. It has those packages in `dist/node_modules` that it needs and
// this version does not.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export const releasedPackage = fileURLToPath(new URL('../test/upgrade/released.tar.br', import.meta.url));

/**
 * Unpacks the last release: its files are in `package` in the folder.
 * @param {string} folder
 * @param {string[]} paths those that are unpacked; default: all
 */
export function unpackReleased(folder, paths = []) {
  mkdirSync(folder, { recursive: true });
  const input = brotliDecompressSync(readFileSync(releasedPackage));
  execFileSync('tar', ['-xf', '-', '-C', folder, ...paths], { input });
}

/**
 * Packs the folder `package` in a folder as the last release.
 * @param {string} folder
 */
export function packReleased(folder) {
  const options = [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--sort=name',
    '--mtime=UTC 2026-01-01',
    '--mode=a+rX,go-w',
  ];
  const tar = execFileSync('tar', ['-cf', '-', ...options, '-C', folder, 'package'], { maxBuffer: 2 ** 28 });
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: tar.length };
  writeFileSync(releasedPackage, brotliCompressSync(tar, { params }));
}
