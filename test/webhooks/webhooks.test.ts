import { beforeAll, describe, expect, it, vi } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, login, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { expectedSignature, type Receiver, startReceiver } from './receiver.js';

// Two instances on one database, one of them with a clock that is ahead.
const options = { webhookPrivateAddresses: true, webhookRetryWait: 0.02, webhookAttempts: 4 };
let databaseUrl: string;
let servers: [TestServer, TestServer];
let admin: Caller;
let other: Caller;
const within = { timeout: 15_000, interval: 20 };

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  const ahead = () => Date.now() + 20_000;
  servers = [await startServer({ databaseUrl, ...options }), await startServer({ databaseUrl, ...options }, ahead)];
  admin = await administrator(servers[0]);
  other = await administrator(servers[1]);
});

async function makeRealm(realm: string): Promise<string> {
  const user = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
    clientRoles: { 'realm-management': roles },
  });
  const users = [user('ann', []), user('viewer', ['view-events']), user('keeper', ['manage-events'])];
  const settings = { enabled: true, eventsEnabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  expect((await admin.send('POST', '/', { realm, ...settings, users })).status).toBe(201);
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  return data.realm.id;
}

interface Told {
  name: string;
  failures: number;
  deliveries: { edges: { node: { eventId: string } }[] };
}
interface Payload {
  webhook: { id: string; version: number; isEnabled: boolean; disabledReason: string | null; failures: number } | null;
  secret?: string;
  hasSucceeded?: boolean;
  responseStatus?: number;
  error?: string;
  userErrors: { code: string; path: string[] | null; message: string }[];
}
async function change(name: string, input: object, caller = admin, more = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) {
    userErrors { code path message } ${name === 'webhookDelete' ? 'deletedId' : 'webhook { id version isEnabled disabledReason failures }'} ${more} } }`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}
const create = async (realm: string, receiver: Receiver, more: object = {}, caller = admin) => {
  const input = {
    realm,
    name: 'hook',
    url: receiver.url,
    includesLoginEvents: false,
    resourceTypes: ['REALM_ROLE'],
    ...more,
  };
  const { webhook, secret, userErrors } = await change('webhookCreate', input, caller, 'secret');
  expect(userErrors).toEqual([]);
  return { id: webhook?.id ?? '', secret: secret ?? '' };
};
const addRole = async (realm: string, name: string, caller = admin) =>
  expect((await caller.send('POST', `/${realm}/roles`, { name })).status).toBe(201);
const rolesIn = ({ received }: Receiver) => received.map(({ message }) => message.data.resourcePath);

describe('a webhook', () => {
  it('is told of the events of every instance by signed messages, in their order', async () => {
    const realm = await makeRealm('told');
    const receiver = await startReceiver();
    const { secret } = await create(realm, receiver, {
      includesLoginEvents: true,
      loginEventTypes: ['LOGIN', 'LOGIN_ERROR'],
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await addRole('told', 'one', other);
    await login(servers[1], 'told', 'ann', 'right');
    await login(servers[0], 'told', 'ann', 'wrong').catch(() => undefined);
    await addRole('told', 'two');
    const types = ['admin.role.create', 'login.login', 'login.login_error', 'admin.role.create'];
    await expect.poll(receiver.typesOf, within).toEqual(types);
    for (const request of receiver.received) {
      expect(request.headers['webhook-signature']).toBe(expectedSignature(secret, request));
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(4);
    expect(receiver.received[0]?.message.data).toMatchObject({ operationType: 'CREATE', resourcePath: 'roles/one' });
    expect(receiver.received[1]?.message.data).toMatchObject({ type: 'LOGIN', details: { username: 'ann' } });
  });

  it('is told again of what it did not take, and of nothing twice that it took', async () => {
    const realm = await makeRealm('patient');
    const receiver = await startReceiver();
    await create(realm, receiver);
    receiver.answer = 500;
    await addRole('patient', 'one');
    await addRole('patient', 'two', other);
    await expect.poll(() => receiver.received.length, within).toBeGreaterThanOrEqual(2);
    receiver.answer = 200;
    await expect.poll(() => rolesIn(receiver).at(-1), within).toBe('roles/two');
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
    expect(rolesIn(receiver).filter((path) => path === 'roles/two')).toHaveLength(1);
    await addRole('patient', 'three');
    await expect.poll(() => rolesIn(receiver).at(-1), within).toBe('roles/three');
    // in the order in which they were sent, whatever the clock of the instance that sent them
    const sent = () => receiver.received.map(({ headers }) => headers['webhook-id']).reverse();
    const told = async () => {
      const { data, errors } = await admin.graphql<{
        realm: { webhooks: { totalCount: number; edges: { node: Told }[] } };
      }>(
        `{ realm(name: "patient") { webhooks(first: 5) { totalCount edges { node { name failures
           deliveries(first: 50) { edges { node { eventId eventType hasSucceeded responseStatus error } } } } } } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.realm.webhooks.totalCount).toBe(1);
      return data.realm.webhooks.edges[0]?.node;
    };
    await expect
      .poll(async () => (await told())?.deliveries.edges.map(({ node }) => node.eventId), within)
      .toEqual(sent());
    const hook = await told();
    expect(hook).toMatchObject({ name: 'hook', failures: 0 });
    const success = { eventType: 'admin.role.create', hasSucceeded: true, responseStatus: 200, error: null };
    expect(hook?.deliveries.edges[0]?.node).toMatchObject(success);
    const failure = {
      eventType: 'admin.role.create',
      hasSucceeded: false,
      responseStatus: 500,
      error: 'HTTP status 500',
    };
    expect(hook?.deliveries.edges.at(-1)?.node).toMatchObject(failure);
  });

  it('is disabled after many failures, and goes on where it was when it is enabled again', async () => {
    const realm = await makeRealm('hopeless');
    const receiver = await startReceiver();
    const { id } = await create(realm, receiver);
    receiver.answer = 'redirect';
    await addRole('hopeless', 'one');
    const state = async () => (await change('webhookPing', { id })).webhook;
    const stateOf = async () => {
      const query = '{ realm(name: "hopeless") { webhooks { edges { node { isEnabled disabledReason } } } } }';
      const { data } = await admin.graphql<{ realm: { webhooks: { edges: { node: object }[] } } }>(query);
      return data.realm.webhooks.edges[0]?.node;
    };
    const disabledReason = '4 attempts in a row failed; the last one: HTTP status 307';
    await expect.poll(stateOf, within).toEqual({ isEnabled: false, disabledReason });
    expect(receiver.received).toHaveLength(options.webhookAttempts);
    await addRole('hopeless', 'two');
    receiver.answer = 204;
    expect(await state()).toMatchObject({ isEnabled: false });
    await change('webhookUpdate', { id, isEnabled: true });
    await expect.poll(() => rolesIn(receiver).slice(-2), within).toEqual(['roles/one', 'roles/two']);
    expect(await stateOf()).toEqual({ isEnabled: true, disabledReason: null });
  });

  it('loses nothing when the instances stop', async () => {
    const url = await preparedDatabaseUrl();
    const first = await startServer({ databaseUrl: url, ...options });
    const boss = await administrator(first);
    const { data } = await boss.graphql<{ realm: { id: string } }>('{ realm(name: "master") { id } }');
    const receiver = await startReceiver();
    await create(data.realm.id, receiver, {}, boss);
    await addRole('master', 'one', boss);
    await expect.poll(() => rolesIn(receiver), within).toEqual(['roles/one']);
    receiver.answer = 'silence';
    for (const name of ['two', 'three']) await addRole('master', name, boss);
    await expect.poll(() => receiver.received.length, within).toBe(2);
    await first.close();
    receiver.answer = 204;
    const second = await startServer({ databaseUrl: url, ...options });
    await expect.poll(() => rolesIn(receiver), within).toEqual(['roles/one', 'roles/two', 'roles/two', 'roles/three']);
    const free = () => second.database.read.webhook.count({ where: { leaseOwner: null } });
    await expect.poll(free, within).toBe(1);
  });

  it('has another secret after it was rotated, beside the one before, and is pinged', async () => {
    const realm = await makeRealm('rotated');
    const receiver = await startReceiver();
    const { id, secret } = await create(realm, receiver);
    const rotated = await change('webhookRotateSecret', { id }, admin, 'secret');
    expect(rotated.secret).not.toBe(secret);
    const pinged = await change('webhookPing', { id }, admin, 'hasSucceeded responseStatus error');
    expect(pinged).toMatchObject({ hasSucceeded: true, responseStatus: 204, error: null });
    const [request] = receiver.received;
    expect(request?.message.type).toBe('ping');
    const both = [rotated.secret ?? '', secret].map((each) => request && expectedSignature(each, request));
    expect(request?.headers['webhook-signature']).toBe(both.join(' '));
    const deleted = await change('webhookDelete', { id });
    expect(deleted.userErrors).toEqual([]);
    const left = await admin.graphql(`{ node(id: "${id}") { id } realm(name: "rotated") { webhooks { totalCount } } }`);
    expect(left.data).toEqual({ node: null, realm: { webhooks: { totalCount: 0 } } });
  });

  it('is sent an event again on request, and all since a time, in their order', async () => {
    const realm = await makeRealm('repeated');
    const receiver = await startReceiver();
    const since = new Date().toISOString();
    const { id } = await create(realm, receiver);
    for (const name of ['one', 'two', 'three']) await addRole('repeated', name);
    const paths = ['roles/one', 'roles/two', 'roles/three'];
    await expect.poll(() => rolesIn(receiver), within).toEqual(paths);
    const listed = async () => {
      const { data } = await admin.graphql<{ node: { deliveries: { edges: { node: Record<string, string> }[] } } }>(
        `{ node(id: "${id}") { ... on Webhook { deliveries(first: 50) { edges { node { id eventId eventType } } } } } }`,
      );
      return data.node.deliveries.edges.map(({ node }) => node);
    };
    const oldest = (await listed()).at(-1);
    receiver.answer = 500;
    const again = await change('webhookDeliveryReplay', { id: oldest?.id }, admin, 'hasSucceeded responseStatus error');
    expect(again).toMatchObject({ hasSucceeded: false, responseStatus: 500, error: 'HTTP status 500' });
    expect(again.webhook).toMatchObject({ isEnabled: true, failures: 0 });
    expect((await listed())[0]).toMatchObject({ eventId: oldest?.eventId, eventType: 'admin.role.create' });
    receiver.answer = 204;
    const replayed = await change('webhookReplay', { id, since }, admin, 'events');
    expect(replayed).toMatchObject({ userErrors: [], events: 3 });
    await expect.poll(() => rolesIn(receiver), within).toEqual([...paths, 'roles/one', ...paths]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(4)).toEqual(ids.slice(0, 3));
    const later = await change('webhookReplay', { id, since: new Date(Date.now() + 60_000) }, admin, 'events');
    expect(later).toMatchObject({ userErrors: [], events: 0 });
    await addRole('repeated', 'four');
    await expect.poll(() => rolesIn(receiver).slice(7), within).toEqual(['roles/four']);
    const { body } = await admin.send('GET', '/repeated/admin-events?resourceTypes=CUSTOM&operationTypes=ACTION');
    expect(body).toHaveLength(3);
  });

  it('is sent nothing again that is not stored, that a dry run asks for, or that would be too much', async () => {
    const realm = await makeRealm('forgotten');
    const receiver = await startReceiver();
    const since = new Date().toISOString();
    const { id } = await create(realm, receiver);
    await addRole('forgotten', 'one');
    await expect.poll(() => rolesIn(receiver), within).toEqual(['roles/one']);
    const realmId = Buffer.from(realm, 'base64').toString().replace('Realm:', '');
    // an attempt is recorded when it has been answered
    const { id: delivery } = await vi.waitUntil(
      () =>
        servers[0].database.read.webhookDelivery.findFirst({
          where: { webhook: { realmId } },
          select: { id: true },
        }),
      within,
    );
    const replay = { id: Buffer.from(`WebhookDelivery:${delivery}`).toString('base64') };
    const { data } = await admin.graphql(
      `mutation ($replay: WebhookDeliveryReplayInput!, $all: WebhookReplayInput!) @dryRun {
        webhookDeliveryReplay(input: $replay) { hasSucceeded userErrors { code } }
        webhookReplay(input: $all) { events userErrors { code } } }`,
      { replay, all: { id, since } },
    );
    expect(data).toEqual({
      webhookDeliveryReplay: { hasSucceeded: null, userErrors: [] },
      webhookReplay: { events: 1, userErrors: [] },
    });
    // as the retention of the realm does
    await servers[0].database.transaction((tx) => tx.adminEvent.deleteMany({ where: { realmId } }));
    const gone = await change('webhookDeliveryReplay', replay);
    expect(gone.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }]);
    // which it would be sent otherwise
    await change('webhookUpdate', { id, isEnabled: false });
    const many = Array.from({ length: 10_001 }, (_, at) => ({
      ...{ id: `forgotten-${at}`, realmId, time: BigInt(Date.now()), operation: 'role.create' },
      ...{ operationType: 'CREATE', resourceType: 'REALM_ROLE', resourcePath: `roles/${at}` },
    }));
    await servers[0].database.transaction((tx) => tx.adminEvent.createMany({ data: many }));
    const tooMany = await change('webhookReplay', { id, since });
    expect(tooMany.userErrors).toMatchObject([{ code: 'INVALID', path: ['since'] }]);
    expect(rolesIn(receiver).filter((path) => path === 'roles/one')).toHaveLength(1);
  });

  it('keeps its secret to itself', async () => {
    const realm = await makeRealm('discreet');
    const receiver = await startReceiver();
    const { secret } = await create(realm, receiver);
    const { body } = await admin.send('GET', '/discreet/admin-events?resourceTypes=CUSTOM');
    expect(body).toMatchObject([{ operationType: 'CREATE', resourcePath: expect.stringContaining('webhooks/') }]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});

describe('webhooks', () => {
  it('are seen by those who see events and changed by those who manage them', async () => {
    const realm = await makeRealm('guarded');
    const receiver = await startReceiver();
    const { id } = await create(realm, receiver);
    const [viewer, keeper, ann] = await Promise.all(
      ['viewer', 'keeper', 'ann'].map((name) => userOf(servers[0], 'guarded', name, 'right')),
    );
    const seenBy = async (caller?: Caller) => {
      const answer = await caller?.graphql<{ node: object | null }>(`{ node(id: "${id}") { id } }`);
      return answer?.data.node ?? null;
    };
    expect(await seenBy(viewer)).toEqual({ id });
    expect(await seenBy(keeper)).toEqual({ id });
    expect(await seenBy(ann)).toBeNull();
    const { userErrors } = await change('webhookUpdate', { id, name: 'mine' }, viewer);
    expect(userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
    const denied = await change('webhookDelete', { id }, ann);
    expect(denied.userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
    expect((await change('webhookUpdate', { id, name: 'ours' }, keeper)).userErrors).toEqual([]);
  });

  it('take nothing that cannot be told', async () => {
    const realm = await makeRealm('strict');
    const receiver = await startReceiver();
    const codeOf = async (input: object) => {
      const { userErrors } = await change('webhookCreate', { realm, name: 'hook', url: receiver.url, ...input });
      return userErrors.map(({ code, path }) => [code, path?.join('.') ?? null]);
    };
    const wrongUrl = [['INVALID', 'url']];
    for (const url of ['nonsense', 'ftp://example.com', 'file:///etc/passwd', 'https://me:pw@example.com']) {
      expect(await codeOf({ url })).toEqual(wrongUrl);
    }
    expect(await codeOf({ name: '  ' })).toEqual([['INVALID', 'name']]);
    const query = '{ realm(name: "strict") { webhooks { totalCount } } }';
    expect((await admin.graphql(query)).data).toEqual({ realm: { webhooks: { totalCount: 0 } } });
  });

  it('lead to public addresses only, unless that is set', async () => {
    const server = await startServer({ databaseUrl, webhookPrivateAddresses: false });
    const boss = await administrator(server);
    const realm = await makeRealm('public');
    const urls = [
      'http://127.0.0.1:1/',
      'http://localhost/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://2130706433/',
    ];
    for (const url of [...urls, 'http://169.254.169.254/latest', 'http://0x7f.1/', 'http://192.168.1.1/']) {
      const { userErrors } = await change('webhookCreate', { realm, name: 'hook', url }, boss);
      expect(userErrors, url).toMatchObject([{ code: 'INVALID', path: ['url'] }]);
    }
  });
});
