// @both-databases
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { freshDatabaseUrl } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { ConnectionLost } from '../support/http.js';
import { isThorough } from '../support/sample.js';
import { type ServerProcess, startProcess } from './process.js';

/** How often the server is killed: KILL_ROUNDS asks for more than the suite does. */
const rounds = Number(process.env.KILL_ROUNDS ?? (isThorough ? 3 : 1));
const callers = 8;
const importedUsers = 300;

/** What the server has said that it did. */
interface Acknowledged {
  users: string[];
  roles: string[];
  /** ids of users who are in the group */
  members: string[];
  imported: boolean;
}

let databaseUrl: string;
let database: OpenDatabase;

const connect = async (server: ServerProcess): Promise<Caller> => administrator(server as never);

/** Writes without pause until the server is gone, and notes what it acknowledged. */
async function write(caller: Caller, name: string, realm: string, groupId: string, done: Acknowledged): Promise<void> {
  for (let at = 0; ; at += 1) {
    const user = await caller.send('POST', `/${realm}/users`, { username: `${name}-${at}`, enabled: true });
    expect(user.status).toBe(201);
    const id = user.headers.get('location')?.split('/').at(-1) ?? '';
    done.users.push(id);
    const role = await caller.send('POST', `/${realm}/roles`, { name: `${name}-${at}` });
    expect(role.status).toBe(201);
    done.roles.push(`${name}-${at}`);
    const join = await caller.send('PUT', `/${realm}/users/${id}/groups/${groupId}`);
    expect(join.status).toBe(204);
    done.members.push(id);
  }
}

/** A connection that broke ends a caller; an answer that is wrong fails the test. */
const untilGone = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });

async function killUnderLoad(realm: string, imported: string): Promise<{ done: Acknowledged; groupId: string }> {
  const server = await startProcess(databaseUrl);
  const caller = await connect(server);
  await caller.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true });
  // a token from before the realm was made lacks its roles
  const writer = await connect(server);
  const group = await writer.send('POST', `/${realm}/groups`, { name: 'all' });
  const groupId = group.headers.get('location')?.split('/').at(-1) ?? '';
  const done: Acknowledged = { users: [], roles: [], members: [], imported: false };
  const users = Array.from({ length: importedUsers }, (_, at) => ({
    username: `imported-${at}`,
    email: `imported-${at}@work.test`,
    realmRoles: ['member'],
    groups: ['/staff'],
  }));
  const file = { realm: imported, users, roles: { realm: [{ name: 'member' }] }, groups: [{ name: 'staff' }] };
  const work = Array.from({ length: callers }, (_, at) =>
    untilGone(write(writer, `caller-${at}`, realm, groupId, done)),
  );
  await expect.poll(() => done.members.length, { timeout: 20_000 }).toBeGreaterThan(callers);
  const importing = caller.send('POST', '/', file).then(({ status }) => {
    expect(status).toBe(201);
    done.imported = true;
  });
  work.push(untilGone(importing));
  // anywhere in the import: before, while it is written, or after
  await new Promise((resume) => setTimeout(resume, Math.random() * 200));
  await server.kill();
  await Promise.all(work);
  return { done, groupId };
}

async function expectKept(realm: string, groupId: string, done: Acknowledged, caller: Caller): Promise<void> {
  const ids = async (path: string): Promise<string[]> =>
    ((await caller.send('GET', `/${realm}${path}`)).body as { id: string }[]).map(({ id }) => id);
  const users = await ids('/users?max=100000');
  expect(users).toEqual(expect.arrayContaining(done.users));
  const members = await ids(`/groups/${groupId}/members?max=100000`);
  expect(members).toEqual(expect.arrayContaining(done.members));
  const { body } = await caller.send('GET', `/${realm}/roles`);
  const roles = (body as { name: string }[]).map(({ name }) => name);
  expect(roles).toEqual(expect.arrayContaining(done.roles));

  // each row has its record and each record its row, whether the caller heard of it or not
  const { id: realmId } = await database.read.realm.findUniqueOrThrow({ where: { name: realm } });
  const events = await database.read.adminEvent.findMany({ where: { realmId } });
  const recorded = (operation: string): string[] =>
    events.filter((event) => event.operation === operation).map(({ resourcePath }) => resourcePath ?? '');
  expect(recorded('user.create').toSorted()).toEqual(users.map((id) => `users/${id}`).toSorted());
  const made = roles.filter((name) => name.startsWith('caller-'));
  expect(recorded('role.create').toSorted()).toEqual(made.map((name) => `roles/${name}`).toSorted());
  const joins = events
    .map(({ resourcePath }) => resourcePath ?? '')
    .filter((path) => path.endsWith(`/groups/${groupId}`));
  expect(joins.toSorted()).toEqual(members.map((id) => `users/${id}/groups/${groupId}`).toSorted());
  const changes = await database.read.change.findMany({ where: { realmId }, select: { eventId: true } });
  const changed = new Set(changes.map(({ eventId }) => eventId));
  expect(events.filter(({ id }) => !changed.has(id))).toEqual([]);
}

async function expectWholeOrAbsent(imported: string, acknowledged: boolean, caller: Caller): Promise<void> {
  const found = await caller.send('GET', `/${imported}`);
  if (acknowledged) expect(found.status).toBe(200);
  const whole = found.status === 200;
  const realmClient = await database.read.client.count({ where: { clientId: `${imported}-realm` } });
  expect(realmClient).toBe(whole ? 1 : 0);
  const realm = await database.read.realm.findUnique({ where: { name: imported }, select: { id: true } });
  if (!whole) return expect(realm).toBeNull();
  const inRealm = { where: { realmId: realm?.id ?? '' } };
  expect(await database.read.user.count(inRealm)).toBe(importedUsers);
  expect((await caller.send('GET', `/${imported}/roles/member/users?max=1000`)).body).toHaveLength(importedUsers);
  const [staff] = (await caller.send('GET', `/${imported}/groups`)).body as { id: string }[];
  const members = await caller.send('GET', `/${imported}/groups/${staff?.id}/members?max=1000`);
  expect(members.body).toHaveLength(importedUsers);
}

describe.skipIf(!existsSync('dist/main.js'))('a server that is killed while it writes', () => {
  beforeAll(async () => {
    databaseUrl = await freshDatabaseUrl();
    await (await startProcess(databaseUrl)).kill();
    database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  });
  afterAll(() => database?.close());

  it.each(Array.from({ length: rounds }, (_, at) => at + 1))(
    'has kept all that it acknowledged, and nothing by halves: %i',
    async (round) => {
      const [realm, imported] = [`killed-${round}`, `imported-${round}`];
      const { done, groupId } = await killUnderLoad(realm, imported);
      const server = await startProcess(databaseUrl);
      const caller = await connect(server);
      await expectKept(realm, groupId, done, caller);
      await expectWholeOrAbsent(imported, done.imported, caller);
      await server.kill();
    },
    60_000,
  );
});
