// @both-databases
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { postgresqlBinaries } from '../support/postgresql.mjs';
import { startServer, type TestServer } from '../support/server.js';
import { commandFile, realmgate } from './run.js';

const realm = 'kept';
const patience = { timeout: 30_000 };
const secretsKey = new Uint8Array(32).fill(7);
const acme = JSON.parse(readFileSync('examples/acme-realm.json', 'utf8'));

let databaseUrl: string;
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl();
  server = await startServer({ databaseUrl, secretsKey });
  admin = await administrator(server);
  expect((await admin.send('POST', '/', { ...acme, id: undefined, realm })).status).toBe(201);
  expect((await admin.send('POST', '/', { realm: 'busy', enabled: true })).status).toBe(201);
});

/** All of the realm, with its secrets. */
const whole = async (caller: Caller) => (await caller.send('GET', `/${realm}/export?secrets=true`)).body;

/** Creates users until it is told to stop; the names of those that were acknowledged. */
function writing() {
  const created: string[] = [];
  let running = true;
  const ended = (async () => {
    for (let at = 0; running; at += 1) {
      const username = `during-${at}`;
      if ((await admin.send('POST', '/busy/users', { username })).status === 201) created.push(username);
    }
  })();
  return {
    created,
    async stop() {
      running = false;
      await ended;
    },
  };
}

/** Expects a server on the copy to have the whole realm, its secrets included, and everybody who was created before. */
async function expectWhole(copy: string, created: readonly string[]): Promise<void> {
  const restored = await startServer({ databaseUrl: copy, secretsKey });
  const caller = await administrator(restored);
  expect(await whole(caller)).toEqual(await whole(admin));
  const { body } = await caller.send('GET', '/busy/users?max=100000');
  const names = new Set(body.map(({ username }: { username: string }) => username));
  expect(created.filter((username) => !names.has(username))).toEqual([]);
  expect(await login(restored, 'master', 'admin', 'admin')).toBeTruthy();
  await restored.close();
}

describe.runIf(dialect === 'sqlite')('realmgate backup', () => {
  it('copies a database that is written to, to a file that a service can start with', async () => {
    const out = join(temporaryFolder(), 'copy.db');
    const writer = writing();
    await expect.poll(() => writer.created.length, patience).toBeGreaterThan(20);
    const before = [...writer.created];
    const { status, output, errors } = await realmgate(['backup', '--out', out], { DATABASE_URL: databaseUrl });
    const during = writer.created.length - before.length;
    await writer.stop();
    expect([status, errors]).toEqual([0, '']);
    expect(output).toContain('Keep SECRETS_KEY');
    expect(during).toBeGreaterThan(0);
    expect((statSync(out).mode & 0o777).toString(8)).toBe('600');
    expect(existsSync(`${out}.part`)).toBe(false);
    const restored = join(temporaryFolder(), 'restored.db');
    copyFileSync(out, restored);
    await expectWhole(`file:${restored}`, before);
  });

  it('copies it again whenever it has changed, keeps the newest copies, and goes on after a failure', async () => {
    const folder = join(temporaryFolder(), 'copies');
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [commandFile, 'backup', '--out', folder, '--every', '1', '--keep', '2'], {
      env: { PATH, DATABASE_URL: databaseUrl },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'close');
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const copies = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
    await expect.poll(() => copies().filter((name) => name.endsWith('.db')), patience).toHaveLength(1);
    const [first = ''] = copies();
    // what a killed process leaves
    const left = ['', '.part', '.part-journal'].map((end) => `realmgate-2026-01-01T00-00-00Z.db${end}`);
    for (const name of left) writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, 'mine.db'), 'mine');
    const writer = writing();
    await expect.poll(copies, patience).not.toContain(first);
    const before = [...writer.created];
    const newest = () =>
      copies()
        .filter((name) => name.startsWith('realmgate-'))
        .at(-1) ?? '';
    const old = newest();
    await expect.poll(newest, patience).not.toBe(old);
    await writer.stop();
    expect(copies().filter((name) => left.includes(name))).toEqual([]);

    renameSync(folder, `${folder}-away`);
    expect((await admin.send('PUT', '/busy', { displayName: 'Changed' })).status).toBe(204);
    await expect.poll(() => errors, patience).toContain('The copy failed');
    renameSync(`${folder}-away`, folder);
    const latest = newest();
    await expect.poll(newest, patience).not.toBe(latest);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(copies()).toHaveLength(3);
    const restored = join(temporaryFolder(), 'restored.db');
    copyFileSync(join(folder, newest()), restored);
    await expectWhole(`file:${restored}`, before);
  });

  it('refuses what it cannot do continuously', async () => {
    const refused = (...more: string[]) => realmgate(['backup', '--out', 'x', ...more], { DATABASE_URL: databaseUrl });
    expect(await refused('--every', '0')).toMatchObject({ status: 1, errors: expect.stringContaining('1 to 999999') });
    expect(await refused('--keep', '3')).toMatchObject({ status: 1, errors: '--keep requires --every SECONDS\n' });
  });

  it('overwrites nothing, and leaves nothing behind', async () => {
    const out = join(temporaryFolder(), 'there.db');
    writeFileSync(out, 'mine');
    const refused = await realmgate(['backup', '--out', out], { DATABASE_URL: databaseUrl });
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('cannot be created') });
    expect(readFileSync(out, 'utf8')).toBe('mine');
    const missing = join(temporaryFolder(), 'copy.db');
    const nothing = await realmgate(['backup', '--out', missing], { DATABASE_URL: 'file:/nowhere/there.db' });
    expect(nothing).toMatchObject({ status: 1, errors: expect.stringContaining('no database file') });
    expect(existsSync(missing)).toBe(false);
  });
});

describe.runIf(dialect === 'postgresql')('a backup of PostgreSQL', () => {
  it('is made by pg_dump: the command says so', async () => {
    const { status, errors } = await realmgate(['backup', '--out', 'x'], { DATABASE_URL: databaseUrl });
    expect([status, errors]).toEqual([1, expect.stringContaining('pg_dump')]);
  });

  it('is restored by psql to a database that a service can start with', async () => {
    const binaries = postgresqlBinaries() ?? '';
    const file = join(temporaryFolder(), 'realmgate.sql');
    const writer = writing();
    await expect.poll(() => writer.created.length, patience).toBeGreaterThan(20);
    const before = [...writer.created];
    execFileSync(join(binaries, 'pg_dump'), ['--no-owner', '--file', file, databaseUrl]);
    await writer.stop();
    const copy = await freshDatabaseUrl();
    execFileSync(join(binaries, 'psql'), ['--quiet', '--set', 'ON_ERROR_STOP=1', '--file', file, copy], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await expectWhole(copy, before);
  });
});
