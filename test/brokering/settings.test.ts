import { decodeProtectedHeader } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Agent, agentOf, answerOf, authorizationUrl, linkOf } from '../login/agent.js';
import { openStandIn, type StandIn } from './stand-in.js';
import { app, arrive, openWorld, shopUser, type World } from './world.js';

let world: World;
let provider: StandIn;

const redirector = (alias: string, config: object) => ({
  authenticationFlows: [
    {
      alias: 'sent away',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [
        { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
        {
          authenticator: 'identity-provider-redirector',
          authenticatorConfig: 'away',
          requirement: 'ALTERNATIVE',
          priority: 20,
        },
        { authenticator: 'auth-username-password-form', requirement: 'ALTERNATIVE', priority: 30 },
      ],
    },
    {
      alias: 'with a code',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [{ authenticator: 'auth-otp-form', requirement: 'REQUIRED', priority: 10 }],
    },
  ],
  authenticatorConfig: [{ alias, config }],
});

beforeAll(async () => {
  provider = await openStandIn();
  const instance = (alias: string, config: Record<string, string>, more: object = {}) => ({
    alias,
    providerId: 'oidc',
    config: provider.settings(config),
    ...more,
  });
  world = await openWorld({
    providers: () => [
      instance('plain', {}),
      instance('asking', {
        defaultScope: 'profile groups',
        prompt: 'consent',
        loginHint: 'true',
        uiLocales: 'true',
        forwardParameters: 'tenant, missing',
        pkceMethod: 'plain',
        display: 'popup',
        passMaxAge: 'true',
      }),
      instance('bare', { pkceEnabled: 'false', disableNonce: 'true', passMaxAge: 'false' }),
      instance('silent', { acceptsPromptNoneForwardFromClient: 'true' }),
      instance('basic', { clientAuthMethod: 'client_secret_basic' }),
      instance('secretJwt', { clientAuthMethod: 'client_secret_jwt' }),
      instance('keyJwt', { clientAuthMethod: 'private_key_jwt', jwtX509HeadersEnabled: 'true' }),
      instance('coded', {}, { postBrokerLoginFlowAlias: 'with a code' }),
      {
        alias: 'github',
        providerId: 'github',
        trustEmail: true,
        config: { clientId: 'gh', clientSecret: 's', baseUrl: provider.url, apiUrl: provider.url },
      },
      {
        alias: 'google',
        providerId: 'google',
        config: provider.settings({
          hostedDomain: 'corp.example',
          offlineAccess: 'true',
          userInfoUrl: `${provider.url}/userinfo`,
        }),
      },
      instance('forced', { syncMode: 'FORCE' }),
    ],
    mappers: [
      {
        name: 'role',
        identityProviderAlias: 'forced',
        identityProviderMapper: 'oidc-role-idp-mapper',
        config: { claim: 'groups', 'claim.value': 'bosses', role: 'boss' },
      },
      {
        name: 'department',
        identityProviderAlias: 'forced',
        identityProviderMapper: 'oidc-user-attribute-idp-mapper',
        config: { claim: 'department', 'user.attribute': 'department' },
      },
    ],
    shop: { roles: { realm: [{ name: 'boss' }] }, ...redirector('away', { defaultProvider: 'plain' }) },
  });
});
beforeEach(() => void provider.behave());

const person = (name: string, more: object = {}) => ({
  claims: {
    sub: name,
    preferred_username: name,
    email: `${name}@op.example`,
    given_name: name,
    family_name: 'Comer',
    ...more,
  },
});

async function sent(alias: string, parameters: Record<string, string> = {}, agent: Agent = agentOf(world.server)) {
  const page = await agent.get(authorizationUrl('shop', { ...app, kc_idp_hint: alias, ...parameters }));
  if (!page.location) throw new Error(`not sent: ${page.text}`);
  return { agent, to: page.location, asked: Object.fromEntries(new URL(page.location).searchParams) };
}
const logIn = async (alias: string) => {
  const { agent, to } = await sent(alias);
  return arrive(agent, provider.wayBack(to));
};

describe('a browser', () => {
  it('is sent to the provider that the client asks for, with a request of its own', async () => {
    const { to, asked } = await sent('plain');
    expect(to).toContain(`${provider.url}/authorize?`);
    expect(asked).toMatchObject({
      response_type: 'code',
      scope: 'openid',
      client_id: 'client-of-the-stand-in',
      redirect_uri: `${world.server.url}/auth/realms/shop/broker/plain/endpoint`,
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
    });
    expect((await sent('plain')).asked.state).not.toBe(asked.state);
    const { asked: bare } = await sent('bare');
    expect(Object.keys(bare).toSorted()).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state']);
  });

  it('is sent with what the settings of the provider and the client ask for', async () => {
    const wishes = {
      login_hint: 'ann',
      ui_locales: 'de',
      tenant: 'acme',
      acr_values: 'gold',
      max_age: '9',
      prompt: 'login',
    };
    expect((await sent('asking', wishes)).asked).toMatchObject({
      scope: 'openid profile groups',
      prompt: 'consent',
      login_hint: 'ann',
      ui_locales: 'de',
      tenant: 'acme',
      acr_values: 'gold',
      max_age: '9',
      display: 'popup',
      code_challenge_method: 'plain',
    });
    const { asked } = await sent('plain', wishes);
    expect(asked).toMatchObject({ prompt: 'login', acr_values: 'gold', max_age: '9' });
    for (const name of ['login_hint', 'ui_locales', 'tenant']) expect(asked).not.toHaveProperty(name);
    expect((await sent('bare', wishes)).asked).not.toHaveProperty('max_age');
  });

  it('stays at the login page if the client asks for a provider that is not there', async () => {
    const page = await agentOf(world.server).get(authorizationUrl('shop', { ...app, kc_idp_hint: 'nobody' }));
    expect(page.text).toContain('name="password"');
  });

  it('is sent without a page only to a provider that accepts it, and the client is told of its error', async () => {
    const refused = await agentOf(world.server).get(
      authorizationUrl('shop', { ...app, kc_idp_hint: 'plain', prompt: 'none' }),
    );
    expect(answerOf(refused)).toMatchObject({ error: 'login_required' });
    const { agent, to, asked } = await sent('silent', { prompt: 'none', state: 'st' });
    expect(asked.prompt).toBe('none');
    const page = await arrive(agent, provider.wayBack(to, { code: '', error: 'interaction_required' }));
    expect(answerOf(page)).toMatchObject({ error: 'interaction_required', state: 'st' });
  });

  it('is sent to the default provider of the flow, and to the login page after a refusal', async () => {
    const { admin, server } = world;
    expect((await admin.send('PUT', '/admin/realms/shop', { browserFlow: 'sent away' })).status).toBe(204);
    const agent = agentOf(server);
    const first = await agent.get(authorizationUrl('shop', app));
    expect(first.location).toContain('/authorize?');
    const page = await arrive(agent, provider.wayBack(first.location ?? '', { code: '', error: 'access_denied' }));
    expect(page.text).toContain('name="password"');
    const done = await agent.submit(page, { username: 'ann', password: 'pw-ann' });
    expect(answerOf(done)).toHaveProperty('code');
    expect((await admin.send('PUT', '/admin/realms/shop', { browserFlow: 'browser' })).status).toBe(204);
  });
});

describe('the code of a provider', () => {
  it.each(['plain', 'basic', 'secretJwt', 'keyJwt'])('is redeemed with the authentication of %s', async (alias) => {
    provider.behave(person(`by-${alias.toLowerCase()}`));
    expect(answerOf(await logIn(alias))).toHaveProperty('code');
    const request = provider.seen.findLast(({ path }) => path === '/token');
    if (!request) throw new Error('the code was not redeemed');
    const { form, headers } = request;
    expect(form.get('code_verifier')).toBeTruthy();
    expect(form.get('grant_type')).toBe('authorization_code');
    const assertion = form.get('client_assertion');
    const method = {
      plain: form.get('client_secret') === 'secret-of-the-stand-in',
      basic: String(headers.authorization).startsWith('Basic '),
      secretJwt: assertion !== null && decodeProtectedHeader(assertion).alg === 'HS256',
      keyJwt: assertion !== null && decodeProtectedHeader(assertion).alg === 'RS256',
    };
    const { kid, x5t } = assertion === null ? {} : decodeProtectedHeader(assertion);
    const { keys } = await (await fetch(`${world.server.url}/auth/realms/shop/protocol/openid-connect/certs`)).json();
    // the certificate of the key, if the settings of the provider ask for it
    expect(x5t).toBe(keys.find((key: { kid: string }) => key.kid === kid)?.x5t);
    expect(x5t !== undefined).toBe(alias === 'keyJwt');
    expect(Object.entries(method).flatMap(([name, isUsed]) => (isUsed ? name : []))).toEqual([alias]);
  });
});

describe('a known user', () => {
  it('is brought up to date at each login by a provider that forces it', async () => {
    const rolesOf = async (id: string) =>
      (await world.admin.send('GET', `/admin/realms/shop/users/${id}/role-mappings/realm`)).body.map(
        ({ name }: { name: string }) => name,
      );
    provider.behave(person('sync', { groups: ['bosses'], department: 'sales' }));
    await logIn('forced');
    const first = await shopUser(world, 'sync');
    expect(first).toMatchObject({ firstName: 'sync', attributes: { department: ['sales'] } });
    expect(await rolesOf(first.id)).toContain('boss');
    provider.behave(
      person('sync', { given_name: 'New', email: 'new@op.example', groups: [], department: ['hr', 'it'] }),
    );
    expect(answerOf(await logIn('forced'))).toHaveProperty('code');
    const second = await shopUser(world, 'sync');
    expect(second).toMatchObject({
      id: first.id,
      firstName: 'New',
      email: 'new@op.example',
      attributes: { department: ['hr', 'it'] },
    });
    expect(await rolesOf(first.id)).not.toContain('boss');
    // an address that somebody else has stays as it was
    provider.behave(person('sync', { email: 'ann@example.org', department: 'x' }));
    expect(answerOf(await logIn('forced'))).toHaveProperty('code');
    expect(await shopUser(world, 'sync')).toMatchObject({ email: 'new@op.example', attributes: { department: ['x'] } });
  });

  it('follows the flow of the provider for after its logins', async () => {
    provider.behave(person('coder'));
    const { agent, to } = await sent('coded');
    const page = await arrive(agent, provider.wayBack(to));
    // the code is required, and the user has no device yet
    expect(page.text).toContain('Set up an authenticator app');
    expect(page.text).toContain('name="totp"');
    expect((await shopUser(world, 'coder')).username).toBe('coder');
  });
});

describe('a social provider', () => {
  it('GitHub says who the user is by its API, with the primary address', async () => {
    const agent = agentOf(world.server);
    const login = await agent.get(authorizationUrl('shop', app));
    const { location } = await agent.get(linkOf(login, '/broker/github/login'));
    expect(location).toContain(`${provider.url}/login/oauth/authorize?`);
    provider.behave({
      isForm: true,
      token: { id_token: undefined, access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' },
      documents: {
        '/user': { id: 583231, login: 'octocat', name: 'The Octocat', email: null },
        '/user/emails': [
          { email: 'other@github.example', primary: false, verified: true },
          { email: 'octocat@github.example', primary: true, verified: true },
        ],
      },
    });
    const done = await arrive(agent, provider.wayBack(location ?? ''));
    expect(answerOf(done)).toHaveProperty('code');
    expect(await shopUser(world, 'octocat')).toMatchObject({
      email: 'octocat@github.example',
      emailVerified: true,
      firstName: 'The',
      lastName: 'Octocat',
    });
    expect(provider.seen.at(-1)?.headers.authorization).toBe('Bearer gho_1');
  });

  it('Google counts in the domain that the administrator has entered only', async () => {
    const claims = { sub: 'g1', email: 'gina@corp.example', given_name: 'Gina', family_name: 'G' };
    const answers = (hd: string) => ({ claims: { ...claims, hd }, documents: { '/userinfo': { ...claims, hd } } });
    const { asked } = await sent('google');
    expect(asked).toMatchObject({ scope: 'openid profile email', hd: 'corp.example', access_type: 'offline' });
    provider.behave(answers('else.example'));
    expect((await logIn('google')).text).toContain('You could not be signed in');
    provider.behave(answers('corp.example'));
    expect(answerOf(await logIn('google'))).toHaveProperty('code');
    expect(await shopUser(world, 'gina@corp.example')).toMatchObject({ firstName: 'Gina', emailVerified: false });
  });
});
