// @both-databases
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signPublicToken } from '../../src/services/keys/sign.js';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { initialToken, registrations } from '../registration/support.js';
import { callerWith } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { byApp, callback, kinds, loginTokens, openWorld, realm, type World } from './kinds.js';
import { places, posted } from './places.js';

let world: World;
/** how far the clock of the server is ahead, in milliseconds */
let ahead = 0;

beforeAll(async () => {
  const unlimited = { failuresAddress: 0, failuresAccount: 0 };
  const server = await startServer(unlimited, () => Date.now() + ahead);
  world = await openWorld(server);
});

/** The places that take the token. */
async function takenAt(text: string): Promise<string[]> {
  const taken: string[] = [];
  for (const [name, { isTaken }] of Object.entries(places)) if (await isTaken(world.server, text)) taken.push(name);
  return taken;
}

/** An access token as somebody makes it who has a key of the realm, with other claims than a good one. */
async function forged(change: Record<string, unknown>, client: string = world.app.id): Promise<string> {
  const claims = { ...decodeJwt(await kinds.access(world)), ...change };
  return signPublicToken(world.server.services, world.realm, { purpose: 'access', algorithm: 'RS256', client, claims });
}

const clientPath = (id: string) => `/admin/realms/${realm}/clients/${id}`;
const serviceToken = async () =>
  (await token(world.server, realm, { ...byApp, grant_type: 'client_credentials' })).body.access_token ?? '';

describe('an access token that a key of the realm has signed', () => {
  it('is refused without a session, and in one that is not its user’s', async () => {
    const { sid } = decodeJwt((await loginTokens(world, { username: 'mallory' })).access_token);
    for (const change of [
      { sid: undefined, session_state: undefined },
      { sid: randomUUID() },
      { sid: 7 },
      { sid },
      { sub: randomUUID() },
    ]) {
      expect([change, await takenAt(await forged(change))]).toEqual([change, []]);
    }
  });

  it('is refused for a client that is not the one of its session, by name and by id', async () => {
    const path = `/admin/realms/${realm}/clients`;
    const { body } = await world.admin.send('GET', `${path}?clientId=admin-cli`);
    expect(await takenAt(await forged({}, body[0].id))).toEqual([]);
    expect(await takenAt(await forged({ azp: 'admin-cli' }))).toEqual([]);
    expect(await takenAt(await forged({ azp: 'admin-cli' }, body[0].id))).toEqual([]);
    expect(await takenAt(await forged({}, randomUUID()))).toEqual([]);
  });

  it('is good without a session for the service account of its client, while the client has one', async () => {
    const good = await serviceToken();
    const { sub } = decodeJwt(good);
    expect(decodeJwt(good).sid).toBeUndefined();
    expect(await takenAt(await serviceToken())).toContain('userinfo');
    expect(await takenAt(await forged({ sid: undefined, sub: world.boss.id }))).toEqual([]);
    const other = (await world.admin.send('GET', `/admin/realms/${realm}/clients?clientId=admin-cli`)).body[0];
    expect(await takenAt(await forged({ sid: undefined, sub, azp: 'admin-cli' }, other.id))).toEqual([]);

    const { body: before } = await world.admin.send('GET', clientPath(world.app.id));
    for (const change of [{ publicClient: true }, { enabled: false }]) {
      expect((await world.admin.send('PUT', clientPath(world.app.id), { ...before, ...change })).status).toBe(204);
      ahead += 1100;
      expect(await takenAt(good)).toEqual([]);
      expect((await world.admin.send('PUT', clientPath(world.app.id), { ...before, secret: 's' })).status).toBe(204);
      ahead += 1100;
    }
    expect(await takenAt(good)).toContain('userinfo');
  });

  it('ends with what its client has of the session', async () => {
    const { access_token: access } = await loginTokens(world);
    const caller = callerWith(world.server, access);
    expect((await caller.send('GET', `/admin/realms/${realm}`)).status).toBe(200);
    const { sid } = decodeJwt(access);
    await world.server.database.transaction((tx) =>
      tx.clientSession.deleteMany({ where: { session: { sid: String(sid) } } }),
    );
    ahead += 1100;
    expect((await caller.send('GET', `/admin/realms/${realm}`)).status).toBe(401);
  });

  it('of another realm, with the same names, is refused', async () => {
    const other = 'twin';
    const users = [{ username: 'boss', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }];
    const client = { clientId: 'app', secret: 's', directAccessGrantsEnabled: true };
    await world.admin.send('POST', '/admin/realms', { realm: other, enabled: true, users, clients: [client] });
    const form = { ...byApp, grant_type: 'password', username: 'boss', password: 'pw', scope: 'openid' };
    const { body } = await token(world.server, other, form);
    for (const text of [body.access_token, body.id_token, body.refresh_token]) {
      const own = await takenAt(text ?? '');
      // administration looks for the realm that the issuer names
      expect(own.filter((name) => !/REST|administrator|GraphQL|WebSocket/.test(name))).toEqual([]);
      const { status } = await callerWith(world.server, text).send('GET', `/admin/realms/${realm}`);
      expect([401, 403]).toContain(status);
    }
  });
});

describe('a client that gets the name of one that was deleted', () => {
  const browser = () => agentOf(world.server);
  const client = {
    clientId: 'again',
    secret: 's',
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
  };
  const byClient = { client_id: 'again', client_secret: 's' };
  const ask = { client_id: 'again', redirect_uri: callback };
  let agent: ReturnType<typeof browser>;
  let registration: string;

  const granted = (form: Record<string, string>) => token(world.server, realm, { ...byClient, ...form });
  const logIn = (scope: string) =>
    granted({ grant_type: 'password', scope, username: 'boss', password: 'pw-boss' }).then(({ body }) => body);
  /** Deletes the client, makes one like it, and has the same browser log in to it in the same session. */
  async function makeAnew(hasSameId = false): Promise<void> {
    const { body } = await world.admin.send('GET', `/admin/realms/${realm}/clients?clientId=again`);
    expect((await world.admin.send('DELETE', clientPath(body[0].id))).status).toBe(204);
    const made = { ...client, ...(hasSameId && { id: body[0].id }) };
    expect((await world.admin.send('POST', `/admin/realms/${realm}/clients`, made)).status).toBe(201);
    ahead += 1100;
    expect(answerOf(await agent.get(authorizationUrl(realm, { ...ask, prompt: 'none' })))).toHaveProperty('code');
  }

  beforeEach(async () => {
    const found = (await world.admin.send('GET', `/admin/realms/${realm}/clients?clientId=again`)).body[0];
    if (found) await world.admin.send('DELETE', clientPath(found.id));
    const send = registrations(world.server, realm)(await initialToken(world.admin, realm));
    registration = (await send('POST', 'default', client)).body.registrationAccessToken;
    const { id } = (await world.admin.send('GET', `/admin/realms/${realm}/clients?clientId=again`)).body[0];
    const { body } = await world.admin.send('GET', clientPath(id));
    expect((await world.admin.send('PUT', clientPath(id), { ...body, ...client, consentRequired: false })).status).toBe(
      204,
    );
    agent = browser();
    const page = await agent.get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback }));
    await agent.submit(page, { username: 'boss', password: 'pw-boss' });
  });

  it.each([
    ['another id', false],
    ['the same id', true],
  ])('does not revive its tokens, though its user logs in to it in the same session: %s', async (_id, hasSameId) => {
    const code = answerOf(await agent.get(authorizationUrl(realm, ask))).code ?? '';
    const online = (await granted({ grant_type: 'authorization_code', code, redirect_uri: callback })).body;
    const { refresh_token: offline } = await logIn('openid offline_access');
    const account = (await granted({ grant_type: 'client_credentials' })).body.access_token;
    const tokens = [online.access_token, online.id_token, online.refresh_token, offline, account, registration];
    expect(tokens.filter((text) => typeof text !== 'string')).toEqual([]);
    expect((await granted({ grant_type: 'refresh_token', refresh_token: offline ?? '' })).status).toBe(200);
    await makeAnew(hasSameId);
    for (const text of tokens) {
      expect(await takenAt(text ?? '')).toEqual([]);
      const introspected = await posted(world.server, 'token/introspect', { ...byClient, token: text ?? '' });
      expect(introspected.body).toEqual({ active: false });
      expect((await granted({ grant_type: 'refresh_token', refresh_token: text ?? '' })).status).toBe(400);
      expect((await posted(world.server, 'revoke', { ...byClient, token: text ?? '' })).body.error).toBeDefined();
    }
    const own = registrations(world.server, realm)(registration);
    expect((await own('GET', 'default/again')).status).toBe(401);
  });

  it('does not take its codes, pushed requests and logins on their way', async () => {
    const code = answerOf(await agent.get(authorizationUrl(realm, ask))).code ?? '';
    const device = await posted(world.server, 'auth/device', byClient);
    const pushed = await posted(world.server, 'ext/par/request', { ...byClient, ...ask, response_type: 'code' });
    const fresh = browser();
    const page = await fresh.get(authorizationUrl(realm, ask));
    await makeAnew();
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect((await granted(exchange)).status).toBe(400);
    const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
    const polled = await granted({ grant_type: deviceGrant, device_code: String(device.body.device_code) });
    expect(polled.body.error).toBe('invalid_grant');
    const uri = String(pushed.body.request_uri);
    expect(uri).toMatch(/^urn:/);
    const asked = await agent.get(authorizationUrl(realm, { ...ask, request_uri: uri }));
    expect(asked.location ?? '').not.toMatch(/[?&]code=/);
    expect(await fresh.submit(page, { username: 'boss', password: 'pw-boss' })).toMatchObject({
      status: 400,
      location: null,
    });
  });

  it('does not take the code of another client', async () => {
    const code = answerOf(await agent.get(authorizationUrl(realm, ask))).code ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect((await token(world.server, realm, { ...byApp, ...form })).status).toBe(400);
    expect((await granted(form)).status).toBe(400);
  });
});
