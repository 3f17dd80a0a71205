import { beforeAll, describe, expect, it } from 'vitest';
import { openApiText } from '../../src/rest/openapi.js';
import { installationProviders } from '../../src/services/installation/providers.js';
import type { Schema } from '../contract/conformance.js';
import { agentOf, authorizationUrl, token } from '../login/agent.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';
import { inheritedName, notedReaders } from './readers.js';
import { textPlaces, withText } from './text-places.js';

// What clients send without being administrators, and what is stored of them, with the name of a member that all objects
// inherit in the place of each text.
const realm = 'inherited';
const readers = notedReaders();
const { components } = JSON.parse(await openApiText()) as { components: { schemas: Record<string, Schema> } };
const callback = 'https://app.example/callback';
const usual = {
  clientId: 'usual',
  secret: 's',
  redirectUris: [callback],
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  authorizationServicesEnabled: true,
  attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
};

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const user = { username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
  const { status } = await admin.send('POST', '/', { realm, enabled: true, clients: [usual], users: [user] });
  expect(status).toBe(201);
});

const own = { client_id: 'usual', client_secret: 's' };
const password = { ...own, grant_type: 'password', username: 'ann', password: 'pw', scope: 'openid' };
const connect = '/protocol/openid-connect';

/** A request of each kind, with the parameters that it may have. */
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${connect}/token`]: { ...password, otp: '1', totp: '1' },
  [`${connect}/token?client_credentials`]: { ...own, grant_type: 'client_credentials', scope: 'openid' },
  [`${connect}/token?code`]: {
    ...own,
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: callback,
    code_verifier: 'v',
  },
  [`${connect}/token?refresh`]: { ...own, grant_type: 'refresh_token', refresh_token: 'r', scope: 'openid' },
  [`${connect}/token?device`]: { ...own, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'd' },
  [`${connect}/token?uma`]: {
    ...own,
    grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
    audience: 'usual',
    permission: 'Default Resource',
    response_mode: 'decision',
    claim_token: Buffer.from('{"a":["b"]}').toString('base64url'),
    claim_token_format: 'urn:ietf:params:oauth:token-type:jwt',
  },
  [`${connect}/token?assertion`]: {
    client_assertion: 'a.b.c',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    grant_type: 'client_credentials',
  },
  [`${connect}/token/introspect`]: { ...own, token: 't', token_type_hint: 'access_token' },
  [`${connect}/revoke`]: { ...own, token: 't', token_type_hint: 'access_token' },
  [`${connect}/auth/device`]: { ...own, scope: 'openid' },
  [`${connect}/ext/par/request`]: { ...own, response_type: 'code', redirect_uri: callback, scope: 'openid' },
  [`${connect}/logout`]: { ...own, refresh_token: 'r' },
};
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${connect}/auth`]: {
    client_id: 'usual',
    redirect_uri: callback,
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid',
    prompt: 'login',
    ui_locales: 'en',
    kc_locale: 'en',
    claims: '{"id_token":{"inheritedMember":null}}',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    acr_values: '1',
    login_hint: 'ann',
    kc_idp_hint: 'x',
    request: 'a.b.c',
    request_uri: 'x',
  },
  [`${connect}/logout`]: { id_token_hint: 't', post_logout_redirect_uri: callback, state: 's', ui_locales: 'en' },
  '/login-actions/authenticate': { client_id: 'usual', tab_id: 't', session_code: 's', execution: 'e' },
  '/login-actions/action-token': { key: 'k', client_id: 'usual', tab_id: 't' },
  '/device': { user_code: 'ABCD-EFGH' },
};

/** The parameters with the name in the place of each in turn, and as one more. */
const variants = (parameters: Readonly<Record<string, string>>): Record<string, string>[] =>
  [...Object.keys(parameters), inheritedName].map((name) => ({ ...parameters, [name]: inheritedName }));

const at = (path: string) => `${server.url}/auth/realms/${realm}${path}`;

describe('a text that is the name of an inherited member', () => {
  it.each(sampled(Object.entries(forms), 6))('is found nowhere in a form for %s', async (path, parameters) => {
    const { access_token: bearer } = (await token(server, realm, password)).body;
    for (const form of variants(parameters)) {
      const headers: Record<string, string> = path.endsWith('uma') ? { authorization: `Bearer ${bearer}` } : {};
      const answer = await fetch(at(path), { method: 'POST', headers, body: new URLSearchParams(form) });
      expect(answer.status, JSON.stringify(form)).toBeLessThan(500);
    }
    expect(readers()).toEqual([]);
  });

  it.each(sampled(Object.entries(pages), 8))('is found nowhere in the query of %s', async (path, parameters) => {
    const agent = agentOf(server);
    for (const query of variants(parameters)) {
      const { status } = await agent.get(`${at(path)}?${new URLSearchParams(query)}`);
      expect(status, JSON.stringify(query)).toBeLessThan(500);
    }
    expect(readers()).toEqual([]);
  });

  const places = textPlaces({ $ref: '#/components/schemas/ClientRepresentation' }, components.schemas).filter(
    ([first]) => first !== 'id' && first !== 'clientId' && first !== 'secret',
  );
  it.each(
    sampled(
      places.map((place) => [place.join('.'), place] as const),
      10,
    ),
  )('is found nowhere by a client with it as %s', async (name, place) => {
    const clientId = `with ${name}`;
    const made = await admin.send('POST', `/${realm}/clients`, withText({ ...usual, clientId }, place, inheritedName));
    if (made.status === 201) {
      const { status, body } = await token(server, realm, { ...password, client_id: clientId });
      expect(status, body.error_description).toBeLessThan(500);
      await agentOf(server).get(authorizationUrl(realm, { client_id: clientId, redirect_uri: callback }));
      const address = `${new URL(made.headers.get('location') ?? '').pathname.replace('/auth', '')}`;
      for (const { id } of installationProviders) {
        const answer = await admin.send('GET', `${address}/installation/providers/${id}`);
        expect(answer.status, id).toBeLessThan(500);
      }
      await callerWith(server, body.access_token).send('GET', `/realms/${realm}${connect}/userinfo`);
    }
    expect(readers()).toEqual([]);
  });
});
