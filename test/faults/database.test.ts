import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { postgresqlBinaries, startPostgresql } from '../support/postgresql.mjs';
import { admin, startServer, type TestServer } from '../support/server.js';

/** How one kind of request ended. */
interface Outcome {
  status: number;
  retryAfter: string | null;
  body: string;
}

type Kind = (at: number) => Promise<Outcome>;

/** No answer within this time counts as none at all. */
const patience = 25_000;

let cluster: Awaited<ReturnType<typeof startPostgresql>>;
let server: TestServer;
let caller: Caller;

beforeAll(async () => {
  if (dialect !== 'postgresql' || postgresqlBinaries() === undefined) return;
  cluster = await startPostgresql();
  atEndOfFile(() => cluster.stop());
  server = await startServer({ databaseUrl: cluster.url, databasePool: 4 });
  const first = await administrator(server);
  const made = await first.send('POST', '/', { realm: 'shaky', enabled: true, adminEventsEnabled: true });
  expect(made.status).toBe(201);
  caller = await administrator(server);
});

async function request(method: string, path: string, body?: unknown, token = caller.token): Promise<Outcome> {
  const form = body instanceof URLSearchParams;
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() };
}

const created: string[] = [];
const loginForm = () =>
  new URLSearchParams({
    grant_type: 'password',
    client_id: 'admin-cli',
    username: admin.username,
    password: admin.password,
  });

const kinds: Record<string, Kind> = {
  read: () => request('GET', '/auth/shaky/users?max=10'),
  write: async (at) => {
    const username = `user-${at}`;
    const outcome = await request('POST', '/auth/shaky/users', { username, enabled: true });
    if (outcome.status === 201) created.push(username);
    return outcome;
  },
  update: (at) => request('PUT', '/auth/shaky', { accessTokenLifespan: 100 + (at % 100) }),
  login: () => request('POST', '/auth/realms/master/protocol/openid-connect/token', loginForm(), ''),
  discovery: () => request('GET', '/auth/realms/shaky/protocol/openid-connect/certs', undefined, ''),
  ready: () => request('GET', '/health/ready', undefined, ''),
};

const isGood = ({ status }: Outcome): boolean => status >= 200 && status < 300;

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a database server that is stopped and started again (PostgreSQL only: SQLite has no server)',
  () => {
    it('makes requests answer that they may be tried later, and then they succeed', async () => {
      // a good token that this server has not seen yet: to check it takes the database
      const unseen = await login(server, 'master', admin.username, admin.password);
      const outcomes: Record<string, Outcome[]> = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
      const seen = (wanted: (outcome: Outcome) => boolean) => () =>
        Object.entries(outcomes)
          .filter(([, list]) => list.filter(wanted).length < 5)
          .map(([name]) => name);
      let running = true;
      let at = 0;
      const load = Object.entries(kinds).flatMap(([name, send]) =>
        Array.from({ length: 2 }, async () => {
          while (running) outcomes[name]?.push(await send(at++));
        }),
      );

      await expect.poll(seen(isGood), { timeout: patience }).toEqual([]);
      await cluster.halt();
      await expect
        .poll(
          seen(({ status }) => status === 503),
          { timeout: patience },
        )
        .toEqual([]);
      const stranger = await callerWith(server, unseen).send('GET', '/shaky');
      expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([503, '1']);
      const graphql = await caller.graphql('{ realm(name: "shaky") { users(first: 5) { totalCount } } }');
      expect(graphql.errors?.map(({ extensions }) => extensions?.code)).toEqual(['BUSY']);
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200);

      await cluster.resume();
      await expect.poll(() => kinds.ready?.(0), { timeout: patience }).toMatchObject({ status: 200 });
      for (const list of Object.values(outcomes)) list.push(...list.splice(0).filter((outcome) => !isGood(outcome)));
      await expect.poll(seen(isGood), { timeout: patience }).toEqual([]);
      running = false;
      await Promise.all(load);

      const bad = Object.values(outcomes)
        .flat()
        .filter((outcome) => !isGood(outcome));
      expect(bad.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1')).toEqual([]);
      expect((await callerWith(server, unseen).send('GET', '/shaky')).status).toBe(200);
      await expectNothingByHalves();
    }, 120_000);
  },
);

/** Each user has a record and each record its user, and all that were acknowledged are there. */
async function expectNothingByHalves(): Promise<void> {
  const { read } = server.database;
  const { id: realmId } = await read.realm.findUniqueOrThrow({ where: { name: 'shaky' } });
  const users = await read.user.findMany({ where: { realmId }, select: { id: true, username: true } });
  const names = new Set(users.map(({ username }) => username));
  expect(created.filter((name) => !names.has(name))).toEqual([]);
  const events = await read.adminEvent.findMany({
    where: { realmId, operation: 'user.create' },
    select: { resourcePath: true },
  });
  expect(events.map(({ resourcePath }) => resourcePath).toSorted()).toEqual(
    users.map(({ id }) => `users/${id}`).toSorted(),
  );
}
