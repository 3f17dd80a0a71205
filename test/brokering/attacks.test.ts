// @both-databases
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, linkOf, noticeOf } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { slowClock } from '../support/server.js';
import { measureStatements } from '../support/statements.js';
import { openStandIn, type StandIn } from './stand-in.js';
import { app, arrive, eventsOf, openWorld, shopUser, type World } from './world.js';

let world: World;
let provider: StandIn;

const flow = (alias: string, ...steps: [string, string, string?][]) => ({
  alias,
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions: steps.map(([authenticator, requirement, authenticatorConfig], at) => ({
    authenticator,
    requirement,
    priority: at,
    ...(authenticatorConfig && { authenticatorConfig }),
  })),
});

beforeAll(async () => {
  provider = await openStandIn();
  const config = provider.settings();
  world = await openWorld({
    providers: () => [
      { alias: 'op', providerId: 'oidc', displayName: 'Provider', config },
      { alias: 'forced', providerId: 'oidc', config: { ...config, syncMode: 'FORCE' } },
      { alias: 'auto', providerId: 'oidc', trustEmail: true, firstBrokerLoginFlowAlias: 'auto', config },
      { alias: 'reviewed', providerId: 'oidc', trustEmail: true, firstBrokerLoginFlowAlias: 'reviewed', config },
      { alias: 'unreviewed', providerId: 'oidc', trustEmail: true, firstBrokerLoginFlowAlias: 'unreviewed', config },
    ],
    shop: {
      users: [
        ...shop.users.map((user) => ({ ...user, emailVerified: user.username !== 'bob' })),
        { username: 'todk', email: 'todk@example.org', enabled: true, emailVerified: true },
      ],
      authenticatorConfig: [
        { alias: 'always', config: { 'update.profile.on.first.login': 'on' } },
        { alias: 'never', config: { 'update.profile.on.first.login': 'off' } },
      ],
      authenticationFlows: [
        flow('auto', ['idp-create-user-if-unique', 'ALTERNATIVE'], ['idp-auto-link', 'ALTERNATIVE']),
        flow('reviewed part', ['idp-create-user-if-unique', 'ALTERNATIVE'], ['idp-auto-link', 'ALTERNATIVE']),
        {
          ...flow('reviewed', ['idp-review-profile', 'REQUIRED', 'always']),
          authenticationExecutions: [
            {
              authenticator: 'idp-review-profile',
              requirement: 'REQUIRED',
              priority: 1,
              authenticatorConfig: 'always',
            },
            { flowAlias: 'reviewed part', requirement: 'REQUIRED', priority: 2 },
          ],
        },
        flow('unreviewed', ['idp-review-profile', 'REQUIRED', 'never'], ['idp-create-user-if-unique', 'REQUIRED']),
      ].map((one) => (one.alias === 'reviewed part' ? { ...one, topLevel: false } : one)),
    },
  });
});
beforeEach(() => void provider.behave());

let count = 0;
/** Claims of an account that nobody has had before. */
const account = (more: object = {}) => {
  count += 1;
  const name = `account-${count}`;
  return {
    sub: name,
    preferred_username: name,
    email: `${name}@op.example`,
    given_name: 'A',
    family_name: 'B',
    ...more,
  };
};

async function sent(alias = 'op', parameters: Record<string, string> = {}) {
  const agent = agentOf(world.server);
  const page = await agent.get(authorizationUrl('shop', { ...app, ...parameters }));
  const to = (await agent.get(linkOf(page, `/broker/op/login`).replace('/op/', `/${alias}/`))).location ?? '';
  return { agent, to };
}
async function comeBack(alias = 'op', claims: object = {}) {
  provider.behave({ claims: claims as Record<string, unknown> });
  const { agent, to } = await sent(alias);
  return { agent, page: await arrive(agent, provider.wayBack(to)) };
}
const linksOf = async (username: string) => {
  const { id } = await shopUser(world, username);
  return (await world.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`)).body;
};

const linkRefused =
  'This account cannot be linked automatically. Sign in with your password, or contact an administrator.';
const refused = 'You could not be signed in with Provider. Please try again or choose another way.';

describe('an account', () => {
  it.each([
    ['an ID with a NUL', { sub: 'a\0b' }],
    ['a name with a NUL', { given_name: 'a\0b' }],
    ['half of a surrogate pair', { other: ['\ud800'] }],
    ['a long ID', { sub: 'ab'.repeat(128) }],
    ['no ID', { sub: ' ' }],
  ])('is refused on a page if it has %s', async (_, claims) => {
    const { page } = await comeBack('op', account(claims));
    expect([page.status, noticeOf(page)]).toEqual([200, refused]);
  });

  it('can have texts that look like escapes', async () => {
    const { page } = await comeBack('op', account({ given_name: 'a\\u0000b', family_name: '\u{1f600}' }));
    expect(answerOf(page)).toHaveProperty('code');
  });

  it('leaves no long errors and no control characters in events', async () => {
    const { agent, to } = await sent();
    provider.behave({ tokenStatus: 400, token: { error: `a\0${'y'.repeat(50_000)}` } });
    expect(noticeOf(await agent.get(provider.wayBack(to)))).toBe(refused);
    const [event] = await eventsOf(world, 'LOGIN_ERROR');
    expect(event).toMatchObject({ details: { reason: expect.stringMatching(/^a y+: the code was refused$/) } });
    expect(JSON.stringify(event).length).toBeLessThan(1000);
  });
});

describe('a user who is linked without a question', () => {
  it.each([
    ['a username that is the address of a user', { preferred_username: 'dora@example.org', email: undefined }],
    ['such a username, and an address of its own', { preferred_username: 'dora@example.org' }],
    ['an address that is unverified by a text', { email: 'dora@example.org', email_verified: 'false' }],
    ['an address that is unverified by a number', { email: 'dora@example.org', email_verified: 0 }],
    ['an address that nobody has confirmed at the user', { email: 'bob@example.org' }],
    ['an address that is the same only in lower case', { email: 'tod\u212a@example.org', preferred_username: 'x' }],
  ])('is not found by %s', async (_, claims) => {
    const { page } = await comeBack('auto', account({ email_verified: true, ...claims }));
    expect([page.status, noticeOf(page)]).toEqual([400, linkRefused]);
  });

  it('is not found by a username that somebody has typed', async () => {
    const { agent, page } = await comeBack('reviewed', account({ email_verified: true }));
    const profile = { email: 'typed@op.example', firstName: 'A', lastName: 'B' };
    const done = await agent.submit(page, { username: 'carl', ...profile });
    expect([done.status, noticeOf(done)]).toEqual([400, linkRefused]);
    expect(await linksOf('carl')).toEqual([]);
  });

  it('is found by the username or the address at the provider', async () => {
    expect(answerOf((await comeBack('auto', account({ preferred_username: 'Bob' }))).page)).toHaveProperty('code');
    const named = account({ email: 'Dora@example.org', email_verified: 'true' });
    expect(answerOf((await comeBack('auto', named)).page)).toHaveProperty('code');
  });
});

describe('a user', () => {
  it.each(['service-account-app', 'u'.repeat(256)])(
    'does not get a name that is reserved or too long',
    async (name) => {
      const { page } = await comeBack('unreviewed', account({ preferred_username: name }));
      expect([page.status, noticeOf(page)]).toEqual([400, refused.replace('Provider', 'unreviewed')]);
      expect(await shopUser(world, name)).toBeUndefined();
    },
  );
});

describe('first logins at once', () => {
  it('with one account make one user', async () => {
    const pages = await Promise.all([1, 2, 3].map(() => comeBack('op', account({ sub: 'at-once', family_name: '' }))));
    const profile = { firstName: 'A', lastName: 'B' };
    const done = await Promise.all(
      pages.map(({ agent, page }, at) =>
        agent.submit(page, { username: `once-${at}`, email: `once-${at}@op.example`, ...profile }),
      ),
    );
    expect(done.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
    const made = await world.admin.send('GET', '/admin/realms/shop/users?search=once-');
    expect(made.body).toHaveLength(1);
  });
});

describe('the page of a security key', () => {
  it('is shown whatever is stored of the keys', async () => {
    const data = [
      JSON.stringify({ credentialId: 'aWQ', credentialPublicKey: 'a2V5', transports: [{ toString: 1, valueOf: 1 }] }),
      JSON.stringify({ credentialId: { toString: 1 }, credentialPublicKey: 'a2V5' }),
    ];
    const credentials = data.map((credentialData) => ({ type: 'webauthn', credentialData, secretData: '{}' }));
    await importShop(world.admin, {
      realm: 'keys',
      browserFlow: 'with keys',
      users: [
        { ...shop.users[0], realmRoles: [], credentials: [...(shop.users[0]?.credentials ?? []), ...credentials] },
      ],
      authenticationFlows: [
        flow('with keys', ['auth-username-password-form', 'REQUIRED'], ['webauthn-authenticator', 'REQUIRED']),
      ],
    });
    const agent = agentOf(world.server);
    const login = await agent.get(authorizationUrl('keys', app));
    const page = await agent.submit(login, { username: 'ann', password: 'pw-ann' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('name="credential"');
    for (const answer of [
      '{}',
      '{"id":"aWQ","response":{"clientDataJSON":{}}}',
      '{"id":"aWQ","response":{"userHandle":5}}',
      '[]',
    ])
      expect((await agent.submit(page, { credential: answer })).status).toBe(200);
  });
});

describe('a logout token of somebody else', () => {
  it('takes the same statements, however many providers it is meant for', async () => {
    const providers = ['one', 'two', 'three', 'four', 'five'].map((alias) => ({
      alias,
      providerId: 'oidc',
      config: provider.settings(),
    }));
    const { server } = await openWorld({ providers: () => providers, now: slowClock });
    const path = `${server.url}/auth/realms/shop/protocol/openid-connect/logout/backchannel-logout`;
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const statementsFor = async (claims: object) => {
      const iat = Math.floor(slowClock() / 1000);
      provider.behave({ signsWith: 'foreign', claims: { iat, jti: randomUUID(), events, ...claims } });
      const body = new URLSearchParams({ logout_token: await provider.signed() });
      const { result, statements } = await measureStatements(server, () => fetch(path, { method: 'POST', body }));
      expect(result.status).toBe(400);
      return statements;
    };
    // reads the realm, which is remembered
    await statementsFor({ aud: 'nobody' });
    // a token without an ID is refused before the providers are read
    expect(await statementsFor({ aud: 'nobody', jti: null })).toBe(0);
    expect(await statementsFor({ aud: 'nobody' })).toBe(1);
    expect(await statementsFor({ aud: 'client-of-the-stand-in' })).toBe(1);
    expect(provider.seen.at(-1)?.path).toBe('/jwks');
  });
});
