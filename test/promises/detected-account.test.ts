import { beforeAll, expect, it } from 'vitest';
import { corporate, logInWith, openWorld, person, shopUser, type World } from '../brokering/world.js';
import { answerOf } from '../login/agent.js';

let world: World;

beforeAll(async () => {
  const steps = ['idp-detect-existing-broker-user', 'idp-auto-link'];
  const executions = steps.map((authenticator, priority) => ({ authenticator, priority, requirement: 'REQUIRED' }));
  const flow = { providerId: 'basic-flow', topLevel: true, builtIn: false, authenticationExecutions: executions };
  world = await openWorld({
    people: [person('ann', { email: 'ann@example.org' }), person('zoe')],
    providers: (server) => [
      {
        alias: 'corp',
        providerId: 'oidc',
        trustEmail: true,
        firstBrokerLoginFlowAlias: 'known users',
        config: corporate(server),
      },
    ],
    shop: { authenticationFlows: [{ ...flow, alias: 'known users' }] },
  });
});

it('a flow that looks for an account lets users in who have one, and makes none', async () => {
  const { page } = await logInWith(world, { username: 'ann' });
  expect(answerOf(page)).toHaveProperty('code');
  const { page: refused } = await logInWith(world, { username: 'zoe' });
  expect([refused.status, refused.location]).toEqual([400, null]);
  expect(await shopUser(world, 'zoe')).toBeUndefined();
});
