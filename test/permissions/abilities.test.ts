import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import type { Caller } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { type AbleRealm, type AbleType, able, makeAbleRealm, realm, tried, tries } from './able-realm.js';

// What `viewerCan` says of each object, held against what becomes of the mutation in a dry run, for administrators with each role.
const schema = graphqlSchema();

interface Answer {
  isAllowed: boolean;
  reason: string | null;
  message: string | null;
  permission: string;
}
let world: AbleRealm;

beforeAll(async () => {
  world = await makeAbleRealm();
});

const selection = ({ mutations }: AbleType) =>
  `viewerCan { ${Object.keys(mutations)
    .map((name) => `${name} { isAllowed reason message permission }`)
    .join(' ')} }`;

const forbidden = ['LACKS_PERMISSION', 'BEYOND_OWN_PERMISSIONS', 'REFUSED_BY_POLICY'];
const told = ['FORBIDDEN', 'ADMINISTRATION', 'BUILT_IN', 'DEFAULT_ROLE', 'EMAIL_MISSING', 'READ_ONLY', 'USER_DISABLED'];

describe('viewerCan', () => {
  it('is on every type that mutations change', () => {
    expect(able.length).toBeGreaterThan(20);
    const known = new Set(Object.keys(schema.getMutationType()?.getFields() ?? {}));
    const mutations = able.flatMap((type) => Object.values(type.mutations));
    expect(mutations.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(able.map((type) => [type.name, type] as const))(
    'says what becomes of mutations of %s',
    async (name, type) => {
      const seen = new Map<string, number>();
      for (const { role, caller, id } of tries(world, name)) {
        const { data, errors } = await caller.graphql<{ node: { viewerCan: Record<string, Answer> } | null }>(
          `{ node(id: "${id}") { ... on ${name} { ${selection(type)} } } }`,
        );
        expect(errors).toBeUndefined();
        for (const [ability, answer] of Object.entries(data.node?.viewerCan ?? {})) {
          const mutation = type.mutations[ability] ?? '';
          const codes = await tried(world, caller, mutation, id);
          // authorization services are named by their client, which not everybody who may view them may view
          const isByClient = name === 'ResourceServer';
          // the user has given no consent
          if (codes.includes('NOT_FOUND') && !isByClient) expect(mutation).toBe('userRevokeConsent');
          const refused = codes.filter((code) => told.includes(code) || (isByClient && code === 'NOT_FOUND'));
          const isForbidden = forbidden.includes(answer.reason ?? '');
          const reason = isForbidden ? 'FORBIDDEN' : answer.reason === 'NOT_VISIBLE' ? 'NOT_FOUND' : answer.reason;
          const about = `${role}: ${mutation} of ${atob(id)} (${codes})`;
          expect([about, answer.isAllowed, reason, answer.message !== null]).toEqual([
            about,
            refused.length === 0,
            refused[0] ?? null,
            refused.length > 0,
          ]);
          seen.set(answer.reason ?? 'ALLOWED', (seen.get(answer.reason ?? 'ALLOWED') ?? 0) + 1);
        }
      }
      expect(seen.get('ALLOWED')).toBeGreaterThan(0);
    },
  );
});

describe('the statements of viewerCan', () => {
  const lists: [string, string, string][] = [
    ['manage-users', 'users', 'User'],
    ['impersonation', 'users', 'User'],
    ['manage-users', 'groups', 'Group'],
    ['manage-realm', 'roles', 'Role'],
    ['manage-clients', 'clients', 'Client'],
    ['manage-clients', 'clientScopes', 'ClientScope'],
    ['manage-realm', 'authenticationFlows', 'AuthenticationFlow'],
  ];

  it.each([
    ['manage-realm', 'components', 'Component', 'providerType: USER_STORAGE, name: { startsWith: "directory" }'],
    ['manage-realm', 'components', 'Component', 'providerId: "hardcoded-ldap-role-mapper"'],
    ['manage-identity-providers', 'identityProviders', 'IdentityProvider', 'alias: { startsWith: "idp-" }'],
  ])('are as many where mappers give roles and groups: %s, %s', async (role, list, name, filter) => {
    const type = able.find((one) => one.name === name) as AbleType;
    const ask = async (first: number) => {
      const { data, extensions, errors } = await (world.callers.get(role) as Caller).graphql<{
        realm: Record<string, { edges: { node: { viewerCan: Record<string, Answer> } }[] }>;
      }>(
        `{ realm(name: "${realm}") { ${list}(first: ${first}, filter: { ${filter} }) { edges { node { ${selection(type)} } } } } }`,
      );
      expect(errors).toBeUndefined();
      const answers = data.realm[list]?.edges.map(({ node }) => node.viewerCan.update?.reason) ?? [];
      return { answers, statements: extensions?.cost?.statements };
    };
    await ask(4);
    // what is asked together depends on which answers arrive together, so it is the fewest statements that are compared
    const fewest = async (first: number) => {
      const all = [];
      for (let round = 0; round < 6; round += 1) all.push(await ask(first));
      return all.reduce((least, one) => ((one.statements ?? 0) < (least.statements ?? 0) ? one : least));
    };
    const [few, many] = [await fewest(4), await fewest(20)];
    expect(many.answers.length).toBeGreaterThan(7);
    // what is asked of those that are allowed is not asked where all are refused
    for (const { answers } of [few, many]) expect(new Set(answers)).toEqual(new Set([null, 'BEYOND_OWN_PERMISSIONS']));
    expect(many.statements).toBe(few.statements);
  });

  it.each(sampled(lists, 15))('are as many for 2 objects as for 20, as %s: %s', async (role, list, name) => {
    const type = able.find((one) => one.name === name) as AbleType;
    const ask = async (first: number) => {
      const { extensions, errors } = await (world.callers.get(role) as Caller).graphql(
        `{ realm(name: "${realm}") { ${list}(first: ${first}) { edges { node { ${selection(type)} } } } } }`,
      );
      expect(errors).toBeUndefined();
      return extensions?.cost?.statements;
    };
    await ask(2);
    expect(await ask(20)).toBe(await ask(2));
  });
});
