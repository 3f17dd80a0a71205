// @thorough
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../tools/free-port.mjs';
import { atEndOfFile, dialect, temporaryFolder } from '../support/database.js';
import { login } from '../support/fixture.js';
import { serverUser } from '../support/postgresql.mjs';
import { buildStages, type Image } from './dockerfile.js';
import { loadPackages, mebibytes, packagesIn, sizesIn } from './layer.js';

const project = resolve('.');

/** What the image would run, as a user without rights: one that may write to the data and nowhere else. */
function started({ root, workdir, env, command }: Image, port: number) {
  const [program = '', ...args] = command;
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) chownSync(join(root, 'data'), uid, gid);
  const settings = {
    PATH: process.env.PATH ?? '',
    ...env,
    // there is no other root for it
    DATABASE_URL: (env.DATABASE_URL ?? '').replace('file:', `file:${root}`),
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PASSWORD: 'secret-1',
  };
  const owner = uid !== undefined && gid !== undefined ? { uid, gid } : {};
  const child = spawn(program, args, { cwd: join(root, workdir), env: settings, ...owner, stdio: 'ignore' });
  atEndOfFile(() => void child.kill('SIGKILL'));
  return { child, settings };
}

// the image is for both databases; one of them is enough to start it with
describe.runIf(dialect === 'sqlite')('the image', () => {
  it('is built by its stages, and runs without rights to anything but its data', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const image = await buildStages(project, folder, {
      // to install the same packages again takes long
      'npm ci': async (place) => {
        execFileSync('cp', ['-a', join(project, 'node_modules'), place]);
        execFileSync('rm', ['-rf', join(place, 'node_modules/.cache')]);
      },
    });
    const inside = (path: string) => readdirSync(join(image.root, path));
    expect(image.user).toBe('1000');
    expect(inside('app/schema')).toContain('realm.schema.json');
    expect(inside('app')).not.toEqual(expect.arrayContaining(['src', 'test']));
    const packages = packagesIn(join(image.root, 'app/node_modules'));
    expect(packages).toEqual(expect.arrayContaining([expect.stringMatching(/^graphql@/)]));
    for (const name of ['vitest', 'prisma', 'typescript']) {
      expect(packages).not.toEqual(expect.arrayContaining([expect.stringMatching(`^${name}@`)]));
    }
    const bill = JSON.parse(readFileSync(join(image.root, 'usr/share/doc/realmgate/sbom.cdx.json'), 'utf8'));
    const listed = bill.components.map((component: Record<string, string>) => component['bom-ref']);
    expect(listed.sort()).toEqual(packages);
    loadPackages(join(image.root, 'app'));

    const sizes = sizesIn(image.root);
    console.log(`The application layer has ${mebibytes(sizes.total)} MiB: ${sizes.largest.join(', ')}`);
    expect(mebibytes(sizes.total)).toBeLessThan(80);

    const port = await freePort();
    const { child, settings } = started(image, port);
    const [program = '', ...args] = image.healthcheck;
    const isHealthy = () => {
      try {
        execFileSync(program, args, { env: settings });
        return true;
      } catch {
        return false;
      }
    };
    expect(isHealthy()).toBe(false);
    await expect.poll(isHealthy, { timeout: 30_000 }).toBe(true);
    const url = `http://127.0.0.1:${port}`;
    expect(await login({ url }, 'master', 'admin', 'secret-1')).toMatch(/^eyJ/);
    for (const path of ['docs/', 'console/', 'graphql', 'reference', 'assets/explorer/reference.js']) {
      const page = await fetch(`${url}/${path}`, { headers: { accept: 'text/html' } });
      expect(page.status, path).toBe(200);
    }
    expect(inside('data')).toContain('realmgate.db');
    child.kill('SIGTERM');
    await expect.poll(() => child.exitCode, { timeout: 20_000 }).toBe(0);
  }, 900_000);
});
