// @both-databases
// @thorough
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { dialect, freshDatabaseUrl, temporaryFolder } from '../support/database.js';
import { ended, type Run, ready, start } from '../support/process.js';
import { admin } from '../support/server.js';
import { Instances, type Stream, streams, tokenOf } from './load.js';
import { releasedOptions, releasedScript } from './released.js';

const realm = 'moving';
const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
/** What the streams have to do until the next step, in milliseconds at most. */
const patience = 60_000;

/** Both versions on one database. */
async function versions() {
  const databaseUrl = await freshDatabaseUrl();
  const released = releasedScript();
  const env = { DATABASE_URL: databaseUrl, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'fatal' };
  const run = async (started: Run) => ({ started, url: await ready(started) });
  return {
    databaseUrl,
    released: () => run(start({ ...env, ...releasedOptions }, released)),
    present: () => run(start(env)),
  };
}

/** Ends an instance as its operator does, and returns its exit status. */
async function stop(run: Run): Promise<number | null> {
  run.process.kill('SIGTERM');
  return ended(run);
}

/** Lets each stream do some more, and fails when an answer was wrong. */
async function proceed({ wrong }: Instances, all: readonly Stream[]): Promise<void> {
  const before = all.map(({ done }) => done.length);
  const least = () => Math.min(...all.map(({ done }, at) => done.length - (before[at] ?? 0)));
  await expect.poll(() => wrong.length > 0 || least() > 10, { timeout: patience }).toBe(true);
  expect(wrong).toEqual([]);
}

/** Brings the database to a version after this one, which adds to a table that both use. */
async function migrateFurther(databaseUrl: string): Promise<string[]> {
  const folder = temporaryFolder();
  cpSync(join(migrations, dialect), join(folder, dialect), { recursive: true });
  const added = {
    '90000101000000_notes': 'ALTER TABLE "User" ADD COLUMN "note" TEXT;',
    '90000101000000_notes_after':
      '-- without a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "User_note" ON "User"("note");',
  };
  for (const [name, sql] of Object.entries(added)) {
    mkdirSync(join(folder, dialect, name));
    const text = dialect === 'sqlite' ? sql.replace('CONCURRENTLY ', '') : sql;
    writeFileSync(join(folder, dialect, name, 'migration.sql'), text);
  }
  return migrate(databaseUrl, { folder });
}

/** The names of users whose second write is there too, and of roles. */
async function written(instances: Instances, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) =>
    JSON.parse((await instances.send('GET', `/auth/admin/realms/${realm}/${path}`, headers)).text);
  const users: { username: string; attributes?: { seen?: string[] } }[] = await read('users?max=100000');
  const roles: { name: string }[] = await read('roles');
  return {
    users: users.filter(({ username, attributes }) => attributes?.seen?.[0] === username).map((user) => user.username),
    roles: roles.map(({ name }) => name),
  };
}

describe.runIf(dialect === 'postgresql')('two instances of the last release (PostgreSQL)', () => {
  it('are replaced one after the other under load, with everything that was acknowledged', async () => {
    const { databaseUrl, released, present } = await versions();
    const instances = new Instances();
    const first = await released();
    const second = await released();
    instances.urls.push(first.url, second.url);
    const login = { token: await tokenOf(instances) };
    const headers = { authorization: `Bearer ${login.token}`, 'content-type': 'application/json' };
    await instances.send(
      'POST',
      '/auth/admin/realms',
      headers,
      JSON.stringify({ realm, enabled: true, adminEventsEnabled: true }),
    );
    const work = streams(instances, realm, login);
    const all = Object.values(work);
    await proceed(instances, all);

    instances.leave(first.url);
    expect(await stop(first.started)).toBe(0);
    const third = await present();
    expect((await migrationState(databaseUrl)).pending).toEqual([]);
    instances.urls.push(third.url);
    await proceed(instances, all);

    expect(await migrateFurther(databaseUrl)).toHaveLength(2);
    await proceed(instances, all);
    second.started.process.kill('SIGKILL');
    instances.leave(second.url);
    const again = await released();
    instances.urls.push(again.url);
    await proceed(instances, all);

    instances.leave(again.url);
    expect(await stop(again.started)).toBe(0);
    instances.urls.push((await present()).url);
    await proceed(instances, all);
    await Promise.all(all.map((one) => one.stop()));

    expect(instances.wrong).toEqual([]);
    const { users, roles } = await written(instances, login.token);
    expect(work.users.done.filter((name) => !users.includes(name))).toEqual([]);
    expect(work.roles.done.filter((name) => !roles.includes(name))).toEqual([]);
  }, 240_000);
});

describe.runIf(dialect === 'sqlite')('a file of the last release (SQLite)', () => {
  it('is used by this version, and by the last one again, as long as nothing is removed', async () => {
    const { databaseUrl, released, present } = await versions();
    const instances = new Instances();
    const use = async ({ started, url }: Awaited<ReturnType<typeof present>>) => {
      instances.urls.push(url);
      const token = await tokenOf(instances);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { text } = await instances.send('GET', '/auth/admin/realms', headers);
      const name = `realm-${JSON.parse(text).length}`;
      await instances.send('POST', '/auth/admin/realms', headers, JSON.stringify({ realm: name, enabled: true }));
      instances.leave(url);
      expect(await stop(started)).toBe(0);
      return JSON.parse(text).map((each: { realm: string }) => each.realm);
    };
    expect(await use(await released())).toEqual(['master']);
    expect(await use(await present())).toEqual(['master', 'realm-1']);
    expect(await migrateFurther(databaseUrl)).toHaveLength(2);
    expect(await use(await released())).toEqual(['master', 'realm-1', 'realm-2']);
    expect(await use(await present())).toEqual(['master', 'realm-1', 'realm-2', 'realm-3']);
    expect(instances.wrong).toEqual([]);
  }, 240_000);
});
