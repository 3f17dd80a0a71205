// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { type Cluster, postgresqlBinaries, startPostgresql } from '../support/postgresql.mjs';
import { admin, startServer, type TestServer } from '../support/server.js';
import { expectNothingByHalves } from './halves.js';
import { type Wire, wireTo } from './wire.js';

/** How one kind of request ended. */
interface Outcome {
  status: number;
  retryAfter: string | null;
  body: string;
}

type Kind = (at: number) => Promise<Outcome>;

/** No answer within this time counts as none at all. */
const patience = 25_000;

let cluster: Cluster;
let wire: Wire;
let server: TestServer;
let caller: Caller;

beforeAll(async () => {
  if (dialect !== 'postgresql' || postgresqlBinaries() === undefined) return;
  cluster = await startPostgresql();
  atEndOfFile(() => cluster.stop());
  wire = await wireTo(cluster.url);
  atEndOfFile(() => wire.close());
  server = await startServer({ databaseUrl: wire.url, databasePool: 4, databaseStatementTimeout: 2 });
  const first = await administrator(server);
  const made = await first.send('POST', '/', { realm: 'shaky', enabled: true, adminEventsEnabled: true });
  expect(made.status).toBe(201);
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
let serial = 0;
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

/** Ways to lose the database. `times`: how many refusals of each kind are waited for. */
const outages = [
  { name: 'stopped', times: 5, begin: () => cluster.halt(), end: () => cluster.resume() },
  { name: 'cut off', times: 5, begin: () => wire.become('cut'), end: () => wire.become('whole') },
  { name: 'mute', times: 1, begin: () => wire.become('mute'), end: () => wire.become('whole') },
  { name: 'frozen', times: 1, begin: () => wire.become('frozen'), end: () => wire.become('whole') },
];

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a database server that is lost for a while (PostgreSQL only: SQLite has no server)',
  () => {
    it.each(outages)(
      'makes requests answer that they may be tried later, and then they succeed: $name',
      async ({ times, begin, end }) => {
        caller = await administrator(server);
        // a good token that this server has not seen yet: to check it takes the database
        const unseen = await login(server, 'master', admin.username, admin.password);
        let outcomes: { kind: string; outcome: Outcome }[] = [];
        const past: Outcome[] = [];
        const lacking = (count: number, wanted: (outcome: Outcome) => boolean) => () =>
          Object.keys(kinds).filter(
            (name) => outcomes.filter(({ kind, outcome }) => kind === name && wanted(outcome)).length < count,
          );
        const nextPhase = (): void => {
          past.push(...outcomes.map(({ outcome }) => outcome));
          outcomes = [];
        };
        let running = true;
        const load = Object.entries(kinds).flatMap(([kind, send]) =>
          Array.from({ length: 2 }, async () => {
            while (running) outcomes.push({ kind, outcome: await send(serial++) });
          }),
        );

        await expect.poll(lacking(5, isGood), { timeout: patience }).toEqual([]);
        await begin();
        nextPhase();
        const browser = () => fetch(`${server.url}/auth/realms/shaky/account`, { headers: { accept: 'text/html' } });
        const [stranger, page, graphql] = await Promise.all([
          callerWith(server, unseen).send('GET', '/shaky'),
          browser(),
          callerWith(server, unseen).graphql('{ realm(name: "shaky") { name } }'),
          expect
            .poll(
              lacking(times, ({ status }) => status === 503),
              { timeout: patience },
            )
            .toEqual([]),
        ]);
        expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([503, '1']);
        expect([page.status, page.headers.get('retry-after'), page.headers.get('content-type')]).toEqual([
          503,
          '1',
          'text/html;charset=utf-8',
        ]);
        expect(await page.text()).toContain(`Reference: ${page.headers.get('x-request-id')}`);
        expect(graphql.errors?.map(({ extensions }) => extensions?.code)).toEqual(['BUSY']);
        expect((await fetch(`${server.url}/health/live`)).status).toBe(200);

        await end();
        nextPhase();
        await expect.poll(lacking(5, isGood), { timeout: patience }).toEqual([]);
        running = false;
        await Promise.all(load);
        nextPhase();

        const bad = past.filter((outcome) => !isGood(outcome));
        expect(bad.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1')).toEqual([]);
        expect((await callerWith(server, unseen).send('GET', '/shaky')).status).toBe(200);
        await expectNothingByHalves(server.database, 'shaky', created);
      },
      120_000,
    );
  },
);
