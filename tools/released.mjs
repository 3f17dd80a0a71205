// The package of the last release, which `npm run release:package` makes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

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
