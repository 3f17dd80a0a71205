import { decodeJwt } from 'jose';
import type { PurposeName } from '../../src/services/keys/purpose.js';
import { subscribeBySocket } from '../events/websocket.js';
import { agentOf, authorizationUrl, token as tokenEndpoint } from '../login/agent.js';
import { newProofKeys, signedProof } from '../oauth/relying-party.js';
import { callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { byApp, callback, realm } from './kinds.js';

/** A place that takes tokens. */
interface TokenPlace {
  /** the purposes whose tokens are good there */
  takes: readonly PurposeName[];
  /** Whether the token is taken for a good one; what its bearer may do is another question. */
  isTaken(server: TestServer, token: string): Promise<boolean>;
}

const openid = `/realms/${realm}/protocol/openid-connect`;
const uma = 'urn:ietf:params:oauth:grant-type:uma-ticket';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Sends a form to an endpoint for clients. */
export async function posted({ url }: TestServer, path: string, form: Record<string, string>, bearer?: string) {
  const response = await fetch(`${url}/auth${openid}/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    ...(bearer !== undefined && { headers: { authorization: `Bearer ${bearer}` } }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

const answersBearer =
  (method: string, path: string, body?: unknown): TokenPlace['isTaken'] =>
  async (server, token) =>
    (await callerWith(server, token).send(method, path, body)).status !== 401;

const granted =
  (form: (token: string) => Record<string, string>): TokenPlace['isTaken'] =>
  async (server, token) =>
    (await tokenEndpoint(server, realm, { ...byApp, ...form(token) })).status === 200;

/** Whether permissions were given or refused, not what was asked with. */
const isDecided = ({ status, body }: { status: number; body: Record<string, string> }): boolean =>
  status === 200 || body.error === 'access_denied';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const clientRequest = { client_id: 'app', redirect_uri: callback };

async function overSocket(server: TestServer, token: string): Promise<boolean> {
  const socket = subscribeBySocket(server, token, '{ __typename }');
  const deadline = Date.now() + 10_000;
  while (!socket.ended() && socket.messages.length === 0 && Date.now() < deadline)
    await new Promise((done) => setTimeout(done, 5));
  socket.close();
  return socket.messages.length > 0;
}

/** The places that take tokens. Those that use a token up, or end its session, come last. */
export const places: Record<string, TokenPlace> = {
  'administration over REST': { takes: ['access'], isTaken: answersBearer('GET', `/admin/realms/${realm}`) },
  'token exchange': {
    takes: ['access'],
    isTaken: granted((token) => ({ grant_type: exchange, subject_token: token })),
  },
  'account of the administrator': {
    takes: ['access'],
    isTaken: answersBearer('GET', `/admin/${realm}/console/whoami`),
  },
  GraphQL: {
    takes: ['access'],
    isTaken: async (server, token) => {
      const { errors } = await callerWith(server, token).graphql('{ viewer { __typename } }');
      return !errors?.length;
    },
  },
  WebSocket: { takes: ['access'], isTaken: overSocket },
  userinfo: { takes: ['access'], isTaken: answersBearer('GET', `${openid}/userinfo`) },
  introspection: {
    takes: ['access', 'refresh', 'offline'],
    isTaken: async (server, token) =>
      (await posted(server, 'token/introspect', { ...byApp, token })).body.active === true,
  },
  'authorization code': {
    takes: [],
    isTaken: granted((code) => ({ grant_type: 'authorization_code', code, redirect_uri: callback })),
  },
  'device code': {
    takes: [],
    isTaken: granted((code) => ({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code })),
  },
  'client assertion': {
    takes: [],
    isTaken: async (server, assertion) => {
      const proof = { client_assertion_type: assertionType, client_assertion: assertion };
      return (
        (await tokenEndpoint(server, realm, { client_id: 'app', grant_type: 'client_credentials', ...proof }))
          .status === 200
      );
    },
  },
  'request object': {
    takes: [],
    isTaken: async (server, request) => {
      const page = await agentOf(server).get(authorizationUrl(realm, { ...clientRequest, request }));
      return page.status === 200;
    },
  },
  'nonce of a proof': {
    takes: ['dpopNonce'],
    isTaken: async (server, nonce) => {
      const htu = `${server.url}/auth${openid}/token`;
      const dpop = await signedProof(await newProofKeys(), { htm: 'POST', htu, nonce });
      const body = new URLSearchParams({ ...byApp, grant_type: 'client_credentials' });
      return (await fetch(htu, { method: 'POST', body, headers: { dpop } })).status === 200;
    },
  },
  'permission ticket': {
    takes: ['permissionTicket'],
    isTaken: async (server, ticket) => {
      return isDecided(await tokenEndpoint(server, realm, { ...byApp, grant_type: uma, ticket }));
    },
  },
  'earlier permissions': {
    takes: ['access'],
    isTaken: async (server, rpt) => {
      return isDecided(await tokenEndpoint(server, realm, { ...byApp, grant_type: uma, audience: 'app', rpt }));
    },
  },
  'bearer who asks for permissions': {
    takes: ['access'],
    isTaken: async (server, token) =>
      (await posted(server, 'token', { grant_type: uma, audience: 'app' }, token)).status !== 401,
  },
  'protection API': {
    takes: ['access'],
    isTaken: async (server, token) => {
      const { body } = await callerWith(server, token).send(
        'GET',
        `/realms/${realm}/authz/protection/permission/ticket`,
      );
      return body?.error !== 'invalid_bearer_token';
    },
  },
  'cookie of a login': {
    takes: ['identity'],
    isTaken: async (server, cookie) => {
      const agent = agentOf(server);
      agent.cookies.set('KEYCLOAK_IDENTITY', cookie);
      const page = await agent.get(authorizationUrl(realm, { ...clientRequest, prompt: 'none' }));
      return new URL(page.location ?? server.url).searchParams.has('code');
    },
  },
  'link of a mail': {
    takes: ['verify-email', 'execute-actions', 'reset-credentials', 'idp-verify-account-via-email'],
    isTaken: async (server, key) => {
      const path = `/auth/realms/${realm}/login-actions/action-token?${new URLSearchParams({ key })}`;
      const { status, text } = await agentOf(server).get(path);
      // a link that is good in the browser of its login only
      return status === 200 || text.includes('Open this link in the browser in which you are signing in.');
    },
  },
  'registration of a client': {
    takes: ['initialAccess', 'access'],
    isTaken: async (server, token) => {
      const path = `/realms/${realm}/clients-registrations/default`;
      const { status, body } = await callerWith(server, token).send('POST', path, { clientId: `new-${Math.random()}` });
      return status === 201 || (status === 403 && body.error_description !== undefined && isOf(token, 'Bearer'));
    },
  },
  'registration that a client reads': {
    takes: ['registrationAccess', 'access'],
    isTaken: async (server, token) => {
      const name = isOf(token, 'RegistrationAccessToken') ? await registeredBy(server, token) : 'app';
      const { status } = await callerWith(server, token).send(
        'GET',
        `/realms/${realm}/clients-registrations/default/${name}`,
      );
      return status === 200 || (status === 403 && isOf(token, 'Bearer'));
    },
  },
  refresh: {
    takes: ['refresh', 'offline'],
    isTaken: granted((token) => ({ grant_type: 'refresh_token', refresh_token: token })),
  },
  revocation: {
    takes: ['access', 'refresh', 'offline'],
    isTaken: async (server, token) => {
      const { status, body } = await posted(server, 'revoke', { ...byApp, token });
      return status === 200 && body.error === undefined;
    },
  },
  'logout by token': {
    takes: ['refresh', 'offline'],
    isTaken: async (server, token) =>
      (await posted(server, 'logout', { ...byApp, refresh_token: token })).status === 204,
  },
  'hint of a logout': {
    takes: ['id'],
    isTaken: async (server, hint) => {
      const path = `/auth${openid}/logout?${new URLSearchParams({ id_token_hint: hint })}`;
      return (await agentOf(server).get(path)).status === 200;
    },
  },
};

const isOf = (token: string, type: string): boolean => decodeJwt(token).typ === type;

/** The client whose registration access token it is. */
async function registeredBy({ services }: TestServer, token: string): Promise<string> {
  const registrationToken = decodeJwt(token).jti ?? '';
  const found = await services.database.read.client.findFirst({
    where: { registrationToken },
    select: { clientId: true },
  });
  return found?.clientId ?? 'app';
}
