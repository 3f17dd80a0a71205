import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl } from '../login/agent.js';
import { openStandIn, type StandIn } from './stand-in.js';
import { app, arrive, corporate, logInWith, openWorld, person, shopUser, type World } from './world.js';

// The claims of an account at a provider in its access token, and the name of the account.
let world: World;
let provider: StandIn;

beforeAll(async () => {
  provider = await openStandIn();
  world = await openWorld({
    people: ['zoe', 'yan', 'xia'].map((name) => person(name, { realmRoles: [`role-of-${name}`] })),
    corp: { roles: { realm: ['zoe', 'yan', 'xia'].map((name) => ({ name: `role-of-${name}` })) } },
    providers: (server) => {
      const corp = (alias: string, config: Record<string, string>) => ({
        alias,
        providerId: 'oidc',
        config: corporate(server, config),
      });
      return [
        corp('reading', { isAccessTokenJWT: 'true' }),
        corp('usual', {}),
        ...['opaque', 'kept', 'lowered'].map((alias) => ({
          alias,
          providerId: 'oidc',
          config: provider.settings({
            ...(alias === 'opaque' && { isAccessTokenJWT: 'true' }),
            ...(alias !== 'opaque' && { caseSensitiveOriginalUsername: String(alias === 'kept') }),
          }),
        })),
      ];
    },
    mappers: ['reading', 'usual'].map((identityProviderAlias) => ({
      name: 'roles',
      identityProviderAlias,
      identityProviderMapper: 'oidc-user-attribute-idp-mapper',
      config: { claim: 'realm_access.roles', 'user.attribute': 'theirs', syncMode: 'INHERIT' },
    })),
  });
});

describe('mappers', () => {
  it('read the access token of a provider that is set to send claims in it', async () => {
    const { page } = await logInWith(world, { alias: 'reading', username: 'zoe' }, undefined, {
      kc_idp_hint: 'reading',
    });
    expect(answerOf(page)).toHaveProperty('code');
    expect((await shopUser(world, 'zoe')).attributes.theirs).toContain('role-of-zoe');
  });

  it('do not read that of others', async () => {
    await logInWith(world, { alias: 'usual', username: 'yan' }, undefined, { kc_idp_hint: 'usual' });
    expect(await shopUser(world, 'yan')).not.toHaveProperty('attributes.theirs');
  });
});

/** Logs in at the stand-in as the account of this name. */
async function comeFrom(alias: string, name: string) {
  const { agent, to } = await sentTo(alias);
  provider.behave({
    claims: { sub: name, preferred_username: name, email: `${name}@op.example`, given_name: name, family_name: 'C' },
  });
  return arrive(agent, provider.wayBack(to));
}
async function sentTo(alias: string) {
  const agent = agentOf(world.server);
  const page = await agent.get(authorizationUrl('shop', { ...app, kc_idp_hint: alias }));
  return { agent, to: page.location ?? '' };
}

it('an access token that is no JWT is refused, if the provider is set to send one', async () => {
  expect((await comeFrom('opaque', 'Wim')).text).toContain('You could not be signed in');
  expect(await shopUser(world, 'wim')).toBeUndefined();
});

it.each([
  ['kept', 'Vera'],
  ['lowered', 'uwe'],
])('the name of the account in the list of links is %s', async (alias, expected) => {
  const name = alias === 'kept' ? 'Vera' : 'Uwe';
  expect(answerOf(await comeFrom(alias, name))).toHaveProperty('code');
  const { id } = await shopUser(world, name.toLowerCase());
  const { body } = await world.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`);
  expect(body).toEqual([{ identityProvider: alias, userId: name, userName: expected }]);
});
