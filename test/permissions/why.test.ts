import type { GraphQLEnumType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import type { Caller } from '../support/fixture.js';
import {
  type AbleRealm,
  type AbleType,
  able,
  askers,
  makeAbleRealm,
  nodeId,
  realm,
  tried,
  triedOf,
  tries,
} from './able-realm.js';

// What `why` says of administrators with each role, held against what their own tokens get: `viewerCan`, `viewer { permissions }`,
// and, for objects that they may not view, dry runs.
const schema = graphqlSchema();
const permissions = (schema.getType('Permission') as GraphQLEnumType).getValues().map(({ name }) => name);

interface Reason {
  __typename: string;
  permission: string;
  isGranting: boolean;
  roleName?: string;
  roles?: { name: string }[];
}
interface Explanation {
  isAllowed: boolean;
  refusal: string | null;
  message: string | null;
  permission: string;
  hasHidden: boolean;
  reasons: Reason[];
  neededOneOf: { roleName: string; role: { name: string } | null }[];
}

let world: AbleRealm;

beforeAll(async () => {
  world = await makeAbleRealm();
});

const enumValueOf = (mutation: string): string => mutation.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const answered = `{ isAllowed refusal message permission hasHidden
  reasons { __typename permission isGranting
    ... on RoleExplanation { roleName roles { name } } ... on ExceedingRoleExplanation { roleName } }
  neededOneOf { roleName role { name } } }`;

/** What is answered to the administrator of the server, by the names of the questions. */
async function asked(
  role: string,
  object: string,
  actions: Record<string, string>,
): Promise<Record<string, Explanation>> {
  const user = nodeId('User', world.users.get(role) ?? '');
  const answers: Record<string, Explanation> = {};
  // a request has a limited number of fields
  for (let at = 0; at < Object.keys(actions).length; at += 10) {
    const questions = Object.entries(actions)
      .slice(at, at + 10)
      .map(([name, action]) => `${name}: why(user: "${user}", action: ${action}, object: "${object}") ${answered}`);
    const { data, errors } = await world.admin.graphql<Record<string, Explanation>>(`{ ${questions.join(' ')} }`);
    expect(errors).toBeUndefined();
    Object.assign(answers, data);
  }
  return answers;
}

/** What holds of every explanation: a permission is held where a reason grants it, and every role that grants is one that is needed. */
function expectCoherent({
  isAllowed,
  refusal,
  message,
  permission,
  reasons,
  neededOneOf,
  hasHidden,
}: Explanation): void {
  const isHeld = reasons.some((reason) => reason.__typename !== 'ExceedingRoleExplanation' && reason.isGranting);
  const lacks = refusal === 'LACKS_PERMISSION' || refusal === 'NOT_VISIBLE';
  expect([permission, refusal, isHeld]).toEqual([permission, refusal, permission === 'ANY_CALLER' ? isHeld : !lacks]);
  expect([refusal === null, message === null]).toEqual([isAllowed, isAllowed]);
  expect(reasons.filter((reason) => reason.permission !== permission)).toEqual([]);
  const needed = new Set(neededOneOf.map(({ roleName }) => roleName));
  for (const { roleName, roles, isGranting, __typename } of reasons) {
    if (__typename === 'ExceedingRoleExplanation')
      expect([refusal, isGranting]).toEqual(['BEYOND_OWN_PERMISSIONS', false]);
    else if (roleName !== undefined) expect([needed.has(roleName), roles?.at(-1)?.name]).toEqual([true, roleName]);
  }
  expect([hasHidden, neededOneOf.every(({ role }) => role !== null)]).toEqual([false, true]);
}

describe('why', () => {
  it.each(able.map((type) => [type.name, type] as const))('says of %s what viewerCan says', async (name, type) => {
    const seen = new Set<string>();
    for (const { role, caller, id } of tries(world, name)) seen.add(await compare(role, caller, type, id));
    expect(seen).toContain('VISIBLE');
  });

  async function compare(role: string, caller: Caller, { name, mutations }: AbleType, id: string): Promise<string> {
    const abilities = Object.keys(mutations).map((ability) => `${ability} { isAllowed reason permission }`);
    const { data, errors } = await caller.graphql<{
      node: { viewerCan: Record<string, { isAllowed: boolean; reason: string | null; permission: string }> } | null;
    }>(`{ node(id: "${id}") { ... on ${name} { viewerCan { ${abilities.join(' ')} } } } }`);
    expect(errors).toBeUndefined();
    const actions = Object.fromEntries(
      Object.entries(mutations).map(([ability, mutation]) => [ability, `{ mutation: ${enumValueOf(mutation)} }`]),
    );
    const answers = await asked(role, id, actions);
    for (const [ability, answer] of Object.entries(answers)) {
      const about = `${role}: ${mutations[ability]} of ${atob(id)}`;
      const { isAllowed, refusal, permission } = answer;
      expectCoherent(answer);
      const own = data.node?.viewerCan[ability];
      if (own) {
        expect([about, isAllowed, refusal, permission]).toEqual([about, own.isAllowed, own.reason, own.permission]);
        continue;
      }
      // what is named by its client may be changed by callers who may not view it
      const codes = await tried(world, caller, mutations[ability] ?? '', id);
      expect([about, isAllowed, codes]).toEqual([about, codes.length === 0, codes]);
      if (refusal === 'NOT_VISIBLE') expect(['NOT_FOUND', 'FORBIDDEN']).toContain(codes[0]);
      else if (!isAllowed)
        expect([about, /^Authorization|^ResourceServer|(Policy|Permission):/.test(atob(id)), codes]).toEqual([
          about,
          true,
          ['FORBIDDEN'],
        ]);
    }
    return data.node ? 'VISIBLE' : 'HIDDEN';
  }

  it('says of permissions in the realm what the viewer is told', async () => {
    for (const [role, caller] of askers(world)) {
      interface Held {
        permission: string;
        roleNames: string[];
      }
      const { data } = await caller.graphql<{ viewer: { permissions: { permissions: Held[] }[] } }>(
        `{ viewer { permissions(realm: "${realm}") { permissions { permission roleNames } } } }`,
      );
      const held = new Map(
        (data.viewer.permissions[0]?.permissions ?? []).map(({ permission, roleNames }) => [permission, roleNames]),
      );
      const actions = Object.fromEntries(permissions.map((one) => [one, `{ permission: ${one} }`]));
      const answers = await asked(role, world.named.realm, actions);
      for (const [permission, answer] of Object.entries(answers)) {
        expectCoherent(answer);
        expect([role, permission, answer.permission, answer.isAllowed]).toEqual([
          role,
          permission,
          permission,
          held.has(permission),
        ]);
        const names = new Set(answer.reasons.map(({ roleName }) => roleName));
        expect([role, permission, names]).toEqual([role, permission, new Set(held.get(permission) ?? [])]);
      }
    }
  });

  it('says of permissions for objects what the objects and their fields say', async () => {
    for (const [role, caller] of world.callers) {
      for (const [type, permission] of [
        ['User', 'VIEW_USERS'],
        ['Group', 'VIEW_GROUPS'],
        ['Client', 'VIEW_CLIENTS'],
        ['IdentityProvider', 'VIEW_IDENTITY_PROVIDERS'],
        ['AuthorizationPolicy', 'VIEW_AUTHORIZATION'],
      ] as const) {
        const [id = ''] = triedOf(world, type);
        const { data } = await caller.graphql<{ node: object | null }>(`{ node(id: "${id}") { id } }`);
        const { answer } = await asked(role, id, { answer: `{ permission: ${permission} }` });
        expect([role, permission, answer?.isAllowed]).toEqual([role, permission, data.node !== null]);
      }
    }
  });
});
