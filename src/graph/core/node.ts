import { decodeGlobalID, encodeGlobalID } from '@pothos/plugin-relay';
import type { ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { type Allowing, permissionFor, requiredPermissions, type TargetKind } from '../../services/core/allow.js';
import { type Context, loader } from '../../services/core/context.js';
import type { Delegation } from '../../services/core/delegation.js';
import { allowedUsers } from '../../services/core/delegation.js';
import { ownMember } from '../../services/core/json.js';
import { isEmpty } from '../../services/core/operation.js';
import { batchLoader } from '../../services/core/pace.js';
import type { Permission } from '../../services/core/permissions.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { invalid, notFound, Refusal, requireAll } from '../../services/core/refusal.js';
import { realmById } from '../../services/realms/locate.js';
import { type NodeRow, type NodeSource, nodeRow } from './node-rows.js';
import { permitById } from './permits.js';

/** A type whose objects are rows of a model. */
export interface ModelRef {
  readonly name: string;
  readonly modelName: string;
  readonly kind?: string;
}

interface Guarding {
  clientId: string | null;
}

interface Guard extends NodeSource {
  operation: Allowing;
  kind: ((row: Guarding) => TargetKind) | undefined;
  shown: ((realm: RealmRecord) => object) | undefined;
  about: (row: NodeRow) => About | undefined;
}

/** The operations that read one object of a type. A type without an entry cannot be fetched by ID. */
const guards = new Map<string, Guard>();

/**
 * Lets `node(id)` find objects of a type, for callers who may perform this operation on the object. `shown` filters the
 * objects that exist for callers, if a realm can have others. `about` returns the object that management permissions
 * apply to, if it is another one. `only` filters the rows of this type, if several types share a model.
 */
export function guardNode(
  type: ModelRef,
  operation: Allowing,
  options: Partial<Pick<Guard, 'kind' | 'shown' | 'about' | 'realmPath' | 'reads' | 'only'>> = {},
): void {
  const { kind, shown, realmPath = [], reads = {}, only = {} } = options;
  const own = ownMember(kindOf, type.modelName);
  const { about = (row) => own && { ...row, kind: own } } = options;
  guards.set(type.name, { model: type.modelName as ModelName, operation, kind, shown, about, realmPath, reads, only });
}

interface Guarded {
  operation: Allowing;
  /** the permission that the operation requires for a row */
  permissionFor(row: object): Permission;
  /** the kind of target of a row, if the type has several */
  kindOf(row: object): TargetKind | undefined;
  source: NodeSource;
}

/** The operation that reads one object of a type, with its required permission and the location of the objects. */
export function guardOf(typename: string): Guarded {
  const guard = guards.get(typename);
  if (!guard) throw new Error(`The type ${typename} has no guard: declare one with guardNode`);
  return {
    operation: guard.operation,
    permissionFor: (row) => guarded(guard, row),
    kindOf: (row) => guard.kind?.({ clientId: null, ...row }),
    source: guard,
  };
}

const guarded = ({ operation, kind }: Guard, row: object): Permission =>
  permissionFor(operation, kind?.({ clientId: null, ...row }));

interface Shown {
  realmId: string;
  id: string;
}

/** Returns the objects of a type that exist for callers. Reads the database only for realms with hidden objects. */
async function areShown(ctx: Context, { model, shown }: Guard, asked: readonly Shown[]): Promise<boolean[]> {
  const conditionOf = async (realmId: string) => [realmId, shown?.(await realmById(ctx, realmId)) ?? {}] as const;
  const realmIds = [...new Set(asked.map(({ realmId }) => realmId))];
  const conditions = await Promise.all(realmIds.map(conditionOf));
  const limited = new Map(conditions.filter(([, condition]) => !isEmpty(condition)));
  if (limited.size === 0) return asked.map(() => true);
  const idsIn = (wanted: string) => asked.filter(({ realmId }) => realmId === wanted).map(({ id }) => id);
  const rows = await delegateOf<{ id: string }>(ctx.db, model).findMany({
    where: { OR: [...limited].map(([realmId, condition]) => ({ AND: [{ id: { in: idsIn(realmId) } }, condition] })) },
    select: { id: true },
  });
  const found = new Set(rows.map((row) => row.id));
  return asked.map(({ realmId, id }) => !limited.has(realmId) || found.has(id));
}

/** Whether an object of a type exists for callers. Concurrent checks share one statement. */
export async function isShown(ctx: Context, typename: string, realmId: string, id: string): Promise<boolean> {
  const guard = guards.get(typename);
  if (!guard?.shown) return true;
  const make = () =>
    batchLoader<Shown, boolean, string>(ctx, (asked) => areShown(ctx, guard, asked), { cacheKeyFn: (one) => one.id });
  return loader(ctx, `shown ${typename}`, make).load({ realmId, id });
}

export interface NodeId {
  typename: string;
  id: string;
}

/** The parts of an ID of this server; refuses any other text, naming the field. */
export function parseId(globalId: string, field: string, ...typenames: string[]): NodeId {
  try {
    const decoded = decodeGlobalID(globalId);
    // a text that cannot be stored cannot be searched for either
    if (decoded.id.includes('\0')) throw new Error('Not an ID');
    if (typenames.length === 0 || typenames.includes(decoded.typename)) return decoded;
  } catch {
    // falls through to the refusal
  }
  throw invalid(`Not the ID of a ${typenames.join(' or ') || 'node'}`, field, { argument: 'BAD_ID', code: 'BAD_ID' });
}

/** The local IDs of a list of IDs of one type; refuses every invalid entry, with its index in the field. */
export function parseIds(globalIds: readonly string[], field: string, typename: string): string[] {
  const ids: string[] = [];
  requireAll(
    ...globalIds.map((globalId, place) => () => void ids.push(parseId(globalId, `${field}.${place}`, typename).id)),
  );
  return ids;
}

/** The local IDs in a field of the items of a list; refuses every invalid one, with its index. */
export function parseEach<F extends string>(
  items: readonly Readonly<Record<F, string>>[],
  list: string,
  field: F,
  ...typenames: string[]
): string[] {
  const ids: string[] = [];
  const parse = (globalId: string, at: number) =>
    ids.push(parseId(globalId, `${list}.${at}.${field}`, ...typenames).id);
  requireAll(...items.map((item, at) => () => void parse(item[field], at)));
  return ids;
}

/** The globally unique ID of a row of this type. */
export const nodeId = (typename: string, id: string): string => encodeGlobalID(typename, id);

/** The ID of a row in its model. */
export function localIdOf(row: unknown): string {
  const { id } = row as { id?: unknown };
  if (typeof id !== 'string') throw new Error('A node was read without its ID');
  return id;
}

/** The field of a payload with the ID of the deleted object. */
export const deletedIdOf = (typename: string, what: string) => ({
  deletedId: {
    type: 'ID',
    description: `ID of the deleted ${what}.`,
    of: ({ id }: { id: string }) => nodeId(typename, id),
  },
});

/** The columns that lead from a row of authorization services to its realm. */
export const realmOfServer = { resourceServer: { select: { client: { select: { realmId: true } } } } };

interface Found {
  id: string;
  realmId?: string;
  clientId?: string | null;
  resourceServer?: { client: { realmId: string } };
}

/** An object that management permissions can apply to: a user, group, or client, or a role through its client. */
export interface About {
  kind: 'user' | 'group' | 'client' | 'role';
  id: string;
  clientId?: string | null;
}

/** The models whose rows can have management permissions. */
const kindOf: Readonly<Record<string, About['kind']>> = {
  User: 'user',
  Group: 'group',
  Client: 'client',
  Role: 'role',
};

/** The realm of an object, and the object that management permissions apply to. */
export function subjectOf(model: string, row: unknown): { realmId: string; about: About | undefined } {
  const { id, realmId, clientId, resourceServer } = row as Partial<Found>;
  const realm = model === 'Realm' ? id : (realmId ?? resourceServer?.client.realmId);
  if (id === undefined || realm === undefined) throw new Error(`A ${model} was read without its id or realm`);
  const kind = ownMember(kindOf, model);
  return { realmId: realm, about: kind && { kind, id, clientId: clientId ?? null } };
}

/** Checks a permission for many users in one statement. */
const ofUsers = (ctx: Context, realmId: string, delegation: Delegation, permission: Permission) =>
  loader(ctx, `users for ${permission} of ${realmId}`, () =>
    batchLoader<string, boolean>(ctx, async (ids) => {
      const allowed = await allowedUsers(ctx.db, delegation, permission, ids);
      return ids.map((id) => allowed.has(id));
    }),
  );

/** Whether the caller has a permission for one object, by a role or by management permissions about it. */
export async function isAllowed(
  ctx: Context,
  realmId: string,
  permission: Permission,
  about: About | undefined,
): Promise<boolean> {
  const permit = await permitById(ctx, realmId);
  if (permit.can(permission)) return true;
  const { delegation } = permit;
  if (!delegation || !about) return false;
  const { kind, id, clientId } = about;
  if (kind === 'user') return ofUsers(ctx, realmId, delegation, permission).load(id);
  if (kind === 'role') return clientId != null && permit.may(permission, 'client', clientId);
  return permit.may(permission, kind, id);
}

/** Whether the caller may view every object of a type in a realm, without reading the objects. */
export async function viewsAll(ctx: Context, realmId: string, typename: string): Promise<boolean> {
  const guard = guards.get(typename);
  if (!guard || guard.shown) return false;
  const permit = await permitById(ctx, realmId);
  return requiredPermissions(guard.operation).every(({ permission }) => permit.can(permission));
}

/** The location of a node, and the permission that callers need to view it. */
export interface NodeSubject extends NodeId {
  realmId: string;
  about: About | undefined;
  viewPermission: Permission;
}

/**
 * Returns the realm of a node, the object that management permissions apply to, and the permission to view it.
 * Undefined if the node does not exist.
 */
export async function nodeSubject(ctx: Context, node: NodeId): Promise<NodeSubject | undefined> {
  const guard = guards.get(node.typename);
  const row = guard && (await nodeRow(ctx, node.typename, guard, node.id));
  if (!guard || !row) return undefined;
  return { ...node, realmId: row.realmId, about: guard.about(row), viewPermission: guarded(guard, row) };
}

/** The realm of a node, if it exists and the caller may see it. */
async function visibleNode(ctx: Context, node: NodeId): Promise<string | undefined> {
  const subject = await nodeSubject(ctx, node);
  if (!subject) return undefined;
  const { realmId, about, viewPermission } = subject;
  if (!(await isAllowed(ctx, realmId, viewPermission, about))) return undefined;
  return (await isShown(ctx, node.typename, realmId, node.id)) ? realmId : undefined;
}

export interface LocatedNode extends NodeId {
  realm: RealmRecord;
}

/**
 * The object that a mutation names by its ID, with its realm. An object that does not exist, or that the caller may not
 * see, is refused as `notFound` with the input field that names it.
 */
export async function locatedNode(
  ctx: Context,
  globalId: string,
  field: string,
  ...typenames: string[]
): Promise<LocatedNode> {
  const parsed = parseId(globalId, field, ...typenames);
  const realmId = await visibleNode(ctx, parsed);
  if (!realmId) throw notFound(`${parsed.typename} not found`, field);
  return { ...parsed, realm: await realmById(ctx, realmId) };
}

/** Whether a node exists for the caller. A node that the caller may not see does not exist for it. */
export async function isVisible(ctx: Context, node: NodeId): Promise<boolean> {
  try {
    return (await visibleNode(ctx, node)) !== undefined;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'notFound') return false;
    throw error;
  }
}
