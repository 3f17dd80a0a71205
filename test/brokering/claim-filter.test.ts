import { beforeAll, beforeEach, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, noticeOf } from '../login/agent.js';
import { openStandIn, type StandIn } from './stand-in.js';
import { app, arrive, openWorld, shopUser, type World } from './world.js';

let world: World;
let provider: StandIn;

beforeAll(async () => {
  provider = await openStandIn();
  const filtered = (alias: string, config: Record<string, string>) => ({
    alias,
    providerId: 'oidc',
    config: provider.settings({ filteredByClaim: 'true', ...config }),
  });
  world = await openWorld({
    providers: () => [
      filtered('groups', { claimFilterName: 'groups', claimFilterValue: 'staff|chiefs' }),
      filtered('nested', { claimFilterName: 'company.unit', claimFilterValue: 'sales-.*' }),
      filtered('unnamed', { claimFilterValue: '.*' }),
      filtered('unreadable', { claimFilterName: 'groups', claimFilterValue: '(' }),
      filtered('off', { filteredByClaim: 'false', claimFilterName: 'groups', claimFilterValue: 'staff' }),
    ],
  });
});
beforeEach(() => void provider.behave());

async function logIn(alias: string, name: string, claims: object) {
  provider.behave({
    claims: {
      sub: `${alias} ${name}`,
      preferred_username: name,
      email: `${name}@op.example`,
      given_name: name,
      family_name: 'Comer',
      ...claims,
    },
  });
  const agent = agentOf(world.server);
  const { location } = await agent.get(authorizationUrl('shop', { ...app, kc_idp_hint: alias }));
  return arrive(agent, provider.wayBack(location ?? ''));
}

it.each([
  ['groups', 'one-of-several', { groups: ['guests', 'staff'] }],
  ['groups', 'the-only-one', { groups: 'chiefs' }],
  ['nested', 'seller', { company: { unit: 'sales-north' } }],
  ['off', 'anybody', {}],
])('lets in an account with the claim: %s, %s', async (alias, name, claims) => {
  expect(answerOf(await logIn(alias, name, claims)).code).toBeTruthy();
});

it.each([
  ['groups', 'without', {}],
  ['groups', 'other', { groups: ['guests'] }],
  ['groups', 'longer', { groups: ['staff-of-others'] }],
  ['groups', 'empty', { groups: [] }],
  ['nested', 'flat', { 'company.unit': 'sales-north' }],
  ['unnamed', 'unnamed', { groups: ['staff'] }],
  ['unreadable', 'unreadable', { groups: ['staff'] }],
])('lets in no other account, and makes no user: %s, %s', async (alias, name, claims) => {
  const page = await logIn(alias, name, claims);
  expect(noticeOf(page)).toContain('You could not be signed in');
  expect(await shopUser(world, name)).toBeUndefined();
});
