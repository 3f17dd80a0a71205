import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
import { slowClockAhead, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import { initialToken, registrations } from './support.js';

const realm = 'door';
const foreign = 'elsewhere';
let server: TestServer;
let admin: Caller;
let initial: string;
/** how far the clock of the server is ahead, in milliseconds */
let ahead = 0;
let send: ReturnType<typeof registrations>;

beforeAll(async () => {
  server = await startServer(
    {},
    slowClockAhead(() => ahead),
  );
  admin = await administrator(server);
  const users = [
    {
      username: 'manager',
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
      clientRoles: { 'realm-management': ['manage-clients'] },
    },
  ];
  const settings = {
    enabled: true,
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    users,
  };
  await admin.send('POST', '/', {
    realm,
    ...settings,
    enabledEventTypes: [
      'CLIENT_REGISTER',
      'CLIENT_REGISTER_ERROR',
      'CLIENT_INFO',
      'CLIENT_INFO_ERROR',
      'CLIENT_UPDATE',
      'CLIENT_UPDATE_ERROR',
      'CLIENT_DELETE',
      'CLIENT_DELETE_ERROR',
    ],
  });
  await admin.send('POST', '/', { realm: foreign, ...settings });
  initial = await initialToken(admin, realm);
  send = registrations(server, realm);
});

const named = (clientId: string) => admin.send('GET', `/${realm}/clients?clientId=${clientId}`);
const made = async (clientId: string): Promise<string> =>
  (await send(initial)('POST', 'default', { clientId })).body.registrationAccessToken;

describe('an initial access token', () => {
  it('with one use left registers one client of many at once', async () => {
    const once = await initialToken(admin, realm, 1);
    const names = Array.from({ length: 8 }, (_, index) => `racer-${index}`);
    const answers = await Promise.all(names.map((clientId) => send(once)('POST', 'default', { clientId })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    const { body } = await admin.send('GET', `/${realm}/clients?clientId=racer-&search=true`);
    expect(body).toHaveLength(1);
  });

  it('keeps its use when the client is refused', async () => {
    const once = await initialToken(admin, realm, 1);
    const refused = await send(once)('POST', 'default', { clientId: 'account' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    expect((await send(once)('POST', 'default', { clientId: 'after-refusal' })).status).toBe(201);
  });
});

describe('a token that is not for this', () => {
  const good = { clientId: 'intruder' };

  it('of another realm is refused', async () => {
    const other = await initialToken(admin, foreign);
    expect(await send(other)('POST', 'default', good)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const { body } = await registrations(server, foreign)(other)('POST', 'default', good);
    expect((await send(body.registrationAccessToken)('GET', 'default/intruder')).status).toBe(401);
  });

  it('without a signature, or with one of somebody else, is refused', async () => {
    const claims = decodeJwt(initial);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('secret'));
    const header = initial.split('.')[0];
    for (const token of [unsigned, forged, `${header}.${part(claims)}.${forged.split('.')[2]}`, 'x'.repeat(8_000)]) {
      const { status } = await send(token)('POST', 'default', good);
      expect(status).toBe(401);
    }
  });

  it('of another type is refused', async () => {
    const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: 'manager',
        password: 'pw',
        scope: 'openid',
      }),
    });
    const tokens = (await answer.json()) as Record<string, string>;
    for (const token of [tokens.refresh_token, tokens.id_token]) {
      expect(await send(token)('POST', 'default', good)).toMatchObject({
        status: 401,
        body: { error: 'invalid_token' },
      });
    }
  });

  it('of one client neither reads, changes nor deletes another', async () => {
    const token = await made('mine');
    await made('yours');
    expect((await send(token)('GET', 'default/yours')).status).toBe(401);
    expect((await send(token)('PUT', 'default/yours', { clientId: 'yours', enabled: false })).status).toBe(401);
    expect((await send(token)('DELETE', 'default/yours')).status).toBe(401);
    expect((await named('yours')).body).toMatchObject([{ enabled: true }]);
    // it is no token to register others with: without one the host is not trusted
    expect((await send(token)('POST', 'default', good)).status).toBe(403);
  });

  it('left nothing behind', async () => {
    expect((await named('intruder')).body).toEqual([]);
  });
});

describe('a registration access token', () => {
  it('is replaced by an update; of two at once one wins', async () => {
    const token = await made('contended');
    const update = (description: string) =>
      send(token)('PUT', 'default/contended', { clientId: 'contended', description });
    const answers = await Promise.all(['one', 'two', 'three'].map(update));
    const [winner, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(2);
    expect((await named('contended')).body).toMatchObject([{ description: winner?.body.description }]);
    expect((await send(token)('GET', 'default/contended')).status).toBe(401);
    expect((await send(winner?.body.registrationAccessToken)('GET', 'default/contended')).status).toBe(200);
  });

  it('stands in no event', async () => {
    const token = await made('discreet');
    const { body } = await send(token)('PUT', 'default/discreet', { clientId: 'discreet', secret: 'kept-to-itself' });
    const ids = [decodeJwt(token).jti, decodeJwt(body.registrationAccessToken).jti, 'kept-to-itself'];
    const seen = JSON.stringify([
      (await admin.send('GET', `/${realm}/events?max=1000`)).body,
      (await admin.send('GET', `/${realm}/admin-events?max=1000`)).body,
      (await named('discreet')).body,
    ]);
    expect(seen).toContain('discreet');
    for (const secret of ids) expect(seen).not.toContain(secret);
  });
});

describe('what happens', () => {
  it('is told by login events and the audit', async () => {
    const { body } = await send(initial)('POST', 'default', { clientId: 'observed' });
    const { body: seen } = await send(body.registrationAccessToken)('GET', 'default/observed');
    const { body: changed } = await send(seen.registrationAccessToken)('PUT', 'default/observed', {
      clientId: 'observed',
    });
    await send(seen.registrationAccessToken)('DELETE', 'default/observed');
    await send(changed.registrationAccessToken)('DELETE', 'default/observed');
    const { body: events } = await admin.send('GET', `/${realm}/events?client=observed`);
    const types = events.map(({ type }: { type: string }) => type).sort();
    expect(types).toEqual(['CLIENT_DELETE', 'CLIENT_INFO', 'CLIENT_REGISTER', 'CLIENT_UPDATE']);
    const { body: refused } = await admin.send('GET', `/${realm}/events?type=CLIENT_DELETE_ERROR&max=1`);
    expect(refused).toMatchObject([{ error: 'invalid_token' }]);
    const { body: audits } = await admin.send('GET', `/${realm}/admin-events?resourcePath=clients/${body.id}`);
    const writes = audits.map(({ operationType }: { operationType: string }) => operationType).sort();
    expect(writes).toEqual(['CREATE', 'DELETE', 'UPDATE']);
  });

  it('takes the right that the token has', async () => {
    const manager = await login(server, realm, 'manager', 'pw');
    expect((await send(manager)('POST', 'default', { clientId: 'by-manager' })).status).toBe(201);
    expect((await send(manager)('GET', 'default/by-manager')).body.registrationAccessToken).toBeUndefined();
    expect((await registrations(server, foreign)(manager)('GET', 'default/account')).status).toBe(401);
  });

  it('is bounded: a body may not be huge, and the statements are few', async () => {
    const { status } = await send(initial)('POST', 'default', { clientId: 'huge', description: 'x'.repeat(200_000) });
    expect(status).toBe(413);
    const count = (clientId: string) => countStatements(server, () => send(initial)('POST', 'default', { clientId }));
    expect(await count('counted-1')).toBeLessThanOrEqual(16);
    expect(await count('counted-2')).toBeLessThanOrEqual(16);
  });

  it('does not take the settings of an adapter from one client by the secret of another', async () => {
    await admin.send('POST', `/${realm}/clients`, { clientId: 'a', secret: 'secret-a' });
    await admin.send('POST', `/${realm}/clients`, { clientId: 'b', secret: 'secret-b' });
    const install = (client: string, user: string, secret: string) =>
      fetch(`${server.url}/auth/realms/${realm}/clients-registrations/install/${client}`, {
        headers: { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` },
      });
    expect((await install('a', 'a', 'secret-a')).status).toBe(200);
    expect((await install('a', 'b', 'secret-b')).status).toBe(401);
    expect((await install('a', 'b', 'secret-a')).status).toBe(401);
    expect((await install('no-such-client', 'a', 'secret-a')).status).toBe(401);
  });
});

describe('an initial access token whose time is over', () => {
  it('is refused', async () => {
    const short = await initialToken(admin, realm, 5, 60);
    expect((await send(short)('POST', 'default', { clientId: 'in-time' })).status).toBe(201);
    ahead = 61_000;
    expect(await send(short)('POST', 'default', { clientId: 'late' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_token', error_description: 'Failed decode token' },
    });
  });
});
