// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { arrive, corporate, loginAtProvider, openWorld, person } from '../brokering/world.js';
import { agentOf, linkOf, type Page } from '../login/agent.js';
import { shop } from '../login/realm.js';
import { certificateOf, formOf, keyPair, logoutConsumer, providerOf, samlClient, type World } from './world.js';

let world: World;

beforeAll(async () => {
  const keys = await keyPair();
  const opened = await openWorld({
    people: [person('pia')],
    providers: (server) => [
      { alias: 'corp', providerId: 'keycloak-oidc', trustEmail: true, config: corporate(server) },
    ],
    shop: { clients: [...shop.clients, samlClient(keys, { clientId: 'sp' })] },
  });
  world = { ...opened, keys, certificate: await certificateOf(opened.server) };
});

it('a login with an identity provider ends at a SAML client, and its logout at both', async () => {
  const provider = providerOf(world, 'sp');
  const agent = agentOf(world.server);
  const upstream = agentOf(world.server);
  const begun = await agent.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
  const to = await agent.get(linkOf(begun, '/broker/corp/login'));
  const page = await arrive(agent, await loginAtProvider(world, { username: 'pia', upstream }, to));
  const { profile } = await provider.validatePostResponseAsync(formOf(page).fields);
  expect(profile).toMatchObject({ nameID: 'pia' });
  if (!profile) throw new Error('nobody is logged in');

  const out = await agent.get(await provider.getLogoutUrlAsync(profile, 'done', {}));
  expect(out.location).toContain('/realms/corp/protocol/openid-connect/logout?');
  let back: Page = await upstream.get(out.location ?? '');
  for (let step = 0; back.location && step < 5; step += 1) back = await agent.get(back.location);
  expect(formOf(back)).toMatchObject({ action: logoutConsumer, fields: { RelayState: 'done' } });
  // the way back counts once
  expect(back.url).toContain('/protocol/saml/continue?key=');
  expect((await agent.get(back.url)).text).toContain('You are logged out');
});
