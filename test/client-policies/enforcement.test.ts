import { beforeAll, describe, expect, it } from 'vitest';
import { globalProfiles } from '../../src/services/client-policies/global-profiles.js';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'policed';
let server: TestServer;
let admin: Caller;
let clerk: Caller;
let serial = 0;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({
    realm,
    enabled: true,
    groups: [{ name: 'clerks' }],
    users: [
      {
        username: 'clerk',
        enabled: true,
        credentials: [{ type: 'password', value: 'secret-1' }],
        groups: ['/clerks'],
        clientRoles: { 'realm-management': ['manage-clients'] },
      },
    ],
  }));
  clerk = await userOf(server, realm, 'clerk', 'secret-1');
});

interface Named {
  id: string;
  configuration?: object;
}

/** Puts one policy in force, and no other. */
async function enforce(executor: Named, condition: Named = { id: 'any-client' }): Promise<void> {
  const profile = {
    name: 'own',
    executors: [{ executor: executor.id, configuration: executor.configuration ?? {} }],
  };
  const policy = {
    name: 'own',
    enabled: true,
    profiles: ['own'],
    conditions: [{ condition: condition.id, configuration: condition.configuration ?? {} }],
  };
  expect((await admin.send('PUT', `/${realm}/client-policies/profiles`, { profiles: [profile] })).status).toBe(204);
  expect((await admin.send('PUT', `/${realm}/client-policies/policies`, { policies: [policy] })).status).toBe(204);
}

async function create(client: object, by: Caller = admin) {
  const clientId = `client-${serial++}`;
  const { status, body } = await by.send('POST', `/${realm}/clients`, { clientId, ...client });
  const found = (await admin.send('GET', `/${realm}/clients?clientId=${clientId}`)).body[0];
  return { status, body, client: found };
}

const automatic = { 'auto-configure': true };
const strong = { 'default-algorithm': 'ES256' };
const authenticators = {
  'allowed-client-authenticators': ['client-jwt'],
  'default-client-authenticator': 'client-jwt',
};

describe('a client that is created', () => {
  it.each<[string, object | undefined, object, object]>([
    ['consent-required', {}, {}, { consentRequired: true }],
    ['full-scope-disabled', automatic, { fullScopeAllowed: true }, { fullScopeAllowed: false }],
    ['pkce-enforcer', automatic, {}, { attributes: { 'pkce.code.challenge.method': 'S256' } }],
    ['secure-client-authenticator', authenticators, {}, { clientAuthenticatorType: 'client-jwt' }],
    ['holder-of-key-enforcer', automatic, {}, { attributes: { 'tls.client.certificate.bound.access.tokens': 'true' } }],
    [
      'secure-signature-algorithm',
      strong,
      { attributes: { 'id.token.signed.response.alg': 'PS512' } },
      { attributes: { 'id.token.signed.response.alg': 'PS512', 'request.object.signature.alg': 'ES256' } },
    ],
  ])('is set up by %s', async (id, configuration, sent, expected) => {
    await enforce({ id, ...(configuration && { configuration }) });
    const { status, client } = await create(sent);
    expect(status).toBe(201);
    expect(client).toMatchObject(expected);
  });

  it.each<[string, object, object]>([
    ['confidential-client', {}, { publicClient: true }],
    ['confidential-client', {}, { bearerOnly: true }],
    ['full-scope-disabled', { 'auto-configure': false }, { fullScopeAllowed: true }],
    ['pkce-enforcer', {}, {}],
    ['secure-client-authenticator', authenticators, { clientAuthenticatorType: 'client-secret' }],
    ['secure-client-uris', {}, { redirectUris: ['http://app.example/'] }],
    ['secure-client-uris', {}, { redirectUris: ['https://app.example/*'] }],
    ['secure-client-uris', {}, { rootUrl: 'http://app.example' }],
    ['secure-client-uris', {}, { webOrigins: ['http://app.example'] }],
    ['secure-client-uris', {}, { attributes: { 'backchannel.logout.url': 'http://app.example/out' } }],
    ['secure-signature-algorithm', strong, { attributes: { 'id.token.signed.response.alg': 'RS256' } }],
  ])('is refused by %s with %j: %j', async (id, configuration, sent) => {
    await enforce({ id, configuration });
    const { status, body, client } = await create(sent);
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_client_metadata');
    expect(client).toBeUndefined();
  });

  it.each<[string, object, boolean]>([
    ['client-updater-context', { 'update-client-source': ['ByAuthenticatedUser'] }, true],
    ['client-updater-context', { 'update-client-source': ['ByAnonymous'] }, false],
    ['client-updater-context', { 'update-client-source': ['ByAnonymous'], 'is-negative-logic': true }, true],
    ['client-updater-source-host', { 'trusted-hosts': ['127.0.0.1'] }, true],
    ['client-updater-source-host', { 'trusted-hosts': ['localhost'] }, true],
    ['client-updater-source-host', { 'trusted-hosts': ['192.0.2.1'] }, false],
    ['client-updater-source-groups', { groups: ['clerks'] }, true],
    ['client-updater-source-groups', { groups: ['others'] }, false],
    ['client-updater-source-roles', { roles: ['realm-management.manage-clients'] }, true],
    ['client-updater-source-roles', { roles: ['manage-clients'] }, false],
    ['client-access-type', { type: ['confidential'] }, true],
    ['client-access-type', { type: ['public', 'bearer-only'] }, false],
    ['client-roles', { roles: ['any'] }, false],
  ])('is looked at where %s with %j applies: %s', async (id, configuration, applies) => {
    await enforce({ id: 'consent-required' }, { id, configuration });
    expect((await create({}, clerk)).client.consentRequired).toBe(applies);
  });
});

describe('a request of a client', () => {
  const at = (path: string) => `${server.url}/auth/realms/${realm}/protocol/openid-connect/${path}`;
  const redirect = 'https://app.example/back';
  let clientId: string;

  beforeAll(async () => {
    await enforce({ id: 'consent-required' }, { id: 'client-roles', configuration: { roles: ['none'] } });
    const app = { publicClient: true, redirectUris: [redirect], directAccessGrantsEnabled: true };
    clientId = (await create({ ...app, implicitFlowEnabled: true })).client.clientId;
  });

  async function authorize(more: Record<string, string>): Promise<string | null> {
    const parameters = new URLSearchParams({ client_id: clientId, redirect_uri: redirect, ...more });
    const answer = await fetch(`${at('auth')}?${parameters}`, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location === null) return null;
    const told = new URLSearchParams(location.split(/[?#]/)[1]);
    return told.get('error_description') ?? told.get('error');
  }

  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

  it.each<[string, object, Record<string, string>, boolean]>([
    ['pkce-enforcer', {}, { response_type: 'code' }, false],
    ['pkce-enforcer', {}, { response_type: 'code', ...challenge, code_challenge_method: 'plain' }, false],
    ['pkce-enforcer', {}, { response_type: 'code', ...challenge }, true],
    ['secure-session', {}, { response_type: 'code' }, false],
    ['secure-session', {}, { response_type: 'code', state: 's' }, true],
    ['secure-session', {}, { response_type: 'code', state: 's', scope: 'openid' }, false],
    ['secure-session', {}, { response_type: 'code', nonce: 'n', scope: 'openid' }, true],
    ['secure-response-type', {}, { response_type: 'code' }, false],
    ['secure-response-type', {}, { response_type: 'code id_token', nonce: 'n' }, true],
    ['secure-request-object', {}, { response_type: 'code' }, false],
    ['confidential-client', {}, { response_type: 'code' }, false],
  ])('for a login is looked at by %s %j: %j, good: %s', async (id, configuration, parameters, good) => {
    await enforce({ id, configuration });
    const refusal = await authorize(parameters);
    if (good) expect(refusal).toBeNull();
    else expect(refusal).not.toBeNull();
  });

  it('is looked at only where it asks for the client scope', async () => {
    await enforce({ id: 'secure-session' }, { id: 'client-scopes', configuration: { scopes: ['phone'] } });
    expect(await authorize({ response_type: 'code' })).toBeNull();
    expect(await authorize({ response_type: 'code', scope: 'phone' })).toContain('state');
  });

  it('for a token is refused by the executors that look at it', async () => {
    const token = async () => {
      const body = new URLSearchParams({
        grant_type: 'password',
        client_id: clientId,
        username: 'clerk',
        password: 'secret-1',
      });
      return (await fetch(at('token'), { method: 'POST', body })).status;
    };
    await enforce({ id: 'confidential-client' });
    expect(await token()).toBe(400);
    await enforce({ id: 'holder-of-key-enforcer' });
    expect(await token()).toBe(400);
    await enforce({ id: 'secure-signature-algorithm-signed-jwt', configuration: { 'require-client-assertion': true } });
    expect(await token()).toBe(400);
    await enforce({ id: 'secure-signature-algorithm-signed-jwt' });
    expect(await token()).toBe(200);
  });
});

describe('a client that is older than the policy', () => {
  it('gets no token where its authenticator is not allowed', async () => {
    await enforce({ id: 'secure-session' });
    const secret = { clientAuthenticatorType: 'client-secret', secret: 's', serviceAccountsEnabled: true };
    const { clientId } = (await create(secret)).client;
    const token = async () => {
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: 's' };
      const to = `${server.url}/auth/realms/${realm}/protocol/openid-connect/token`;
      const answer = await fetch(to, { method: 'POST', body: new URLSearchParams(form) });
      return { status: answer.status, error: (await answer.json()).error };
    };
    expect((await token()).status).toBe(200);
    await enforce({ id: 'secure-client-authenticator', configuration: authenticators });
    expect(await token()).toEqual({ status: 400, error: 'invalid_client' });
  });

  it('cannot lead a login to an address that is not of https', async () => {
    await enforce({ id: 'secure-session' });
    const redirect = 'http://plain.example/back';
    const { clientId } = (await create({ redirectUris: [redirect], publicClient: true })).client;
    await enforce({ id: 'secure-client-uris' });
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirect, response_type: 'code' });
    const to = `${server.url}/auth/realms/${realm}/protocol/openid-connect/auth?${query}`;
    const answer = await fetch(to, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('error=invalid_request');
  });
});

describe('policies in GraphQL', () => {
  it('are replaced as a whole and read back, with the global profiles on request', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const replaced = await admin.graphql<{
      clientProfilesReplace: { realm: { clientProfiles: { name: string; isGlobal: boolean }[] }; userErrors: [] };
    }>(
      `mutation ($input: ClientProfilesReplaceInput!) { clientProfilesReplace(input: $input) { userErrors { message path }
        realm { clientProfiles(includeGlobal: true) { name isGlobal executors { type settings { configuresClients defaultAlgorithm } config { name value } } } } } }`,
      {
        input: {
          realm: data.realm.id,
          profiles: [
            {
              name: 'mine',
              executors: [
                {
                  type: 'PKCE_ENFORCER',
                  settings: { configuresClients: true },
                  config: [{ name: 'note', value: '{"a":1}' }],
                },
              ],
            },
          ],
        },
      },
    );
    expect(replaced.data.clientProfilesReplace.userErrors).toEqual([]);
    expect(replaced.data.clientProfilesReplace.realm.clientProfiles).toEqual([
      {
        name: 'mine',
        isGlobal: false,
        executors: [
          {
            type: 'PKCE_ENFORCER',
            settings: { configuresClients: true, defaultAlgorithm: null },
            config: [{ name: 'note', value: '{"a":1}' }],
          },
        ],
      },
      ...globalProfiles.map(({ name }) => expect.objectContaining({ name, isGlobal: true })),
    ]);
    const policy = { name: 'p', isEnabled: true, conditions: [{ type: 'ANY_CLIENT' }], profiles: ['nowhere'] };
    const refused = await admin.graphql<{ clientPoliciesReplace: { userErrors: { path: string[] }[] } }>(
      `mutation ($input: ClientPoliciesReplaceInput!) { clientPoliciesReplace(input: $input) { userErrors { path } } }`,
      { input: { realm: data.realm.id, policies: [policy] } },
    );
    expect(refused.data.clientPoliciesReplace.userErrors).toEqual([{ path: ['policies', '0'] }]);
  });

  interface Faults {
    userErrors: { code: string; path: string[] }[];
  }
  const replace = async (what: 'Profiles' | 'Policies', list: object[]) => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const name = `client${what}Replace`;
    const answer = await admin.graphql<Record<string, Faults>>(
      `mutation ($input: Client${what}ReplaceInput!) { ${name}(input: $input) { userErrors { code path } } }`,
      { input: { realm: data.realm.id, [what.toLowerCase()]: list } },
    );
    expect(answer.errors).toBeUndefined();
    return answer.data[name]?.userErrors;
  };

  it('refuse settings of other types, all at once, with their paths', async () => {
    const executors = [
      { type: 'SECURE_SESSION', settings: { configuresClients: true, defaultAlgorithm: 'PS256' } },
      {
        type: 'PKCE_ENFORCER',
        config: [
          { name: 'auto-configure', value: 'true' },
          { name: 'note', value: 'no JSON' },
        ],
      },
      { type: 'SECURE_REQUEST_OBJECT', settings: { availablePeriod: 0 } },
      {
        type: 'PKCE_ENFORCER',
        settings: { configuresClients: true },
        config: [{ name: 'auto-configure', value: '"yes"' }],
      },
    ];
    expect(await replace('Profiles', [{ name: 'wrong', executors: executors.slice(0, 1) }])).toEqual([
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'settings', 'configuresClients'] },
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'settings', 'defaultAlgorithm'] },
    ]);
    expect(await replace('Profiles', [{ name: 'wrong', executors: executors.slice(1, 2) }])).toEqual([
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'config', '0', 'name'] },
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'config', '1', 'value'] },
    ]);
    expect(await replace('Profiles', [{ name: 'wrong', executors: executors.slice(2, 3) }])).toEqual([
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'settings', 'availablePeriod'] },
    ]);
    expect(await replace('Profiles', [{ name: 'wrong', executors: executors.slice(3) }])).toEqual([
      { code: 'INVALID', path: ['profiles', '0', 'executors', '0', 'config', '0', 'name'] },
    ]);
  });
});
