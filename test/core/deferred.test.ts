// @both-databases
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { jsonServer } from '../support/json-server.js';
import { startServer, type TestServer } from '../support/server.js';

// Slow work of mutations that share a transaction: no other writer waits for it, and it is done once.

const realm = 'deferred';
let server: TestServer;
let admin: Caller;
let ids: { realm: string; users: string[]; webhook: string };
let asked = 0;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const created = (headers: Headers) => headers.get('location')?.split('/').at(-1) ?? '';

beforeAll(async () => {
  server = await startServer({ webhookPrivateAddresses: true });
  admin = await administrator(server);
  const made = await admin.send('POST', '/', { realm, enabled: true, roles: { realm: [{ name: 'taken' }] } });
  expect(made.status).toBe(201);
  const { id } = (await admin.send('GET', `/${realm}`)).body;
  const users: string[] = [];
  for (const username of ['ann', 'bob']) {
    const { headers } = await admin.send('POST', `/${realm}/users`, { username, enabled: true });
    users.push(node('User', created(headers)));
  }
  const url = await jsonServer(async () => {
    asked += 1;
    // would wait for a transaction that waits for the answer
    const { status } = await admin.send('POST', `/${realm}/roles`, { name: `meanwhile ${asked}` });
    return { status };
  });
  const input = { realm: node('Realm', id), name: 'hook', url: `${url}/hook`, isEnabled: false };
  const { data } = await admin.graphql<{ webhookCreate: { webhook: { id: string }; userErrors: object[] } }>(
    'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { webhook { id } userErrors { message } } }',
    { input },
  );
  expect(data.webhookCreate.userErrors).toEqual([]);
  ids = { realm: node('Realm', id), users, webhook: data.webhookCreate.webhook.id };
});

beforeEach(async () => {
  asked = 0;
  await admin.send('PUT', `/${realm}`, { passwordPolicy: '' });
});

const ping = (directive: string, more = '') =>
  admin.graphql<{ ping: { responseStatus: number | null; userErrors: object[] } }>(
    `mutation ${directive} { ping: webhookPing(input: { id: "${ids.webhook}" }) { responseStatus userErrors { code } } ${more} }`,
  );
const setPassword = (alias: string, at: number, password: string) =>
  `${alias}: userSetPassword(input: { id: "${ids.users[at]}", value: "${password}" }) { userErrors { code } }`;
const role = (alias: string, name: string) =>
  `${alias}: roleCreate(input: { container: "${ids.realm}", name: "${name}" }) { userErrors { code } }`;
const done = { userErrors: [] };

/** Whether a user can log in by a password. */
async function logsIn(username: string, password: string): Promise<boolean> {
  const { status } = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username, password }),
  });
  return status === 200;
}

describe('a message of a shared transaction', () => {
  it('is sent once, while no transaction is open', async () => {
    const { data, errors } = await ping('@atomic', role('made', 'with a message'));
    expect(errors).toBeUndefined();
    expect(data).toEqual({ ping: { ...done, responseStatus: 200 }, made: done });
    expect(asked).toBe(1);
    expect((await admin.send('GET', `/${realm}/roles/meanwhile 1`)).status).toBe(200);
  });

  it('is not sent if the transaction is rolled back', async () => {
    expect((await ping('@atomic', role('taken', 'taken'))).data).toMatchObject({
      ping: { userErrors: [{ code: 'ABORTED' }] },
    });
    expect((await ping('@dryRun')).data).toEqual({ ping: { ...done, responseStatus: null } });
    expect(asked).toBe(0);
  });
});

describe('passwords of a shared transaction', () => {
  it('are set', async () => {
    const { data } = await admin.graphql(
      `mutation @atomic { ${setPassword('one', 0, 'same-1')} ${setPassword('two', 1, 'same-1')} ${setPassword('last', 0, 'other-1')} }`,
    );
    expect(data).toEqual({ one: done, two: done, last: done });
    expect(await logsIn('ann', 'other-1')).toBe(true);
    expect(await logsIn('ann', 'same-1')).toBe(false);
    expect(await logsIn('bob', 'same-1')).toBe(true);
  });

  it('are compared with earlier ones, and stay if the transaction is rolled back', async () => {
    const set = (directive: string, ...fields: string[]) =>
      admin.graphql(`mutation ${directive} { ${fields.join(' ')} }`);
    expect((await set('@atomic', setPassword('one', 0, 'first-1'))).data).toEqual({ one: done });
    await admin.send('PUT', `/${realm}`, { passwordPolicy: 'passwordHistory(3)' });
    const refused = { userErrors: [{ code: 'PASSWORD_POLICY' }] };
    for (const directive of ['@atomic', '@dryRun']) {
      const { data } = await set(directive, setPassword('again', 0, 'first-1'));
      expect([directive, data]).toEqual([directive, { again: refused }]);
      // also with one of the same transaction
      const twice = await set(directive, setPassword('next', 0, 'next-1'), setPassword('same', 0, 'next-1'));
      const isAtomic = directive === '@atomic';
      expect([directive, twice.data]).toEqual([
        directive,
        { next: isAtomic ? { userErrors: [{ code: 'ABORTED' }] } : done, same: refused },
      ]);
      expect(await logsIn('ann', 'first-1')).toBe(true);
    }
  });
});

describe('keys of a shared transaction', () => {
  it('are generated', async () => {
    const input = `{ realm: "${ids.realm}", name: "made", providerId: "rsa-generated", providerType: KEY_PROVIDER }`;
    const { data, errors } = await admin.graphql(
      `mutation @atomic { ${role('before', 'with a key')} key: componentCreate(input: ${input}) { userErrors { code message } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ before: done, key: done });
    expect((await admin.send('GET', `/${realm}/roles/with a key`)).status).toBe(200);
  });

  it('are all generated before the transaction begins again, however many they are', async () => {
    const [client] = (await admin.send('GET', `/${realm}/clients?clientId=account`)).body;
    const key = (name: string) =>
      `${name}: clientCertificateGenerate(input: { client: "${node('Client', client.id)}", purpose: "jwt.credential" }) { userErrors { code } }`;
    const generate = async (...more: string[]) => {
      const { data, extensions } = await admin.graphql(`mutation @atomic { ${more.join(' ')} }`);
      return { data, statements: extensions?.cost?.statements ?? Number.NaN };
    };
    const { statements } = await generate(key('one'));
    const four = await generate(...['one', 'two', 'three', 'four'].map(key));
    expect(four.data).toEqual({ one: done, two: done, three: done, four: done });
    expect(four.statements).toBeLessThanOrEqual(4 * statements);
  });
});
