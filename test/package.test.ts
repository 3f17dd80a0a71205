// @both-databases
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { driverOfNode } from '../src/database/sqlite-driver.js';
import { dialect, freshDatabaseUrl, temporaryFolder } from './support/database.js';
import { login } from './support/fixture.js';
import { ready, start } from './support/process.js';

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const { version } = manifest;

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** The package in a folder of its own, installed as the page about installing says. */
async function installed() {
  const folder = temporaryFolder();
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  const [packed] = Object.values(JSON.parse(stdout)) as Packed[];
  if (!packed) throw new Error('npm packed nothing');
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-save'];
  await run('npm', ['install', '--prefix', folder, ...options, join(folder, packed.filename)]);
  return { folder, files: packed.files.map(({ path }) => path) };
}

// it is for both databases, so one of them is enough
describe.skipIf(dialect === 'postgresql' || !existsSync('dist/main.js'))('the package', () => {
  it('has what runs and nothing else, and starts the service where nothing is compiled', async () => {
    const { folder, files } = await installed();
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/main.js', 'docs/install.md']));
    expect(
      files.filter((path) => /^(src|test|bench|tools)\/|^client\/(?!dist\/)|\.map$|\.env|\.db$/.test(path)),
    ).toEqual([]);

    const command = join(folder, 'node_modules/.bin/realmgate');
    const told = await run(command, ['--version']);
    expect(told.stdout.trim()).toBe(version);
    const service = start({ DATABASE_URL: await freshDatabaseUrl(), ADMIN_PASSWORD: 'secret-1' }, command);
    const url = await ready(service);
    expect(await login({ url }, 'master', 'admin', 'secret-1')).toMatch(/^eyJ/);
    // the explorer and the documents come along
    for (const path of ['/graphql', '/docs/', '/assets/explorer/reference.js']) {
      const page = await fetch(url + path, { headers: { accept: 'text/html' } });
      expect(page.status, path).toBe(200);
    }

    // as with --omit=optional
    rmSync(join(folder, 'node_modules/@photostructure'), { recursive: true });
    const migrated = run(command, ['migrate'], { cwd: folder });
    if (driverOfNode()) await migrated;
    else await expect(migrated).rejects.toThrow(/the package @photostructure\/sqlite, which is not installed/);
  }, 180_000);
});

it('the package has no overrides, which npm follows in a clone and not where the package is installed', () => {
  expect(manifest).not.toHaveProperty('overrides');
});

describe('the unit of systemd', () => {
  const hasSystemd = existsSync('/usr/bin/systemd-analyze');

  it.skipIf(!hasSystemd)('is one that systemd takes', async () => {
    // it looks for the command, which is not installed here
    const { stderr } = await run('systemd-analyze', ['verify', 'deploy/realmgate.service']).catch((error) => error);
    const complaints = String(stderr)
      .split('\n')
      .filter((line) => line.includes('realmgate.service') && !line.includes('is not executable'));
    expect(complaints).toEqual([]);
  });
});
