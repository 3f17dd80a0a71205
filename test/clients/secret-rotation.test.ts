import { SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredSecrets } from '../../src/services/clients/secret-expiry.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
/** how much later it is for the server, in milliseconds */
let later = 0;
const day = 24 * 60 * 60 * 1000;
const now = () => Date.now() + later;

/** Moves the time on, for which the callers have to log in again. */
async function pass(milliseconds: number): Promise<void> {
  later += milliseconds;
  admin = await administrator(server);
  viewer = await userOf(server, 'rotation', 'viewer', 'pw');
}

beforeAll(async () => {
  server = await startServer({ secretsKey: new Uint8Array(32).fill(7) }, now);
  admin = await administrator(server);
  await admin.send('POST', '/', {
    realm: 'rotation',
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    users: [
      {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['view-clients'] },
      },
    ],
  });
  viewer = await userOf(server, 'rotation', 'viewer', 'pw');
});

interface Rotated {
  secret: string | null;
  client: { id: string; previousSecretExpiresAt: string | null; version: number } | null;
  userErrors: { code: string; path: string[] | null; message: string }[];
}

/** A client of its own, with a function that performs a mutation on its secret. */
async function robot(clientId: string, more: object = {}) {
  const body = { clientId, secret: 'first-secret-0123456789-0123456789', serviceAccountsEnabled: true, ...more };
  expect((await admin.send('POST', '/rotation/clients', body)).status).toBe(201);
  const [{ id }] = (await admin.send('GET', `/rotation/clients?clientId=${clientId}`)).body;
  const node = Buffer.from(`Client:${id}`).toString('base64');
  const change = async (name: string, more: object = {}, by?: Caller): Promise<Rotated> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const secret = name === 'clientRotateSecret' ? 'secret' : '';
    const { data, errors } = await (by ?? admin).graphql<Record<string, Rotated>>(
      `mutation ($input: ${type}!) { ${name}(input: $input) {
        ${secret} client { id previousSecretExpiresAt version } userErrors { code path message } } }`,
      { input: { id: node, ...more } },
    );
    expect(errors).toBeUndefined();
    return data[name] as Rotated;
  };
  const login = async (parameters: object) => {
    const form = { grant_type: 'client_credentials', client_id: clientId, ...parameters };
    const response = await fetch(`${server.url}/auth/realms/rotation/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(Object.entries(form)),
    });
    return response.status;
  };
  const path = `/rotation/clients/${id}`;
  return { id, path, change, login: (secret: string) => login({ client_secret: secret }), send: login };
}

const first = 'first-secret-0123456789-0123456789';

describe('clientRotateSecret', () => {
  it('accepts both secrets until the grace period ends', async () => {
    const { change, login } = await robot('both');
    const { secret, client } = await change('clientRotateSecret', { gracePeriod: 3600 });
    expect(Math.abs(Date.parse(client?.previousSecretExpiresAt ?? '') - now() - 3_600_000)).toBeLessThan(60_000);
    expect([await login(first), await login(secret ?? ''), await login('wrong')]).toEqual([200, 200, 401]);
    await pass(3_700_000);
    expect([await login(first), await login(secret ?? '')]).toEqual([401, 200]);
    const { client: after } = await change('clientUpdate');
    expect(after?.previousSecretExpiresAt).toBeNull();
  });

  it('accepts only the last two', async () => {
    const { change, login } = await robot('twice');
    const second = (await change('clientRotateSecret')).secret ?? '';
    const third = (await change('clientRotateSecret')).secret ?? '';
    expect([await login(first), await login(second), await login(third)]).toEqual([401, 200, 200]);
  });

  it('ends the previous secret at once without a grace period, by REST, by an update, or when it is revoked', async () => {
    const { change, login, path } = await robot('ends');
    const second = (await change('clientRotateSecret', { gracePeriod: 0 })).secret ?? '';
    expect([await login(first), await login(second)]).toEqual([401, 200]);
    await change('clientRotateSecret');
    expect(await login(second)).toBe(200);
    const byRest = (await admin.send('POST', `${path}/client-secret`)).body;
    expect(byRest).toEqual({ type: 'secret', value: expect.any(String) });
    expect([await login(second), await login(byRest.value)]).toEqual([401, 200]);
    await change('clientRotateSecret');
    await change('clientUpdate', { secret: 'chosen' });
    expect([await login(byRest.value), await login('chosen')]).toEqual([401, 200]);
    await change('clientRotateSecret');
    expect(await login('chosen')).toBe(200);
    const { client } = await change('clientRevokePreviousSecret');
    expect(client?.previousSecretExpiresAt).toBeNull();
    expect(await login('chosen')).toBe(401);
  });

  it('accepts assertions that are signed with either', async () => {
    const { change, send } = await robot('signing', { clientAuthenticatorType: 'client-secret-jwt' });
    const issuer = `${server.url}/auth/realms/rotation`;
    const signed = async (secret: string) => {
      const assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('signing')
        .setSubject('signing')
        .setAudience(issuer)
        .setExpirationTime(Math.floor(now() / 1000) + 60)
        .sign(new TextEncoder().encode(secret));
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      return send({ client_assertion_type: type, client_assertion: assertion });
    };
    const second = (await change('clientRotateSecret')).secret ?? '';
    expect([await signed(first), await signed(second), await signed('x'.repeat(40))]).toEqual([200, 200, 400]);
    await pass(2 * day);
    expect([await signed(first), await signed(second)]).toEqual([400, 200]);
  });

  it('refuses grace periods out of range, and callers who may not configure the client', async () => {
    const { change, login } = await robot('refused');
    for (const gracePeriod of [-1, 2_592_001]) {
      expect((await change('clientRotateSecret', { gracePeriod })).userErrors[0]).toMatchObject({
        code: 'INVALID',
        path: ['gracePeriod'],
      });
    }
    expect((await change('clientRotateSecret', {}, viewer)).userErrors[0]).toMatchObject({ code: 'FORBIDDEN' });
    expect(await login(first)).toBe(200);
  });

  it('shows the previous secret nowhere, and removes it when it has expired', async () => {
    const { change, id, path } = await robot('hidden');
    await change('clientRotateSecret', { gracePeriod: 60 });
    const shown = [
      await admin.send('GET', path),
      await admin.send('GET', `${path}/client-secret`),
      await admin.send('GET', '/rotation/admin-events'),
      await admin.send('POST', '/rotation/partial-export?exportClients=true'),
    ];
    for (const { body } of shown) expect(JSON.stringify(body)).not.toContain(first);
    const row = () =>
      server.database.read.client.findUniqueOrThrow({
        where: { id },
        select: { previousSecret: true, previousSecretUntil: true },
      });
    expect((await row()).previousSecret).not.toContain(first);
    await pass(day);
    await removeExpiredSecrets({ database: server.database, now });
    expect(await row()).toEqual({ previousSecret: null, previousSecretUntil: 0n });
  });
});
