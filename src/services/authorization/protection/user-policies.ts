import { z } from 'zod';
import type { Db } from '../../../database/db.js';
import type { Context } from '../../core/context.js';
import { read, write } from '../../core/operation.js';
import { Refusal } from '../../core/refusal.js';
import { type Input, ignored, int, representation, text, texts } from '../../core/shape.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { heading, nameOfSubject } from '../encode.js';
import { policyFields } from '../representation.js';
import type { Rule, SubjectReference } from '../rule.js';
import { type WholePolicyRow, wholePolicySelect } from '../store.js';
import { nameMissing } from '../write-resource.js';
import { insertRule, replaceRule } from '../write-rule.js';
import { isServer, ownerOf, type Protected, pathOfServer, touchesServer } from './bearer.js';

// Only the owner of a resource finds its policies: the locators have checked it.
const allow = 'any:caller';

/** UmaPermissionRepresentation of the contract: a permission that the owner of a resource gives to others. */
export const UmaPermissionRepresentation = representation('UmaPermissionRepresentation', {
  ...policyFields,
  users: texts,
  roles: texts,
  groups: texts,
  clients: texts,
  condition: text,
  // answers of other operations have them; they are ignored
  resourcesData: ignored,
  scopesData: ignored,
});
type UmaInput = Input<typeof UmaPermissionRepresentation>;

const refused = (status: number, description: string): Refusal => oauthError(status, 'invalid_request', description);
const notOwner = (resourceId: string) =>
  refused(400, `Only resource owner can access policies for resource [${resourceId}]`);

function subjectsOf({ users, roles, groups, clients }: UmaInput): SubjectReference[] {
  const of = (kind: SubjectReference['kind'], names: string[] | undefined) =>
    (names ?? []).map((reference) => ({ kind, reference, strong: false }));
  return [...of('user', users), ...of('role', roles), ...of('group', groups), ...of('client', clients)];
}

const ruleOf = (input: UmaInput, resourceId: string, scopes: string[]): Rule => ({
  id: undefined,
  name: input.name,
  description: input.description,
  type: 'uma',
  logic: input.logic ?? 'POSITIVE',
  decisionStrategy: input.decisionStrategy ?? 'UNANIMOUS',
  subjects: subjectsOf(input),
  associated: undefined,
  resources: [resourceId],
  scopes,
  resourceType: undefined,
  config: {},
});

const lists = { user: 'users', role: 'roles', group: 'groups', client: 'clients' } as const;

/** A policy as UmaPermissionRepresentation. A policy without a user belongs to the resource server itself. */
export function encodeUserPolicy(row: WholePolicyRow, { server }: Pick<Protected, 'server'>) {
  const named: Partial<Record<string, string[]>> = {};
  for (const subject of row.subjects) {
    for (const [kind, list] of Object.entries(lists)) {
      if (!subject[kind as keyof typeof lists]) continue;
      named[list] = [...(named[list] ?? []), nameOfSubject(subject)];
    }
  }
  return {
    ...heading(row),
    owner: row.ownerId ?? server.id,
    scopes: row.scopes.map(({ scope }) => scope.name),
    ...named,
  };
}

interface OwnResource {
  id: string;
  ownerId: string;
  ownerManagedAccess: boolean;
  scopes: { scope: { name: string } }[];
}

async function ownResource(db: Db, by: Protected, id: string): Promise<OwnResource> {
  const resource = await db.authorizationResource.findFirst({
    where: { id, resourceServerId: by.server.id },
    select: {
      id: true,
      ownerId: true,
      ownerManagedAccess: true,
      scopes: { select: { scope: { select: { name: true } } } },
    },
  });
  if (!resource) throw refused(400, `Resource [${id}] cannot be found`);
  if (resource.ownerId !== ownerOf(by)) throw notOwner(id);
  if (!resource.ownerManagedAccess) throw refused(400, 'Only resources with owner managed accessed can have policies');
  return resource;
}

function scopesFor(resource: OwnResource, wanted: string[] | undefined): string[] {
  const own = resource.scopes.map(({ scope }) => scope.name);
  const wrong = (wanted ?? []).filter((name) => !own.includes(name));
  if (wrong.length > 0) {
    throw refused(400, `Some of the scopes [[${wrong.join(', ')}]] are not valid for resource [${resource.id}]`);
  }
  return wanted ?? own;
}

const duplicate = ({ name }: UmaInput) =>
  new Refusal('conflict', `Policy with name [${name}] already exists`, {
    body: { error: `Policy with name [${name}] already exists`, error_description: 'Conflicting policy' },
  });

const about = (by: Protected, { id }: { id: string }) => ({
  resourceType: 'AUTHORIZATION_POLICY',
  resourcePath: `${pathOfServer(by)}/policy/${id}`,
});

interface ToShare extends Protected {
  resource: OwnResource;
}

/** A resource of the caller. */
export const toShare = async ({ db }: Context, by: Protected, id: string): Promise<ToShare> => ({
  ...by,
  resource: await ownResource(db, by, id),
});

export const sharePolicy = write({
  name: 'umaPolicy.create',
  summary: 'Creates a policy that shares a resource of the caller with other users.',
  input: UmaPermissionRepresentation,
  allow,
  run: async (tx, by: ToShare, input, { ctx }): Promise<WholePolicyRow> => {
    const { realm, server, resource } = by;
    const scopes = scopesFor(resource, input.scopes);
    const { name } = input;
    if (name === undefined) throw nameMissing('A policy');
    const at = { realmId: realm.id, serverId: server.id, ...(!isServer(by) && { ownerId: by.token.user.id }) };
    return insertRule(tx, ctx, at, { ...ruleOf(input, resource.id, scopes), name });
  },
  refuses: ['NAME_TAKEN'],
  conflict: duplicate,
  event: (row, by) => ({ operationType: 'CREATE', ...about(by, row), representation: encodeUserPolicy(row, by) }),
  touches: touchesServer,
});

interface OwnPolicy extends ToShare {
  policy: WholePolicyRow;
}

/** A policy of the caller. */
export async function ownPolicy({ db }: Context, by: Protected, id: string): Promise<OwnPolicy> {
  const policy = await db.authorizationPolicy.findFirst({
    where: { id, resourceServerId: by.server.id, type: 'uma' },
    select: wholePolicySelect,
  });
  const resourceId = policy?.resources[0]?.resource.id;
  if (!policy || resourceId === undefined) throw refused(404, `Policy with [${id}] does not exist`);
  return { ...by, policy, resource: await ownResource(db, by, resourceId) };
}

export const readUserPolicy = read({
  name: 'umaPolicy.get',
  summary: 'Returns a policy of the caller.',
  allow,
  run: async (_ctx, by: OwnPolicy) => encodeUserPolicy(by.policy, by),
});

export const changeUserPolicy = write({
  name: 'umaPolicy.update',
  summary: 'Replaces a policy of the caller.',
  input: UmaPermissionRepresentation,
  allow,
  run: async (tx, { realm, resource, policy }: OwnPolicy, input) =>
    replaceRule(tx, realm.id, policy, ruleOf(input, resource.id, scopesFor(resource, input.scopes)), false),
  refuses: ['NAME_TAKEN'],
  conflict: duplicate,
  event: (_, by, input) => ({
    operationType: 'UPDATE',
    ...about(by, by.policy),
    representation: input,
    before: encodeUserPolicy(by.policy, by),
  }),
  touches: touchesServer,
});

export const removeUserPolicy = write({
  name: 'umaPolicy.delete',
  summary: 'Deletes a policy of the caller.',
  allow,
  run: (tx, { policy }: OwnPolicy) => tx.later.authorizationPolicy.deleteMany({ where: { id: policy.id } }),
  event: (_, by) => ({ operationType: 'DELETE', ...about(by, by.policy), before: encodeUserPolicy(by.policy, by) }),
  touches: touchesServer,
});

export const listUserPolicies = read({
  name: 'umaPolicy.list',
  summary: 'Returns the policies of the caller. Status 204 for an unknown resource or scope.',
  input: z.object({
    name: text.optional(),
    resource: text.optional(),
    scope: text.optional(),
    skip: int.optional(),
    take: int.optional(),
  }),
  allow,
  run: async ({ db }, by: Protected, input): Promise<unknown[] | undefined> => {
    const { name, resource, scope, skip, take } = input;
    const { server } = by;
    if (resource !== undefined) {
      const found = await db.authorizationResource.count({ where: { id: resource, resourceServerId: server.id } });
      if (found === 0) return undefined;
    }
    if (scope !== undefined) {
      const found = await db.authorizationScope.count({
        where: { resourceServerId: server.id, OR: [{ id: scope }, { name: scope }] },
      });
      if (found === 0) return undefined;
    }
    if (take === 0) return [];
    const rows = await db.authorizationPolicy.findMany({
      where: {
        resourceServerId: server.id,
        type: 'uma',
        ownerId: isServer(by) ? null : by.token.user.id,
        AND: [
          ...(name ? [{ search: { contains: name.toLowerCase() } }] : []),
          ...(resource ? [{ resources: { some: { resourceId: resource } } }] : []),
          ...(scope ? [{ scopes: { some: { scope: { OR: [{ id: scope }, { name: scope }] } } } }] : []),
        ],
      },
      select: wholePolicySelect,
      orderBy: [{ name: 'asc' }],
      ...(skip !== undefined && { skip }),
      ...(take !== undefined && { take }),
    });
    return rows.map((row) => encodeUserPolicy(row, by));
  },
});
