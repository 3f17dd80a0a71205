import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabaseUrl, preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';
import { commandFile, realmgate } from './run.js';

const acme = JSON.parse(readFileSync('examples/acme-realm.json', 'utf8'));
/** Among them names that are no names of files, and two that differ in case only. */
const names = [
  'Realms',
  'realms',
  'con',
  'größe',
  'dots..',
  'two words',
  ...Array.from({ length: 22 }, (_, n) => `plain-${n}`),
];
const all = ['crowd', 'acme', ...names];
const users = isThorough ? 3000 : 300;

let DATABASE_URL: string;
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  DATABASE_URL = await preparedDatabaseUrl();
  server = await startServer({ databaseUrl: DATABASE_URL });
  admin = await administrator(server);
  const create = async (realm: object) => expect((await admin.send('POST', '/', realm)).status).toBe(201);
  await create({ ...acme, id: undefined, realm: 'acme' });
  const crowd = Array.from({ length: users }, (_, n) => ({ username: `user-${n}`, attributes: { n: [String(n)] } }));
  await create({ realm: 'crowd', enabled: true, users: crowd });
  for (const realm of names) await create({ realm, enabled: true });
}, 120_000);

const path = (realm: string) => `/admin/realms/${encodeURIComponent(realm)}`;
/** All of a realm, with its secrets. */
const whole = async (caller: Caller, realm: string) => {
  const { status, body } = await caller.send('GET', `${path(realm)}/export?secrets=true`);
  expect([realm, status]).toEqual([realm, 200]);
  return inOneOrder(body);
};

/** The same with lists of objects in one order: a database may give rows without an order as it likes. */
function inOneOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inOneOrder(part)]));
  }
  const parts = value.map(inOneOrder);
  const areObjects = parts.every((part) => typeof part === 'object');
  return areObjects ? parts.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : parts;
}

const exportTo = (folder: string, ...more: string[]) =>
  realmgate(['export', '--all', '--out', folder, ...more], { DATABASE_URL });

/** Ends the command without a chance to tidy up, as soon as it has done enough. */
async function killed(args: string[], url: string, isEnough: () => Promise<boolean> | boolean): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url };
  const child = spawn(process.execPath, [commandFile, ...args], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await isEnough())) await new Promise((resume) => setTimeout(resume, 5));
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

interface Listed {
  name: string;
  file: string;
  bytes: number;
}

const manifestOf = (folder: string): { realms: Listed[] } =>
  JSON.parse(readFileSync(join(folder, 'realms.json'), 'utf8'));
const timesOf = (folder: string) =>
  new Map(readdirSync(folder).map((file) => [file, statSync(join(folder, file)).mtimeMs]));

describe('realmgate export --all and import of the folder', () => {
  it('go on where they were killed, and give whole realms', async () => {
    const folder = join(temporaryFolder(), 'realms');
    const files = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []);
    await killed(['export', '--all', '--out', folder], DATABASE_URL, () => files().length >= 8);
    expect(existsSync(join(folder, 'realms.json'))).toBe(false);
    const journal = readFileSync(join(folder, 'realms.journal'), 'utf8').split('\n').slice(1);
    const noted = journal.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Listed);
    expect(noted.length).toBeGreaterThan(5);
    const before = timesOf(folder);

    const resumed = await exportTo(folder);
    expect(resumed).toMatchObject({ status: 0, errors: '' });
    expect(resumed.output).toBe(
      `${all.length + 1 - noted.length} realms written to ${folder}, ${noted.length} up to date.\n`,
    );
    const after = timesOf(folder);
    expect(noted.filter(({ file }) => after.get(file) !== before.get(file))).toEqual([]);
    const { realms } = manifestOf(folder);
    expect(realms.map(({ name }) => name).sort()).toEqual(['master', ...all].sort());
    expect(new Set(realms.map(({ file }) => file.toLowerCase())).size).toBe(realms.length);
    expect(readdirSync(folder).sort()).toEqual(['realms.json', ...realms.map(({ file }) => file)].sort());
    for (const { file, bytes } of realms) {
      const { size, mode } = statSync(join(folder, file));
      expect([size, (mode & 0o777).toString(8)]).toEqual([bytes, '600']);
    }

    const url = await freshDatabaseUrl();
    await realmgate(['migrate'], { DATABASE_URL: url });
    const target = { databaseUrl: url };
    const other = await startServer(target);
    const caller = await administrator(other);
    const count = async () => (await caller.send('GET', '/admin/realms')).body.length;
    await killed(['import', folder], url, async () => (await count()) > 8);
    const imported = await realmgate(['import', folder], { DATABASE_URL: url });
    expect(imported).toMatchObject({ status: 0, errors: '' });
    expect(await count()).toBe(all.length + 1);
    for (const realm of all) expect(await whole(caller, realm)).toEqual(await whole(admin, realm));
    const again = await realmgate(['import', folder], { DATABASE_URL: url });
    expect(again.output).toBe(`0 realms created, ${all.length + 1} left as they are, because they exist.\n`);
    const refused = await realmgate(['import', folder, '--existing', 'fail'], { DATABASE_URL: url });
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('"plain-3" already exists') });
    expect(refused.errors).not.toContain('master');
  }, 180_000);

  it('write what has changed, and delete the files of deleted realms', async () => {
    const folder = join(temporaryFolder(), 'realms');
    expect((await exportTo(folder)).status).toBe(0);
    const before = timesOf(folder);
    await admin.send('POST', `${path('plain-1')}/users`, { username: 'later' });
    await admin.send('PUT', path('plain-2'), { displayName: 'Changed' });
    await admin.send('DELETE', path('plain-0'));
    const second = await exportTo(folder);
    expect(second).toMatchObject({ status: 0, errors: '' });
    const after = timesOf(folder);
    const written = [...after].filter(([file, time]) => before.get(file) !== time).map(([file]) => file);
    expect(written).toEqual(expect.arrayContaining(['plain-1.json', 'plain-2.json', 'realms.json']));
    expect(written).not.toContain('plain-3.json');
    expect(after.has('plain-0.json')).toBe(false);
    expect(JSON.parse(readFileSync(join(folder, 'plain-1.json'), 'utf8')).users).toMatchObject([{ username: 'later' }]);
    const fresh = await exportTo(folder, '--fresh');
    expect(fresh.output).toContain(`${all.length} realms written`);
    const others = await exportTo(folder, '--without-secrets');
    expect(others).toMatchObject({ status: 1, errors: expect.stringContaining('--fresh') });
  }, 120_000);

  it('import what they can, and name the files that are not right', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.json'), '{"realm":"good","enabled":true}');
    writeFileSync(join(folder, 'b.json'), '{"realm":');
    writeFileSync(join(folder, 'c.json'), '{"realm":"bad","users":[{"username":"one","attributes":7}]}');
    writeFileSync(join(folder, 'd.json'), '{"realm":"last","enabled":true}');
    const url = await freshDatabaseUrl();
    await realmgate(['migrate'], { DATABASE_URL: url });
    const { status, output, errors } = await realmgate(['import', folder], {
      DATABASE_URL: url,
      ADMIN_PASSWORD: 'admin',
    });
    expect([status, output.split('\n').slice(1)]).toEqual([
      1,
      ['2 realms created, 0 left as they are, because they exist.', ''],
    ]);
    expect(errors.split('\n')).toEqual([
      'b.json: The body must be valid JSON',
      expect.stringMatching(/^c\.json: .*users\.0\.attributes/),
      '2 files could not be imported.',
      '',
    ]);
    const caller = await administrator(await startServer({ databaseUrl: url }));
    const { body } = await caller.send('GET', '/admin/realms');
    expect(body.map(({ realm }: { realm: string }) => realm).sort()).toEqual(['good', 'last', 'master']);
  }, 60_000);

  it('refuse a file that is not what was exported', async () => {
    const folder = temporaryFolder();
    await exportTo(folder);
    const file = join(folder, 'plain-5.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('plain-5', 'plain-X'));
    rmSync(join(folder, 'plain-6.json'));
    const url = await freshDatabaseUrl();
    await realmgate(['migrate'], { DATABASE_URL: url });
    const { status, errors } = await realmgate(['import', folder], { DATABASE_URL: url });
    expect(status).toBe(1);
    expect(errors.split('\n').map((line) => line.split(':')[0])).toEqual([
      'plain-5.json',
      'plain-6.json',
      '2 files could not be imported.',
      '',
    ]);
  }, 60_000);

  it('say what is missing on the command line', async () => {
    for (const [args, text] of [
      [['export'], '--realm'],
      [['export', '--all'], '--out'],
      [['export', '--realm', 'acme', '--fresh'], '--fresh requires --all'],
      [['export', '--realm', 'acme', '--all'], 'cannot be used with'],
      [['import', temporaryFolder()], 'has no realm files'],
    ] as const) {
      expect(await realmgate([...args], { DATABASE_URL })).toMatchObject({
        status: 1,
        errors: expect.stringContaining(text),
      });
    }
  });
});

describe('realmgate import on a database without a realm', () => {
  it('creates the realm master as the first start does, and prints the password once', async () => {
    const file = join(temporaryFolder(), 'realm.json');
    writeFileSync(file, '{"realm":"first","enabled":true}');
    const url = await freshDatabaseUrl();
    await realmgate(['migrate'], { DATABASE_URL: url });
    const { status, output, errors } = await realmgate(['import', file], { DATABASE_URL: url });
    expect([status, errors]).toEqual([0, '']);
    const password =
      /^The realm "master" was created\. Administrator: admin, password: (\S+) \(shown only now\)\n/.exec(output)?.[1];
    expect(output).toContain('The realm "first" was created.');
    const started = await startServer({ databaseUrl: url });
    expect(await login(started, 'master', 'admin', password ?? '')).toBeTruthy();
  });
});
