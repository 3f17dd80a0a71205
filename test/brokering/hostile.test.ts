import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, linkOf, noticeOf } from '../login/agent.js';
import { openStandIn, type StandIn } from './stand-in.js';
import { app, arrive, eventsOf, openWorld, shopUser, type World } from './world.js';

let world: World;
let provider: StandIn;

beforeAll(async () => {
  provider = await openStandIn();
  world = await openWorld({
    providers: () => [
      { alias: 'op', providerId: 'oidc', displayName: 'Provider', config: provider.settings() },
      { alias: 'second', providerId: 'oidc', config: provider.settings() },
      {
        alias: 'trusted',
        providerId: 'oidc',
        trustEmail: true,
        firstBrokerLoginFlowAlias: 'auto',
        config: provider.settings(),
      },
      { alias: 'doubted', providerId: 'oidc', firstBrokerLoginFlowAlias: 'auto', config: provider.settings() },
    ],
    shop: {
      authenticationFlows: [
        {
          alias: 'auto',
          providerId: 'basic-flow',
          topLevel: true,
          builtIn: false,
          authenticationExecutions: [
            { authenticator: 'idp-create-user-if-unique', requirement: 'ALTERNATIVE', priority: 10 },
            { authenticator: 'idp-auto-link', requirement: 'ALTERNATIVE', priority: 20 },
          ],
        },
      ],
    },
  });
});
beforeEach(() => void provider.behave());

const person = { preferred_username: 'newt', email: 'newt@op.example', given_name: 'Newt', family_name: 'Comer' };

/** Sends a browser to the provider, and returns it with the address that it was sent to. */
async function sent(alias = 'op', parameters: Record<string, string> = {}) {
  const agent = agentOf(world.server);
  const page = await agent.get(authorizationUrl('shop', { ...app, ...parameters }));
  const to = (await agent.get(linkOf(page, `/broker/${alias}/login`))).location ?? '';
  return { agent, to };
}
async function comeBack(alias = 'op', more: Record<string, string> = {}) {
  const { agent, to } = await sent(alias);
  return { agent, page: await arrive(agent, provider.wayBack(to, more)) };
}
const failure = 'You could not be signed in with Provider. Please try again or choose another way.';

describe('an answer of a provider', () => {
  it.each([
    ['is signed by somebody else', { signsWith: 'foreign' }],
    ['is not signed', { token: { id_token: `${btoa('{"alg":"none"}')}.${btoa('{"sub":"sub-1"}')}.` } }],
    ['has another algorithm', { header: { alg: 'RS256', typ: 'JWT' }, claims: { aud: 'somebody else' } }],
    [
      'is for several clients without saying which',
      { claims: { aud: ['client-of-the-stand-in', 'other'], azp: 'other' } },
    ],
    ['is of another issuer', { claims: { iss: 'https://op.example' } }],
    ['has no nonce', { claims: { nonce: null } }],
    ['has the nonce of another login', { claims: { nonce: 'x' } }],
    ['has expired', { claims: { exp: 1000 } }],
    ['has no subject', { claims: { sub: null } }],
    ['has no ID token', { token: { id_token: undefined } }],
    ['is an error', { tokenStatus: 400, token: { error: 'invalid_grant', error_description: '<b>bold</b>' } }],
    ['says too much', { claims: { ...person, more: 'x'.repeat(70_000) } }],
  ] as const)('leads back to the login page if its token %s', async (_, change) => {
    provider.behave({ claims: person, ...change });
    const { page } = await comeBack();
    expect([page.status, noticeOf(page)]).toEqual([200, failure]);
    expect(page.text).not.toContain('bold');
    expect(await shopUser(world, 'newt')).toBeUndefined();
  });

  it('is refused if the profile is of another user', async () => {
    provider.behave({ claims: person, documents: { '/userinfo': { ...person, sub: 'other' } } });
    const [{ internalId, ...instance }] = (
      await world.admin.send('GET', '/admin/realms/shop/identity-provider/instances')
    ).body;
    const config = {
      ...instance.config,
      clientSecret: 'secret-of-the-stand-in',
      userInfoUrl: `${provider.url}/userinfo`,
    };
    const path = '/admin/realms/shop/identity-provider/instances/op';
    expect((await world.admin.send('PUT', path, { ...instance, internalId, config })).status).toBe(204);
    expect(noticeOf((await comeBack()).page)).toBe(failure);
    expect((await world.admin.send('PUT', path, { ...instance, internalId, config: provider.settings() })).status).toBe(
      204,
    );
  });

  it('shows nothing of what the provider says about an error, and counts once', async () => {
    const { agent, to } = await sent();
    const back = provider.wayBack(to, {
      code: '',
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
    });
    const page = await agent.get(back);
    expect(noticeOf(page)).toBe('You were not signed in with Provider, because access was denied there.');
    expect(page.text).not.toContain('alert(1)');
    expect((await agent.get(back)).status).toBe(400);
    const [event] = await eventsOf(world, 'LOGIN_ERROR');
    expect(event).toMatchObject({ error: 'rejected_by_user', details: { identity_provider: 'op' } });
  });

  it('counts in the browser and for the login that it belongs to, at the address of its provider', async () => {
    provider.behave({ claims: person });
    const { agent, to } = await sent();
    const back = provider.wayBack(to);
    expect((await agentOf(world.server).get(back)).status).toBe(400);
    const other = await sent();
    const mixed = new URL(back);
    mixed.searchParams.set('state', new URL(other.to).searchParams.get('state') ?? '');
    expect((await agent.get(mixed.href)).status).toBe(400);
    expect((await agent.get(back.replace('/broker/op/', '/broker/second/'))).status).toBe(400);
    // RFC 9207
    expect(noticeOf((await comeBack('op', { iss: 'https://attacker.example' })).page)).toBe(failure);
    expect(await shopUser(world, 'newt')).toBeUndefined();
    const done = await agent.get(back);
    expect(answerOf(done)).toHaveProperty('code');
    expect((await agent.get(back)).status).toBe(400);
  });
});

describe('an existing user', () => {
  it('is linked without a question only by an address that the provider vouches for', async () => {
    const dora = { sub: 'dora', preferred_username: 'dora-elsewhere', email: 'dora@example.org' };
    provider.behave({ claims: { ...dora, email_verified: true } });
    expect((await comeBack('doubted')).page.status).toBe(400);
    provider.behave({ claims: { ...dora, email_verified: false } });
    expect((await comeBack('trusted')).page.status).toBe(400);
    provider.behave({ claims: { ...dora, email_verified: true } });
    // somebody may have signed up with the address of another one
    expect((await comeBack('trusted')).page.status).toBe(400);
    const { id } = await shopUser(world, 'dora');
    await world.admin.send('PUT', `/admin/realms/shop/users/${id}`, { emailVerified: true });
    expect(answerOf((await comeBack('trusted')).page)).toHaveProperty('code');
  });

  it('is not linked without a question if it administers the realm', async () => {
    const { id } = await shopUser(world, 'eve');
    const [client] = (await world.admin.send('GET', '/admin/realms/shop/clients?clientId=realm-management')).body;
    const role = (await world.admin.send('GET', `/admin/realms/shop/clients/${client.id}/roles/view-users`)).body;
    const path = `/admin/realms/shop/users/${id}/role-mappings/clients/${client.id}`;
    expect((await world.admin.send('POST', path, [role])).status).toBe(204);
    provider.behave({
      claims: { sub: 'eve', preferred_username: 'eve', email: 'eve@example.org', email_verified: true },
    });
    expect((await comeBack('trusted')).page.status).toBe(400);
    expect((await world.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`)).body).toEqual([]);
  });

  it('who is disabled or locked is not let in by a link', async () => {
    provider.behave({ claims: { ...person, sub: 'sub-1' } });
    const user = await shopUser(world, 'newt');
    const path = `/admin/realms/shop/users/${user.id}`;
    expect((await world.admin.send('PUT', path, { enabled: false })).status).toBe(204);
    const { page } = await comeBack();
    expect([page.status, noticeOf(page)]).toEqual([400, 'This account is disabled. Contact an administrator.']);
    expect((await world.admin.send('PUT', path, { enabled: true })).status).toBe(204);
    expect(answerOf((await comeBack()).page)).toHaveProperty('code');
  });
});

describe('a logout token', () => {
  it('ends sessions once', async () => {
    const claims = { ...person, preferred_username: 'lea', email: 'lea@op.example', sub: 'lea' };
    const logIn = async () => {
      provider.behave({ claims });
      return answerOf((await comeBack('trusted')).page).session_state;
    };
    await logIn();
    const { id } = await shopUser(world, 'lea');
    const sessions = async () => (await world.admin.send('GET', `/admin/realms/shop/users/${id}/sessions`)).body.length;
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    provider.behave({ claims: { sub: 'lea', jti: 'once', events } });
    const body = new URLSearchParams({ logout_token: await provider.signed() });
    const address = `${world.server.url}/auth/realms/shop/protocol/openid-connect/logout/backchannel-logout`;
    const send = async () => (await fetch(address, { method: 'POST', body })).status;
    expect(await send()).toBe(200);
    expect(await sessions()).toBe(0);
    await logIn();
    expect(await send()).toBe(400);
    expect(await sessions()).toBe(1);
  });
});

describe('a provider', () => {
  it('that is disabled during a login does not end it', async () => {
    const path = '/admin/realms/shop/identity-provider/instances/op';
    provider.behave({ claims: { sub: 'late', preferred_username: 'late', email: 'late@op.example' } });
    const { agent, page } = await comeBack('op');
    const { body } = await world.admin.send('GET', path);
    await world.admin.send('PUT', path, { ...body, enabled: false });
    const typed = { username: 'late', email: 'late@op.example', firstName: 'La', lastName: 'Te' };
    expect((await agent.submit(page, typed)).status).toBe(400);
    await world.admin.send('PUT', path, { ...body, enabled: true });
    expect(await shopUser(world, 'late')).toBeUndefined();
  });
});

describe('an account that administrators have linked with two users', () => {
  it('logs nobody in', async () => {
    for (const username of ['ann', 'bob']) {
      const { id } = await shopUser(world, username);
      const path = `/admin/realms/shop/users/${id}/federated-identity/op`;
      const link = { userId: 'shared', userName: 'shared' };
      expect((await world.admin.send('POST', path, link)).status).toBe(204);
    }
    provider.behave({ claims: { ...person, sub: 'shared' } });
    const { page } = await comeBack('op');
    expect([page.status, noticeOf(page)]).toEqual([200, failure]);
    const [event] = await eventsOf(world, 'LOGIN_ERROR');
    expect(event).toMatchObject({ details: { reason: 'the account is linked with several users' } });
  });
});
