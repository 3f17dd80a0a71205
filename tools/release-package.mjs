// npm run release:package   keeps this version as test/upgrade/released.tgz: what the next one is upgraded from in tests,
// and the migrations that do not change any more. Without documents, GraphiQL and source maps.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const file = 'test/upgrade/released.tgz';
const options = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=UTC 2026-01-01'];
const left = ['dist/explorer', '*.map', '*.d.ts', '*.tsbuildinfo'].map((pattern) => `--exclude=${pattern}`);
const parts = ['package.json', 'dist', 'client/dist', 'prisma/migrations'];
execFileSync('tar', ['-I', 'gzip -9n', '-cf', file, ...options, ...left, '--transform=s,^,package/,', ...parts]);
console.log(`${file} is this version: commit it with the release.`);
