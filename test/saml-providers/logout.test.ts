// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person } from '../brokering/world.js';
import { follow, logInWith, openWorld, type World } from './world.js';

let world: World;

beforeAll(async () => {
  const redirects = { postBindingResponse: 'true', postBindingAuthnRequest: 'false', postBindingLogout: 'false' };
  world = await openWorld({
    people: ['rita', 'quin', 'bert'].map((name) => person(name)),
    providers: {
      post: {},
      redirect: redirects,
      quiet: { backchannelSupported: 'true' },
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
    mappers: ['post', 'redirect', 'quiet', 'byAttribute'].map((identityProviderAlias) => ({
      name: 'names',
      identityProviderAlias,
      identityProviderMapper: 'saml-user-attribute-idp-mapper',
      config: { 'attribute.name': 'email', 'user.attribute': 'email' },
    })),
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

  it('at the provider ends the session here', async () => {
    const { browser, page } = await logInWith(world, 'post');
    expect(page.location).toContain('code=');
    const confirm = await browser.corp.get('/auth/realms/corp/protocol/openid-connect/logout');
    await follow(browser, await browser.corp.submit(confirm, hidden(confirm.text)));
    expect([await sessionsOf('corp', 'pia'), await sessionsOf('shop', 'pia')]).toEqual([0, 0]);
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
