// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createClient, LiveAdminEvents } from '../../client/src/index.js';
import { atEndOfFile, dialect } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { postgresqlBinaries, startPostgresql, startStandby } from '../support/postgresql.mjs';
import { startServer, type TestServer } from '../support/server.js';
import { startReceiver } from '../webhooks/receiver.js';
import { createUsers } from './stream.js';

const realm = 'lasting';
/** No answer within this time, in milliseconds, counts as none at all. */
const patience = 25_000;

/** The address of a database at two hosts. */
function bothOf(one: string, other: string): string {
  const url = new URL(one);
  return `postgresql://${url.username}@${url.host},${new URL(other).host}${url.pathname}?target_session_attrs=read-write`;
}

/** A primary whose commits wait for its standby, and the address of both. */
async function startPair() {
  const primary = await startPostgresql({ replicated: true });
  atEndOfFile(() => primary.stop());
  const standby = await startStandby(primary);
  atEndOfFile(() => standby.stop());
  const client = new pg.Client(primary.url);
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
  return { primary, standby, url: bothOf(standby.url, primary.url) };
}

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a database with a standby (PostgreSQL only: SQLite has none)',
  () => {
    it('goes on at the standby when the primary is lost, with everything that was acknowledged', async () => {
      const { primary, standby, url } = await startPair();
      const settings = {
        databaseUrl: url,
        databaseStatementTimeout: 5,
        webhookPrivateAddresses: true,
        webhookRetryWait: 1,
      };
      const servers = [await startServer(settings), await startServer(settings)] as const;
      const first = await administrator(servers[0]);
      expect((await first.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true })).status).toBe(201);
      const callers = await Promise.all(servers.map(administrator));
      const [one, two] = callers as [Caller, Caller];
      const { data } = await one.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);

      const receiver = await startReceiver();
      const hook = { realm: data.realm.id, name: 'all', url: receiver.url, includesAdminEvents: true };
      const made = await one.graphql<{ webhookCreate: { userErrors: object[] } }>(
        'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { userErrors { message } } }',
        { input: hook },
      );
      expect(made).toMatchObject({ data: { webhookCreate: { userErrors: [] } } });

      const told: string[] = [];
      const live = createClient({ url: `${servers[1].url}/graphql`, token: two.token, attempts: 50 });
      const ending = new AbortController();
      const messages = live.subscribe(LiveAdminEvents, { realm: data.realm.id }, { signal: ending.signal });
      await messages.next();
      const listening = (async () => {
        for await (const { adminEvents } of messages) if (adminEvents.event) told.push(adminEvents.event.resourcePath);
      })();

      const streams = [0, 1, 2, 3].map((at) =>
        createUsers({ realm, name: `by-${at}`, patience }, servers[at % 2] as TestServer, at % 2 ? two : one),
      );
      const created = (more: number) => () => Math.min(...streams.map((each) => each.created().length - more));
      await expect.poll(created(10), { timeout: patience }).toBeGreaterThan(0);
      await primary.crash();
      const refused = () =>
        Math.min(...streams.map(({ answers }) => answers.filter(({ status }) => status === 503).length));
      await expect.poll(refused, { timeout: patience }).toBeGreaterThan(0);
      await standby.promote();
      const before = Math.max(...streams.map((each) => each.created().length));
      await expect.poll(created(before + 10), { timeout: patience }).toBeGreaterThan(0);
      await Promise.all(streams.map((each) => each.stop()));

      const answers = streams.flatMap((each) => each.answers);
      expect(answers.filter(({ status, retryAfter }) => status !== 201 && !(status === 503 && retryAfter))).toEqual([]);
      const acknowledged = streams.flatMap((each) => each.created().map(({ username }) => username));
      const users = await servers[0].database.read.user.findMany({
        where: { username: { startsWith: 'by-' } },
        select: { id: true, username: true },
      });
      const names = users.map(({ username }) => username);
      expect(acknowledged.filter((username) => !names.includes(username))).toEqual([]);

      // each user, also one whose creator was told to try again, is told of once
      const paths = users.map(({ id }) => `users/${id}`).sort();
      await expect
        .poll(() => told.filter((path) => path.startsWith('users/')).sort(), { timeout: patience })
        .toEqual(paths);
      const delivered = () => new Set(receiver.received.map(({ message }) => String(message.data.resourcePath))).size;
      await expect.poll(delivered, { timeout: patience }).toBeGreaterThanOrEqual(paths.length);
      ending.abort();
      await listening.catch(() => undefined);
    }, 180_000);
  },
);
