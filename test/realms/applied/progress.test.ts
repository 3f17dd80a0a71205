// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Subscription, subscribe } from '../../events/sse.js';
import { dialect, preparedDatabaseUrl } from '../../support/database.js';
import { administrator, type Caller, userOf } from '../../support/fixture.js';
import { startServer, type TestServer } from '../../support/server.js';

// The progress of applies, on two instances of one database: one makes them, and the other knows only of the commits.
const realm = 'progress';
const within = { timeout: 30_000, interval: 50 };
let servers: [TestServer, TestServer];
let admin: Caller;
let id: string;

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl })];
  admin = await administrator(servers[0]);
  const users = ['view-realm', 'manage-realm'].map((role) => ({
    username: role,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': [role] },
  }));
  expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
  id = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

interface State {
  status: string;
  done: number;
  total: number;
}

const watch = `subscription ($realm: ID!, $progressId: String!) {
  realmApplyProgress(realm: $realm, progressId: $progressId) { status done total }
}`;
const follow = (server: TestServer, progressId: string, token: string | undefined = admin.token) =>
  subscribe(server, token, watch, { realm: id, progressId });
const statesOf = ({ messages }: Subscription): State[] =>
  messages.flatMap(({ data }) => (data ? (Object.values(data) as never as State[]) : []));
const begun = (subscription: Subscription) =>
  expect.poll(() => statesOf(subscription), within).toMatchObject([{ status: 'WAITING' }]);
const ended = async (subscription: Subscription): Promise<State[]> => {
  await expect.poll(() => subscription.ended(), within).toBe(true);
  return statesOf(subscription);
};

const modes = { roles: 'KEEP', groups: 'KEEP', clients: 'KEEP' };
const roles = (prefix: string, count: number) => ({
  realm: Array.from({ length: count }, (_, at) => ({ name: `${prefix}-${at}`, attributes: { number: [`${at}`] } })),
});
const apply = (desired: object, progressId: string, headers: Record<string, string> = {}) =>
  admin.send('POST', `/${realm}/apply`, { desired, modes, progressId }, headers);

describe('the progress of an apply', () => {
  it('goes from the plan over the rows that are written to the commit, of which other instances know the end', async () => {
    const seen = await Promise.all(servers.map((server) => follow(server, 'large')));
    for (const each of seen) await begun(each);
    expect((await apply({ roles: roles('large', 400) }, 'large')).status).toBe(200);
    const [own, others] = [await ended(seen[0] as Subscription), await ended(seen[1] as Subscription)];
    const order = ['WAITING', 'PLANNING', 'WRITING', 'DONE'];
    expect(own.map(({ status }) => order.indexOf(status)).toSorted()).toEqual(
      own.map(({ status }) => order.indexOf(status)),
    );
    const counts = own.filter(({ status }) => status === 'WRITING').map(({ done }) => done);
    expect(counts.toSorted((one, other) => one - other)).toEqual(counts);
    // a role and an attribute each
    expect(own.at(-1)).toEqual({ status: 'DONE', done: 800, total: 800 });
    expect(others.map(({ status }) => status)).toEqual(['WAITING', 'DONE']);
    // whoever comes late hears how it ended
    expect(await ended(await follow(servers[0], 'large'))).toEqual([{ status: 'DONE', done: 800, total: 800 }]);
  });

  // on SQLite nobody else can hold a row while one writes
  it.runIf(dialect === 'postgresql')('is told while the transaction is open', async () => {
    const made = { clients: [{ clientId: 'held' }], roles: roles('held', 10) };
    expect((await apply(made, 'first')).status).toBe(200);
    const seen = await follow(servers[0], 'held');
    await begun(seen);
    let running: Promise<{ status: number }> | undefined;
    await servers[0].database.transaction(async (tx) => {
      await tx.client.updateMany({ where: { clientId: 'held' }, data: { name: 'held' } });
      const desired = { clients: [{ clientId: 'held', description: 'new' }], roles: roles('more', 10) };
      running = apply(desired, 'held');
      await expect.poll(() => statesOf(seen).at(-1), within).toMatchObject({ status: 'WRITING', total: 21 });
      expect(statesOf(seen).at(-1)?.done).toBeLessThan(21);
      expect((await admin.send('GET', `/${realm}/roles/more-1`)).status).toBe(404);
    });
    expect((await running)?.status).toBe(200);
    expect((await ended(seen)).at(-1)).toEqual({ status: 'DONE', done: 21, total: 21 });
  });

  it('ends with a refusal, a dry run, and an apply that changes nothing', async () => {
    const of = async (progressId: string, work: () => Promise<{ status: number }>) => {
      const seen = await follow(servers[0], progressId);
      await begun(seen);
      const { status } = await work();
      return [status, (await ended(seen)).at(-1)?.status];
    };
    const unknown = { groups: [{ name: 'g', realmRoles: ['nobody-has-this'] }] };
    expect(await of('refused', () => apply(unknown, 'refused'))).toEqual([400, 'FAILED']);
    const dry = { Prefer: 'dry-run' };
    expect(await of('dry', () => apply({ roles: roles('dry', 3) }, 'dry', dry))).toEqual([200, 'DONE']);
    expect(await of('nothing', () => apply({ roles: { realm: [] } }, 'nothing'))).toEqual([200, 'DONE']);
    const input = {
      id,
      desired: { json: { roles: roles('graph', 2) } },
      modes: { roles: 'KEEP' },
      progressId: 'graph',
    };
    const mutation = 'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { message } } }';
    const overGraphql = async () => {
      const { data } = await admin.graphql<{ realmApply: { userErrors: unknown[] } }>(mutation, { input });
      expect(data.realmApply.userErrors).toEqual([]);
      return { status: 200 };
    };
    expect(await of('graph', overGraphql)).toEqual([200, 'DONE']);
  });

  it('is not told to those who may not apply', async () => {
    const viewer = await userOf(servers[0], realm, 'view-realm', 'right');
    // an apply requires all permissions of the realm
    const partly = await userOf(servers[0], realm, 'manage-realm', 'right');
    for (const token of [viewer.token, partly.token, undefined]) {
      const refused = await subscribe(servers[0], token, watch, { realm: id, progressId: 'large' });
      await expect.poll(() => refused.ended(), within).toBe(true);
      expect(statesOf(refused)).toEqual([]);
    }
  });
});
