// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person } from '../brokering/world.js';
import { authorizationUrl } from '../login/agent.js';
import { callback } from '../login/realm.js';
import { follow, logInWith, openWorld, type World } from './world.js';

// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of mappers
const nameId = '${NAMEID}';
let world: World;
let later = 0;

beforeAll(async () => {
  const redirects = { postBindingResponse: 'true', postBindingAuthnRequest: 'false', postBindingLogout: 'false' };
  world = await openWorld({
    now: () => Date.now() + later,
    people: ['rita', 'quin', 'bert', 'rosa', 'ella'].map((name) => person(name)),
    providers: {
      post: {},
      redirect: redirects,
      quiet: { backchannelSupported: 'true' },
      renamed: {},
      byAttribute: { principalType: 'ATTRIBUTE', principalAttribute: 'email' },
    },
    clients: { redirect: { 'saml.force.post.binding': 'true' } },
    protocolMappers: [
      {
        name: 'email',
        protocol: 'saml',
        protocolMapper: 'saml-user-property-mapper',
        config: { 'user.attribute': 'email', 'attribute.name': 'email' },
      },
    ],
    mappers: [
      ...['post', 'redirect', 'quiet', 'byAttribute', 'renamed'].map((identityProviderAlias) => ({
        name: 'names',
        identityProviderAlias,
        identityProviderMapper: 'saml-user-attribute-idp-mapper',
        config: { 'attribute.name': 'email', 'user.attribute': 'email' },
      })),
      {
        name: 'id',
        identityProviderAlias: 'renamed',
        identityProviderMapper: 'saml-username-idp-mapper',
        config: { template: `corp-${nameId}`, target: 'BROKER_ID' },
      },
    ],
  });
  for (const [flow, execution] of [['first broker login', 'idp-review-profile']]) {
    const path = `/admin/realms/shop/authentication/flows/${encodeURIComponent(flow ?? '')}/executions`;
    const { body } = await world.admin.send('GET', path);
    const step = body.find(({ providerId }: { providerId: string }) => providerId === execution);
    await world.admin.send('PUT', path, { ...step, requirement: 'DISABLED' });
  }
});
afterAll(() => world?.server.close());

const sessionsOf = async (realm: string, username: string): Promise<number> => {
  const [user] = (await world.admin.send('GET', `/admin/realms/${realm}/users?username=${username}&exact=true`)).body;
  return (await world.admin.send('GET', `/admin/realms/${realm}/users/${user.id}/sessions`)).body.length;
};

describe('a logout', () => {
  it.each([
    ['post', 'pia'],
    ['redirect', 'rita'],
    ['quiet', 'quin'],
  ])('here ends the session at the provider, too (%s)', async (alias, username) => {
    const { browser, page } = await logInWith(world, alias, { username });
    expect(page.location).toContain('code=');
    expect([await sessionsOf('corp', username), await sessionsOf('shop', username)]).toEqual([1, 1]);
    const confirm = await browser.shop.get('/auth/realms/shop/protocol/openid-connect/logout');
    const out = await follow(browser, await browser.shop.submit(confirm, { confirm: 'yes', ...hidden(confirm.text) }));
    expect(out.text).toContain('You are logged out');
    expect([await sessionsOf('corp', username), await sessionsOf('shop', username)]).toEqual([0, 0]);
  });

  it.each([
    ['post', 'pia'],
    ['renamed', 'rosa'],
    ['byAttribute', 'bert'],
  ])('at the provider ends the session here (%s)', async (alias, username) => {
    const { browser, page } = await logInWith(world, alias, { username });
    expect(page.location).toContain('code=');
    const confirm = await browser.corp.get('/auth/realms/corp/protocol/openid-connect/logout');
    await follow(browser, await browser.corp.submit(confirm, hidden(confirm.text)));
    const [user] = (await world.admin.send('GET', `/admin/realms/shop/users?email=${username}@corp.example`)).body;
    expect([await sessionsOf('corp', username), await sessionsOf('shop', user.username)]).toEqual([0, 0]);
  });

  it('comes with the end of the session at the provider, if that says when it ends', async () => {
    const corp = '/admin/realms/corp';
    await world.admin.send('PUT', corp, { ssoSessionMaxLifespan: 600 });
    const { browser, page } = await logInWith(world, 'post', { username: 'ella' });
    const code = new URL(page.location ?? '').searchParams.get('code') ?? '';
    const body = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: callback, code };
    const tokens = await fetch(`${world.server.url}/auth/realms/shop/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    const { refresh_expires_in: left } = (await tokens.json()) as { refresh_expires_in: number };
    expect(left).toBeGreaterThan(500);
    expect(left).toBeLessThanOrEqual(600);
    expect(await sessionsOf('shop', 'ella')).toBe(1);
    const silent = authorizationUrl('shop', { client_id: 'app', redirect_uri: callback, prompt: 'none' });
    expect((await browser.shop.get(silent)).location).toContain('code=');
    later += 601_000;
    expect(await sessionsOf('shop', 'ella')).toBe(0);
    expect((await browser.shop.get(silent)).location).toContain('login_required');
  });
});

/** The hidden fields of a form. */
const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
