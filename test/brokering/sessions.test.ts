// @both-databases
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Agent, agentOf, answerOf, authorizationUrl, type Page, token } from '../login/agent.js';
import { callback } from '../login/realm.js';
import { callerWith } from '../support/fixture.js';
import {
  app,
  corporate,
  eventsOf,
  logInWith,
  loginAtProvider,
  openWorld,
  person,
  shopUser,
  type World,
} from './world.js';

let world: World;
const backChannel = 'protocol/openid-connect/logout/backchannel-logout';

beforeAll(async () => {
  world = await openWorld({
    people: ['nina', 'olaf', 'pia', 'quin', 'rosa'].map((name) => person(name)),
    shop: {
      roles: { client: { broker: [{ name: 'read-token' }] } },
    },
    providers: (server) => [
      {
        alias: 'corp',
        providerId: 'oidc',
        storeToken: true,
        addReadTokenRoleOnCreate: true,
        config: corporate(server),
      },
      { alias: 'other', providerId: 'oidc', config: corporate(server) },
    ],
  });
  const { admin, server } = world;
  const role = (await admin.send('GET', '/admin/realms/shop/roles/default-roles-shop')).body;
  for (const username of ['bob', 'carl']) {
    const path = `/admin/realms/shop/users/${(await shopUser(world, username)).id}/role-mappings/realm`;
    expect((await admin.send('POST', path, [role])).status).toBe(204);
  }
  const [client] = (await admin.send('GET', '/admin/realms/corp/clients?clientId=broker')).body;
  const attributes = {
    'backchannel.logout.url': `${server.url}/auth/realms/shop/${backChannel}`,
    'post.logout.redirect.uris': '+',
  };
  expect((await admin.send('PUT', `/admin/realms/corp/clients/${client.id}`, { ...client, attributes })).status).toBe(
    204,
  );
});

const tokensOf = async (page: Page) => {
  const { code = '' } = answerOf(page);
  const { body } = await token(world.server, 'shop', { grant_type: 'authorization_code', ...app, code });
  return body;
};
const sessionsOf = async (username: string): Promise<object[]> => {
  const { id } = await shopUser(world, username);
  return (await world.admin.send('GET', `/admin/realms/shop/users/${id}/sessions`)).body;
};

const signedIn = async (username: string): Promise<{ agent: Agent; page: Page; sid: string }> => {
  const agent = agentOf(world.server);
  const form = await agent.get(authorizationUrl('shop', app));
  const page = await agent.submit(form, { username, password: `pw-${username}` });
  return { agent, page, sid: answerOf(page).session_state ?? '' };
};

describe('the tokens of a provider that stores them', () => {
  it('are given to clients with the role for it, and not to others', async () => {
    const { page } = await logInWith(world, { username: 'nina' });
    const { access_token = '' } = await tokensOf(page);
    const caller = callerWith(world.server, access_token);
    const { status, body } = await caller.send('GET', '/realms/shop/broker/corp/token');
    expect(status).toBe(200);
    expect(body).toMatchObject({ access_token: expect.any(String), id_token: expect.any(String) });
    expect(body.access_token).not.toBe(access_token);
    expect((await caller.send('GET', '/realms/shop/broker/other/token')).status).toBe(400);
    // the token still names the role when the user has lost it
    const { id } = await shopUser(world, 'nina');
    const [broker] = (await world.admin.send('GET', '/admin/realms/shop/clients?clientId=broker')).body;
    const roles = `/admin/realms/shop/users/${id}/role-mappings/clients/${broker.id}`;
    const held = (await world.admin.send('GET', roles)).body;
    expect((await world.admin.send('DELETE', roles, held)).status).toBe(204);
    expect((await caller.send('GET', '/realms/shop/broker/corp/token')).status).toBe(403);
    const stranger = callerWith(world.server, (await tokensOf((await signedIn('ann')).page)).access_token ?? '');
    expect(await stranger.send('GET', '/realms/shop/broker/corp/token')).toMatchObject({
      status: 403,
      body: { errorMessage: expect.stringContaining('not authorized') },
    });
    const nobody = await fetch(`${world.server.url}/auth/realms/shop/broker/corp/token`);
    expect(nobody.status).toBe(401);
    expect(await eventsOf(world, 'IDENTITY_PROVIDER_RETRIEVE_TOKEN')).toEqual([]);
  });

  it('follow the link of the user: they are renamed and deleted with it', async () => {
    const { admin, server } = world;
    const stored = () => server.services.database.read.federatedToken.findMany({ select: { identityProvider: true } });
    await logInWith(world, { username: 'pia' });
    const { id } = await shopUser(world, 'pia');
    const before = (await stored()).length;
    expect(before).toBeGreaterThan(0);
    const path = '/admin/realms/shop/identity-provider/instances';
    const { config: _, ...provider } = (await admin.send('GET', `${path}/corp`)).body;
    const change = (from: string, to: string) =>
      admin.send('PUT', `${path}/${from}`, { ...provider, alias: to, config: corporate(server) });
    expect((await change('corp', 'renamed')).status).toBe(204);
    expect(new Set((await stored()).map(({ identityProvider }) => identityProvider))).toEqual(new Set(['renamed']));
    expect((await change('renamed', 'corp')).status).toBe(204);
    expect((await admin.send('DELETE', `/admin/realms/shop/users/${id}/federated-identity/corp`)).status).toBe(204);
    expect(await stored()).toHaveLength(before - 1);
    expect((await admin.send('DELETE', `/admin/realms/shop/users/${id}`)).status).toBe(204);
  });
});

describe('a logout', () => {
  it('tells the provider no more than the settings allow', async () => {
    const path = '/admin/realms/shop/identity-provider/instances/corp';
    const { body: provider } = await world.admin.send('GET', path);
    const { page, agent } = await logInWith(world, { username: 'nina' });
    const { id_token = '' } = await tokensOf(page);
    const config = { ...provider.config, sendIdTokenOnLogout: 'false', sendClientIdOnLogout: 'false' };
    expect((await world.admin.send('PUT', path, { ...provider, config })).status).toBe(204);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: callback });
    const { location } = await agent.get(`/auth/realms/shop/protocol/openid-connect/logout?${query}`);
    const asked = [...new URL(location ?? '').searchParams.keys()].toSorted();
    expect(asked).toEqual(['post_logout_redirect_uri', 'state']);
    expect((await world.admin.send('PUT', path, provider)).status).toBe(204);
  });

  it('ends the session at the provider too, and comes back', async () => {
    const upstream = agentOf(world.server);
    const { agent, page } = await logInWith(world, { username: 'olaf', upstream });
    const { id_token = '' } = await tokensOf(page);
    const logout = `/auth/realms/shop/protocol/openid-connect/logout?${new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: callback, state: 'st' })}`;
    const sent = await agent.get(logout);
    expect(sent.location).toContain('/auth/realms/corp/protocol/openid-connect/logout?');
    expect(await sessionsOf('olaf')).toEqual([]);
    const back = await upstream.get(sent.location ?? '');
    expect(back.location).toContain('/broker/corp/endpoint/logout_response?');
    const done = await agent.get(back.location ?? '');
    expect(done.location).toBe(`${callback}?state=st`);
    // an answer counts once
    expect((await agent.get(back.location ?? '')).location).toBeNull();
    const users = (await world.admin.send('GET', '/admin/realms/corp/users?username=olaf')).body;
    expect((await world.admin.send('GET', `/admin/realms/corp/users/${users[0].id}/sessions`)).body).toEqual([]);
  });

  it('by the provider ends the sessions that began there', async () => {
    await logInWith(world, { username: 'pia' });
    expect(await sessionsOf('pia')).toHaveLength(1);
    const [user] = (await world.admin.send('GET', '/admin/realms/corp/users?username=pia')).body;
    expect((await world.admin.send('POST', `/admin/realms/corp/users/${user.id}/logout`)).status).toBe(204);
    await expect.poll(() => sessionsOf('pia')).toEqual([]);
  });

  it('is refused with a token that the provider has not signed', async () => {
    const { page } = await logInWith(world, { username: 'quin' });
    const { id_token = '' } = await tokensOf(page);
    for (const text of ['', 'x.y.z', id_token]) {
      const response = await fetch(`${world.server.url}/auth/realms/shop/${backChannel}`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: text }),
      });
      expect([text.slice(0, 5), response.status]).toEqual([text.slice(0, 5), 400]);
    }
    expect(await sessionsOf('quin')).toHaveLength(1);
  });
});

describe('a link at the request of a client', () => {
  const linkAddress = (sid: string, more: Record<string, string> = {}) => {
    const hash = createHash('sha256').update(`n${sid}appother`).digest('base64url');
    return `/auth/realms/shop/broker/other/link?${new URLSearchParams({ ...app, nonce: 'n', hash, ...more })}`;
  };

  it('links the user of the session to the account', async () => {
    const { agent, sid } = await signedIn('carl');
    const to = await agent.get(linkAddress(sid));
    const back = await loginAtProvider(world, { alias: 'other', username: 'rosa' }, to);
    const done = await agent.get(back);
    expect(done.location).toBe(callback);
    const { id } = await shopUser(world, 'carl');
    const links = (await world.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`)).body;
    expect(links).toMatchObject([{ identityProvider: 'other', userName: 'rosa' }]);
    // the account is now a way to log in as the user
    const login = await logInWith(world, { alias: 'other', username: 'rosa' });
    expect((await tokensOf(login.page)).access_token).toBeTruthy();
    expect(await eventsOf(world, 'FEDERATED_IDENTITY_LINK')).toMatchObject([{ userId: id }]);
    // and of nobody else
    const second = await signedIn('bob');
    const other = await second.agent.get(linkAddress(second.sid));
    const taken = await second.agent.get(await loginAtProvider(world, { alias: 'other', username: 'rosa' }, other));
    expect(taken.location).toBe(`${callback}?link_error=identity_provider_already_linked`);
  });

  it('is refused to those who do not know the session, and goes to no other address', async () => {
    const { agent, sid } = await signedIn('carl');
    expect((await agent.get(linkAddress(sid, { hash: 'x' }))).location).toBe(`${callback}?link_error=invalid_token`);
    expect((await agentOf(world.server).get(linkAddress(sid))).location).toBe(`${callback}?link_error=not_logged_in`);
    expect((await agent.get(linkAddress(sid, { redirect_uri: 'http://evil.example/' }))).status).toBe(400);
    const second = await agent.get(linkAddress(sid, { client_id: 'second' }));
    expect(second.location).toBe(`${callback}?link_error=not_logged_in`);
  });
});
