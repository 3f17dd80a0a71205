import { inflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { agentOf, authorizationUrl, token } from '../login/agent.js';
import { callback } from '../oauth/relying-party.js';
import { sampled } from '../support/sample.js';
import { ann, answered, credentials, logIn, newClient, post, realm, shownBy, type World } from './world.js';

/** Uses a provider of one kind. */
export type ProviderUse = (world: World, id: string) => Promise<void> | void;

const at = `/admin/realms/${realm}`;

/** Sends a request as the administrator. Throws unless the status is that which is expected. */
export async function sent({ admin }: World, method: string, path: string, body?: unknown, expected = [200, 201, 204]) {
  const answer = await admin.send(method, `${at}${path}`, body);
  expect(expected, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`).toContain(answer.status);
  return answer;
}

/** What the rule of a password policy refuses, and what it lets pass, for the user `ann`. */
const passwords: Record<string, [rule: string, refused: string, good: string]> = {
  digits: ['digits(2)', 'one1', 'two22'],
  length: ['length(6)', 'short', 'longer'],
  maxLength: ['maxLength(5)', 'longer', 'short'],
  lowerCase: ['lowerCase(2)', 'ABc', 'Abc'],
  upperCase: ['upperCase(2)', 'Abc', 'ABc'],
  specialChars: ['specialChars(1)', 'plain', 'spec!al'],
  notEmail: ['notEmail(undefined)', 'ann@example.org', 'another'],
  notUsername: ['notUsername(undefined)', 'ann', 'another'],
  regexPattern: ['regexPattern(^x.*)', 'abc', 'xyz'],
  passwordHistory: ['passwordHistory(2)', 'pw-ann', 'never-used'],
};

async function underPolicy<T>(world: World, passwordPolicy: string, work: () => Promise<T>): Promise<T> {
  await sent(world, 'PUT', '', { passwordPolicy });
  return work().finally(() => sent(world, 'PUT', '', { passwordPolicy: '' }));
}

const annOf = async (world: World): Promise<string> =>
  (await sent(world, 'GET', '/users?username=ann&exact=true')).body[0].id;

async function setPassword(world: World, value: string): Promise<number> {
  const path = `${at}/users/${await annOf(world)}/reset-password`;
  return (await world.admin.send('PUT', path, { type: 'password', value, temporary: false })).status;
}

const credentialOf = async (world: World) =>
  JSON.parse((await sent(world, 'GET', `/users/${await annOf(world)}/credentials`)).body[0].credentialData);

async function expectLogin(world: World, password: string, expected: number): Promise<void> {
  const form = { ...credentials(await newClient(world)), grant_type: 'password', ...ann, password };
  expect((await token(world.server, realm, form)).status).toBe(expected);
}

export const passwordPolicy: ProviderUse = async (world, id) => {
  const [rule = '', refused = '', good = ''] = passwords[id] ?? [];
  if (id === 'hashAlgorithm') return passwordHashing(world, 'pbkdf2-sha512');
  if (id === 'hashIterations') {
    await underPolicy(world, 'hashIterations(7)', () => setPassword(world, ann.password));
    expect((await credentialOf(world)).hashIterations).toBe(7);
    return;
  }
  if (id === 'forceExpiredPasswordChange' || id === 'passwordBlacklist')
    return shownBy('test/credentials/realm-policy.test.ts', id)();
  if (rule === '') throw new Error(`There is no use for the password policy ${id}`);
  await underPolicy(world, rule, async () => {
    expect([id, await setPassword(world, refused)]).toEqual([id, 400]);
    expect([id, await setPassword(world, good)]).toEqual([id, 204]);
  });
  expect(await setPassword(world, ann.password)).toBe(204);
};

export const passwordHashing: ProviderUse = async (world, id) => {
  await underPolicy(world, `hashAlgorithm(${id}) and hashIterations(2)`, () => setPassword(world, `hashed-${id}`));
  expect((await credentialOf(world)).algorithm).toBe(id);
  await expectLogin(world, `hashed-${id}`, 200);
  await setPassword(world, ann.password);
};

interface Property {
  name: string;
  options?: string[];
}

/** Makes keys with every value of every setting that is a list. */
export const keys =
  (propertiesOf: (id: string) => Property[]): ProviderUse =>
  async (world, id) => {
    if (id === 'java-keystore' || id === 'rsa') return shownBy('test/keys/keyring.test.ts', id)();
    const { id: parentId } = (await sent(world, 'GET', '')).body;
    for (const { name, options = [] } of propertiesOf(id)) {
      for (const option of sampled(options, 3)) {
        const config = { priority: ['500'], [name]: [option] };
        const type = 'org.keycloak.keys.KeyProvider';
        const component = { name: `${id} ${option}`, parentId, providerId: id, providerType: type, config };
        const { headers } = await sent(world, 'POST', '/components', component);
        const own = headers.get('location')?.split('/').at(-1) ?? '';
        const listed = (await sent(world, 'GET', '/keys')).body.keys.find(
          (key: { providerId: string }) => key.providerId === own,
        );
        expect([id, option, listed?.status]).toEqual([id, option, 'ACTIVE']);
        if (name === 'algorithm') expect(listed.algorithm).toBe(option);
        if (name === 'keyUse') expect(listed.use.toLowerCase()).toBe(option);
        await sent(world, 'DELETE', `/components/${own}`);
      }
    }
  };

/** Offers an identity provider on the login page, which leads to it. */
export const identityProvider: ProviderUse = async (world, providerId) => {
  const own = 'http://127.0.0.1:9';
  const config = {
    clientId: 'here',
    clientSecret: 'secret',
    authorizationUrl: `${own}/auth`,
    tokenUrl: `${own}/token`,
    userInfoUrl: `${own}/me`,
    baseUrl: own,
    singleSignOnServiceUrl: `${own}/auth`,
    entityId: 'here',
  };
  await sent(world, 'POST', '/identity-provider/instances', { alias: providerId, providerId, enabled: true, config });
  const agent = agentOf(world.server);
  const client_id = await newClient(world);
  const page = await agent.get(authorizationUrl(realm, { client_id, redirect_uri: callback }));
  const link = [...page.text.matchAll(/href="([^"]+)"/g)].find(([, to]) => to?.includes(`/broker/${providerId}/`))?.[1];
  expect([providerId, link]).toEqual([providerId, expect.any(String)]);
  const { location } = await agent.get(String(link).replaceAll('&amp;', '&'));
  const sentAlong = new URL(location ?? 'x:').searchParams;
  const saml = inflateRawSync(Buffer.from(sentAlong.get('SAMLRequest') ?? 'AwA=', 'base64')).toString();
  expect(providerId === 'saml' ? /Issuer>(\w+)</.exec(saml)?.[1] : sentAlong.get('client_id')).toBe('here');
  await sent(world, 'DELETE', `/identity-provider/instances/${providerId}`);
};

/** Makes a flow of required steps. */
async function makeFlow(world: World, alias: string, ...steps: string[]): Promise<void> {
  const flow = { alias, providerId: 'basic-flow', topLevel: true, builtIn: false };
  await sent(world, 'POST', '/authentication/flows', flow);
  const path = `/authentication/flows/${encodeURIComponent(alias)}/executions`;
  for (const provider of steps) await sent(world, 'POST', `${path}/execution`, { provider });
  for (const execution of (await sent(world, 'GET', path)).body)
    await sent(world, 'PUT', path, { ...execution, requirement: 'REQUIRED' }, [202, 204]);
}

/** A flow with this step cannot be bound: nobody could log in. */
export const unboundStep: ProviderUse = async (world, step) => {
  const alias = `with ${step}`;
  await makeFlow(world, alias, step);
  const { body } = await sent(world, 'PUT', '', { browserFlow: alias }, [400]);
  expect(JSON.stringify(body)).toContain(step);
};

/** Renders the adapter settings of a client. Clients of Docker registries come with an import alone, as recorded. */
export const installation =
  (protocolOf: (id: string) => string): ProviderUse =>
  async (world, id) => {
    const protocol = protocolOf(id);
    const clientId = protocol === 'docker-v2' ? 'registry' : `for ${id}`;
    const attributes = { 'saml.signing.certificate': 'AA==' };
    const fields = { clientId, protocol, redirectUris: ['https://app.example/*'], attributes };
    if (protocol !== 'docker-v2') await sent(world, 'POST', '/clients', fields);
    const [client] = (await sent(world, 'GET', `/clients?clientId=${encodeURIComponent(clientId)}`)).body;
    const answer = await sent(world, 'GET', `/clients/${client.id}/installation/providers/${id}`);
    expect(JSON.stringify(answer.body).length).toBeGreaterThan(20);
  };

/** Users get through a flow that lets everybody pass after the password. */
export const passedStep: ProviderUse = async (world, step) => {
  const alias = `past ${step}`;
  await makeFlow(world, alias, 'auth-username-password-form', step);
  const flows = (await sent(world, 'GET', '/authentication/flows')).body as { id: string; alias: string }[];
  const browser = flows.find((flow) => flow.alias === alias)?.id;
  const client = await newClient(world, {}, { authenticationFlowBindingOverrides: { browser } });
  expect(answered(await logIn(world, client))).toHaveProperty('code');
};

const policyType = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Registers a client with an initial access token. */
async function register(world: World, fields: object) {
  const { token: initial } = (await sent(world, 'POST', '/clients-initial-access', { count: 1 })).body;
  const answer = await fetch(`${world.issuer}/clients-registrations/default`, {
    method: 'POST',
    headers: { authorization: `Bearer ${initial}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Registers clients under a policy for who has a token. */
export const registrationPolicy: ProviderUse = async (world, providerId) => {
  const results: Record<string, object> = {
    'consent-required': { consentRequired: true },
    scope: { fullScopeAllowed: false },
  };
  if (providerId === 'allowed-protocol-mappers') {
    // new realms have it
    const outcome = async (protocolMapper: string) => {
      const mapper = { name: 'own', protocol: 'openid-connect', protocolMapper, config: {} };
      return (await register(world, { clientId: `by ${protocolMapper}`, protocolMappers: [mapper] })).status;
    };
    expect([await outcome('oidc-full-name-mapper'), await outcome('oidc-hardcoded-role-mapper')]).toEqual([201, 403]);
  } else if (results[providerId]) {
    const policy = { name: providerId, providerId, providerType: policyType, subType: 'authenticated', config: {} };
    const { headers } = await sent(world, 'POST', '/components', policy);
    const { status, body } = await register(world, { clientId: `under ${providerId}` });
    expect([status, body]).toEqual([201, expect.objectContaining(results[providerId])]);
    await sent(world, 'DELETE', `/components/${headers.get('location')?.split('/').at(-1)}`);
  } else shownBy('test/registration/policies.test.ts', `'${providerId}'`)();
};

/** Configures a client policy with every value of the lists of a condition or executor. */
export const policyPart =
  (kind: 'condition' | 'executor', propertiesOf: (id: string) => Property[]): ProviderUse =>
  async (world, id) => {
    for (const { name, options = [] } of propertiesOf(id)) {
      for (const option of options) {
        const isList =
          /allowed-|^type$|update-client-source/.test(name) && !(id === 'client-scopes' && name === 'type');
        const part = { [kind]: id, configuration: { [name]: isList ? [option] : option } };
        const executors = kind === 'executor' ? [part] : [];
        const conditions = kind === 'condition' ? [part] : [];
        await sent(world, 'PUT', '/client-policies/profiles', { profiles: [{ name: 'p', executors }] });
        const policies = [{ name: 'p', enabled: false, conditions, profiles: ['p'] }];
        await sent(world, 'PUT', '/client-policies/policies', { policies });
        const list = `/client-policies/${kind === 'executor' ? 'profiles' : 'policies'}`;
        expect(JSON.stringify((await sent(world, 'GET', list)).body)).toContain(option);
      }
    }
    const own = effects[id];
    if (own) await own(world);
    else if (id === 'secure-ciba-session') shownBy('test/tokens/backchannel.test.ts', `'${id}'`)();
    else shownBy('test/client-policies/enforcement.test.ts', `'${id}'`)();
  };

/** Puts a policy with one executor in force, for all clients, while `work` runs. */
async function underExecutor(world: World, executor: object, work: () => Promise<void>): Promise<void> {
  await sent(world, 'PUT', '/client-policies/profiles', { profiles: [{ name: 'p', executors: [executor] }] });
  const conditions = [{ condition: 'any-client', configuration: {} }];
  const policies = [{ name: 'p', enabled: true, conditions, profiles: ['p'] }];
  await sent(world, 'PUT', '/client-policies/policies', { policies });
  await work().finally(() => sent(world, 'PUT', '/client-policies/policies', { policies: [] }));
}

/** Executors that no other test has. */
const inProfilesOfFapi2 = shownBy.bind(undefined, 'test/client-policies/fapi-2.test.ts');
const effects: Record<string, (world: World) => unknown> = {
  'dpop-bind-enforcer': inProfilesOfFapi2('with a proof without a nonce'),
  'reject-implicit-grant': inProfilesOfFapi2('for the hybrid flow'),
  'reject-ropc-grant': inProfilesOfFapi2('with the password of a user'),
  'secure-authorization-response': inProfilesOfFapi2('end codes after 60 seconds'),
  'secure-par-content': inProfilesOfFapi2('refuse a request that was not pushed'),
  'use-lightweight-access-token': shownBy.bind(
    undefined,
    'test/oauth/lightweight-tokens.test.ts',
  )('are those of all clients under a policy'),
  'secure-ciba-req-sig-algorithm': (world) => {
    const executor = 'secure-ciba-req-sig-algorithm';
    const name = 'ciba.backchannel.auth.request.signing.alg';
    return underExecutor(world, { executor, configuration: { 'default-algorithm': 'ES256' } }, async () => {
      const clientId = await newClient(world);
      const [client] = (await sent(world, 'GET', `/clients?clientId=${clientId}`)).body;
      expect(client.attributes[name]).toBe('ES256');
      await sent(world, 'POST', '/clients', { clientId: 'weak', attributes: { [name]: 'RS256' } }, [400]);
    });
  },
  'secure-ciba-signed-authn-req': (world) =>
    underExecutor(world, { executor: 'secure-ciba-signed-authn-req', configuration: {} }, async () => {
      const client = await newClient(world, { 'oidc.ciba.grant.enabled': 'true' });
      const form = { ...credentials(client), scope: 'openid', login_hint: 'ann' };
      expect((await post(world, 'ext/ciba/auth', form)).body.error_description).toBe('Missing parameter: request');
    }),
};
