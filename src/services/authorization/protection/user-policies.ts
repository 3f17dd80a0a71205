import type { Db } from '../../../database/db.js';
import { databaseFault } from '../../../database/errors.js';
import { literally } from '../../../database/where.js';
import { Refusal } from '../../core/refusal.js';
import { decode, type Input, representation, text, texts } from '../../core/shape.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { heading, nameOfSubject } from '../encode.js';
import { policyFields } from '../representation.js';
import type { Rule, SubjectReference } from '../rule.js';
import { type WholePolicyRow, wholePolicySelect } from '../store.js';
import { nameMissing } from '../write-resource.js';
import { insertRule, replaceRule } from '../write-rule.js';
import type { Protected } from './bearer.js';
import { written } from './resources.js';

/** UmaPermissionRepresentation of the contract: what the owner of a resource lets others do. */
const UmaPermissionRepresentation = representation('UmaPermissionRepresentation', {
  ...policyFields,
  users: texts,
  roles: texts,
  groups: texts,
  clients: texts,
  condition: text,
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

function encode(row: WholePolicyRow) {
  const named: Partial<Record<string, string[]>> = {};
  for (const subject of row.subjects) {
    for (const [kind, list] of Object.entries(lists)) {
      if (!subject[kind as keyof typeof lists]) continue;
      named[list] = [...(named[list] ?? []), nameOfSubject(subject)];
    }
  }
  return {
    ...heading(row),
    owner: row.ownerId,
    scopes: row.scopes.map(({ scope }) => scope.name),
    ...named,
  };
}

interface OwnResource {
  id: string;
  ownerId: string;
  scopes: { scope: { name: string } }[];
}

async function ownResource(db: Db, { server, token }: Protected, id: string): Promise<OwnResource> {
  const resource = await db.authorizationResource.findFirst({
    where: { id, resourceServerId: server.id },
    select: { id: true, ownerId: true, scopes: { select: { scope: { select: { name: true } } } } },
  });
  if (!resource) throw refused(400, `Resource [${id}] cannot be found`);
  if (resource.ownerId !== token.user.id) throw notOwner(id);
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

async function withoutDuplicate<T>(name: string | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (databaseFault(error)?.kind !== 'duplicate') throw error;
    throw new Refusal('conflict', `Policy with name [${name}] already exists`, {
      body: { error: `Policy with name [${name}] already exists`, error_description: 'Conflicting policy' },
    });
  }
}

/** Shares a resource: only its owner may. */
export async function sharePolicy(by: Protected, resourceId: string, body: unknown): Promise<object> {
  const { context, realm, server, token } = by;
  const resource = await ownResource(context.database.read, by, resourceId);
  const input = decode(UmaPermissionRepresentation, body);
  const scopes = scopesFor(resource, input.scopes);
  const { name } = input;
  if (name === undefined) throw nameMissing('A policy');
  const maker = { services: { newId: () => context.newId() } };
  const at = { realmId: realm.id, serverId: server.id, ownerId: token.user.id };
  const row = await withoutDuplicate(
    name,
    written(by, 'umaPolicy.create', (tx) => insertRule(tx, maker, at, { ...ruleOf(input, resource.id, scopes), name })),
  );
  return encode(row);
}

interface PolicyOfUser extends WholePolicyRow {
  resource: OwnResource;
}

async function ownPolicy(by: Protected, id: string): Promise<PolicyOfUser> {
  const db = by.context.database.read;
  const row = await db.authorizationPolicy.findFirst({
    where: { id, resourceServerId: by.server.id, type: 'uma' },
    select: wholePolicySelect,
  });
  const resourceId = row?.resources[0]?.resource.id;
  if (!row || resourceId === undefined) throw refused(404, `Policy with [${id}] does not exist`);
  return { ...row, resource: await ownResource(db, by, resourceId) };
}

/** One policy of the caller. */
export const readUserPolicy = async (by: Protected, id: string): Promise<object> => encode(await ownPolicy(by, id));

/** Replaces a policy of the caller. */
export async function changeUserPolicy(by: Protected, id: string, body: unknown): Promise<void> {
  const { resource, ...row } = await ownPolicy(by, id);
  const input = decode(UmaPermissionRepresentation, body);
  const rule = ruleOf(input, resource.id, scopesFor(resource, input.scopes));
  await withoutDuplicate(
    input.name,
    written(by, 'umaPolicy.update', (tx) => replaceRule(tx, by.realm.id, row, rule, false)),
  );
}

/** Deletes a policy of the caller. */
export async function removeUserPolicy(by: Protected, id: string): Promise<void> {
  const row = await ownPolicy(by, id);
  await written(by, 'umaPolicy.delete', (tx) => tx.later.authorizationPolicy.deleteMany({ where: { id: row.id } }));
}

/** The policies of the caller; nothing for a resource that there is not. */
export async function listUserPolicies(
  by: Protected,
  { name, resource, scope }: { name?: string | undefined; resource?: string | undefined; scope?: string | undefined },
  { skip, take }: { skip?: number; take?: number },
): Promise<unknown[] | undefined> {
  const db = by.context.database.read;
  if (resource !== undefined) {
    const found = await db.authorizationResource.count({ where: { id: resource, resourceServerId: by.server.id } });
    if (found === 0) return undefined;
  }
  if (take === 0) return [];
  const rows = await db.authorizationPolicy.findMany({
    where: {
      resourceServerId: by.server.id,
      type: 'uma',
      ownerId: by.token.user.id,
      AND: [
        ...(name ? [{ search: { contains: literally(name.toLowerCase()) } }] : []),
        ...(resource ? [{ resources: { some: { resourceId: resource } } }] : []),
        ...(scope ? [{ scopes: { some: { scope: { OR: [{ id: scope }, { name: scope }] } } } }] : []),
      ],
    },
    select: wholePolicySelect,
    orderBy: [{ name: 'asc' }],
    ...(skip !== undefined && { skip }),
    ...(take !== undefined && { take }),
  });
  return rows.map(encode);
}
