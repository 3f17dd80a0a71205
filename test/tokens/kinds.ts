import { decodeJwt } from 'jose';
import type { PurposeName } from '../../src/services/keys/purpose.js';
import { signPublicToken } from '../../src/services/keys/sign.js';
import { type ActionTokenType, issueActionToken } from '../../src/services/mail/action-token.js';
import { accountMark } from '../../src/services/mail/link-binding.js';
import { nonceHeader } from '../../src/services/tokens/dpop-nonce.js';
import { agentOf, authorizationUrl, token } from '../login/agent.js';
import { initialToken, registrations } from '../registration/support.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

export const realm = 'shop';
export const callback = 'http://app.example/callback';
export const byApp = { client_id: 'app', client_secret: 's' };

const person = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  email: `${username}@example.org`,
  firstName: username,
  lastName: 'Tester',
  realmRoles: ['offline_access'],
  credentials: [{ type: 'password', value: `pw-${username}` }],
  ...more,
});

/** A realm with an administrator, a user without rights, and a client of each sort of grant. */
async function importRealm(admin: Caller): Promise<void> {
  const app = {
    clientId: 'app',
    secret: 's',
    redirectUris: [callback],
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    authorizationServicesEnabled: true,
  };
  const { status } = await admin.send('POST', '/admin/realms', {
    realm,
    enabled: true,
    clients: [app, { clientId: 'registry', protocol: 'docker-v2' }],
    users: [person('boss', { clientRoles: { 'realm-management': ['realm-admin'] } }), person('mallory')],
  });
  if (status !== 201) throw new Error(`import failed: ${status}`);
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** What a test of all kinds of tokens works with. */
export async function openWorld(server: TestServer) {
  // the tests of all kinds take longer than an access token lives
  await (await administrator(server)).send('PUT', '/admin/realms/master', { accessTokenLifespan: 3600 });
  const admin = await administrator(server);
  await importRealm(admin);
  const one = async (path: string) => (await admin.send('GET', `/admin/realms/${realm}/${path}`)).body[0];
  const record = await server.services.realms.byName(server.services.database.read, realm);
  if (!record) throw new Error('There is no realm');
  return {
    server,
    admin,
    realm: record,
    boss: await one('users?username=boss'),
    app: await one('clients?clientId=app'),
  };
}

/** The tokens of a login of `boss`, or of another user. */
export async function loginTokens({ server }: { server: TestServer }, more: Record<string, string> = {}) {
  const username = more.username ?? 'boss';
  const form = { grant_type: 'password', scope: 'openid', username, password: `pw-${username}`, ...more };
  const { status, body } = await token(server, realm, { ...byApp, ...form });
  if (status !== 200) throw new Error(`login failed: ${JSON.stringify(body)}`);
  return body as Record<'access_token' | 'id_token' | 'refresh_token', string>;
}

async function actionToken({ server, boss, realm: { id, name } }: World, type: ActionTokenType): Promise<string> {
  return issueActionToken(server.services, { id, name }, `${server.url}/auth`, 300, {
    type,
    userId: boss.id,
    email: boss.email,
    mark: await accountMark(server.services.database.read, boss.id),
    actions: type === 'reset-credentials' ? [] : ['UPDATE_PASSWORD'],
    clientId: 'app',
    redirectUri: undefined,
  });
}

async function cookieOf({ server }: World): Promise<string> {
  const agent = agentOf(server);
  const page = await agent.get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback }));
  await agent.submit(page, { username: 'boss', password: 'pw-boss' });
  return agent.cookies.get('KEYCLOAK_IDENTITY') ?? '';
}

async function ticketOf({ server }: World): Promise<string> {
  const { body } = await token(server, realm, { ...byApp, grant_type: 'client_credentials' });
  const api = callerWith(server, body.access_token);
  const protection = `/realms/${realm}/authz/protection`;
  const { body: resources } = await api.send('GET', `${protection}/resource_set`);
  return (await api.send('POST', `${protection}/permission`, [{ resource_id: resources[0] }])).body.ticket;
}

async function registrationOf({ server, admin }: World): Promise<string> {
  const initial = await initialToken(admin, realm);
  const clientId = `registered-${Date.now()}-${Math.random()}`;
  return (await registrations(server, realm)(initial)('POST', 'default', { clientId })).body.registrationAccessToken;
}

async function registryTokenOf({ server }: World): Promise<string> {
  const address = `${server.url}/auth/realms/${realm}/protocol/docker-v2/auth?service=registry`;
  const authorization = `Basic ${btoa('boss:pw-boss')}`;
  return ((await (await fetch(address, { headers: { authorization } })).json()) as { token: string }).token;
}

const signed = (
  world: World,
  purpose: 'logout' | 'adapterAction' | 'userInfo' | 'authorizationResponse',
  claims: object = {},
) =>
  signPublicToken(world.server.services, world.realm, {
    purpose,
    algorithm: 'RS256',
    claims: {
      iss: `${world.server.url}/auth/realms/${realm}`,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
      sub: world.boss.id,
      aud: 'app',
      azp: 'app',
      ...claims,
    },
  });

/** How a token of each purpose is come by: one that is new, of the realm's administrator where it is anybody's. */
export const kinds: Record<PurposeName, (world: World) => Promise<string>> = {
  access: async (world) => (await loginTokens(world)).access_token,
  id: async (world) => (await loginTokens(world)).id_token,
  refresh: async (world) => (await loginTokens(world)).refresh_token,
  offline: async (world) => (await loginTokens(world, { scope: 'openid offline_access' })).refresh_token,
  logout: async (world) => signed(world, 'logout', { sid: decodeJwt(await kinds.access(world)).sid }),
  adapterAction: async (world) =>
    signed(world, 'adapterAction', { typ: 'Bearer', sid: decodeJwt(await kinds.access(world)).sid }),
  docker: registryTokenOf,
  userInfo: async (world) =>
    signed(world, 'userInfo', { typ: 'Bearer', sid: decodeJwt(await kinds.access(world)).sid }),
  authorizationResponse: async (world) =>
    signed(world, 'authorizationResponse', { typ: 'ID', sid: decodeJwt(await kinds.access(world)).sid }),
  identity: cookieOf,
  'verify-email': (world) => actionToken(world, 'verify-email'),
  'execute-actions': (world) => actionToken(world, 'execute-actions'),
  'reset-credentials': (world) => actionToken(world, 'reset-credentials'),
  'idp-verify-account-via-email': (world) => actionToken(world, 'idp-verify-account-via-email'),
  initialAccess: ({ admin }) => initialToken(admin, realm),
  registrationAccess: registrationOf,
  permissionTicket: ticketOf,
  dpopNonce: async ({ server, realm: owner }) =>
    (await nonceHeader({ ...server.services, now: Date.now }, owner))['dpop-nonce'] ?? '',
};
