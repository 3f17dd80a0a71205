import { decodeGlobalID, encodeGlobalID } from '@pothos/plugin-relay';
import DataLoader from 'dataloader';
import type { ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { modelOf } from '../../database/model.js';
import { type Context, loader } from '../../services/core/context.js';
import type { Delegation } from '../../services/core/delegation.js';
import { allowedUsers } from '../../services/core/delegation.js';
import type { Permission } from '../../services/core/permissions.js';
import { permitFor } from '../../services/core/permit.js';
import type { Permit } from '../../services/core/ports.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { forbidden, invalid, notFound, Refusal } from '../../services/core/refusal.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { realmById } from '../../services/realms/locate.js';

interface Guard {
  model: ModelName;
  permission: Permission | ((row: { clientId?: string | null }) => Permission);
}

/** Which permission reading a node takes. A type without an entry cannot be fetched by id. */
const guards = new Map<string, Guard>();

/** Lets `node(id)` find objects of a type, for callers with this permission in the object's realm. */
export function guardNode(typename: string, model: ModelName, permission: Guard['permission']): void {
  guards.set(typename, { model, permission });
}

export interface NodeId {
  typename: string;
  id: string;
}

/** The parts of an id of this server; refuses anything else, naming the field. */
export function parseId(globalId: string, field: string, ...typenames: string[]): NodeId {
  try {
    const decoded = decodeGlobalID(globalId);
    if (typenames.length === 0 || typenames.includes(decoded.typename)) return decoded;
  } catch {
    // falls through to the refusal
  }
  throw invalid(`Not the ID of a ${typenames.join(' or ')}`, field);
}

/** The globally unique ID of a row of this type. */
export const nodeId = (typename: string, id: string): string => encodeGlobalID(typename, id);

/** The caller's permit in the realm with this id. */
export const permitById = async (ctx: Context, realmId: string): Promise<Permit> =>
  ctx.permits.get(realmId) ?? permitFor(ctx, await realmById(ctx, realmId));

interface Found {
  id: string;
  realmId?: string;
  clientId?: string | null;
  resourceServer?: { client: { realmId: string } };
}

/** What tells the realm of a row: its own column, or that of the client whose authorization services it belongs to. */
const realmBehind = (model: ModelName) => {
  if (model === 'Realm') return { select: {}, near: (realmId: string) => ({ AND: [{ id: realmId }] }) };
  if (modelOf(model).fields.has('realmId')) {
    return { select: { realmId: true }, near: (realmId: string) => ({ realmId }) };
  }
  return {
    select: { resourceServer: { select: { client: { select: { realmId: true } } } } },
    near: (realmId: string) => ({ resourceServer: { client: { realmId } } }),
  };
};

/** What management permissions can be about: one user, group or client, or a role by the client that it is of. */
export interface About {
  kind: 'user' | 'group' | 'client' | 'role';
  id: string;
  clientId?: string | null;
}

/** What of the models have management permissions about single rows. */
const kindOf: Readonly<Record<string, About['kind']>> = {
  User: 'user',
  Group: 'group',
  Client: 'client',
  Role: 'role',
};

/** Asks for many users at once whether a permission is held for them. */
const ofUsers = (ctx: Context, realmId: string, delegation: Delegation, permission: Permission) =>
  loader(
    ctx,
    `users for ${permission} of ${realmId}`,
    () =>
      new DataLoader<string, boolean>(async (ids) => {
        const allowed = await allowedUsers(ctx.db, delegation, permission, ids);
        return ids.map((id) => allowed.has(id));
      }),
  );

/** Whether a permission is held for one thing, by a role or by management permissions about it. */
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

/** Throws a refusal if a permission is not held for a thing. */
export async function requireAllowed(
  ctx: Context,
  realmId: string,
  permission: Permission,
  about: About | undefined,
): Promise<void> {
  if (!(await isAllowed(ctx, realmId, permission, about))) throw forbidden();
}

/** The realm of a node, if it is there and the caller may see it. */
async function visibleNode(ctx: Context, { typename, id }: NodeId): Promise<string | undefined> {
  const guard = guards.get(typename);
  if (!guard) return undefined;
  const behind = realmBehind(guard.model);
  const select = { id: true, ...behind.select, ...(guard.model === 'Role' && { clientId: true }) };
  // what lies in a realm that the caller has nothing to do with is not even looked at
  const { realmId: own, realmName } = ctx.caller;
  const near = realmName === masterName ? {} : behind.near(own);
  const row = await delegateOf<Found>(ctx.db, guard.model).findFirst({ where: { id, ...near }, select });
  if (!row) return undefined;
  const realmId = row.realmId ?? row.resourceServer?.client.realmId ?? row.id;
  const permission = typeof guard.permission === 'function' ? guard.permission(row) : guard.permission;
  const kind = kindOf[guard.model];
  return (await isAllowed(ctx, realmId, permission, kind && { ...row, kind })) ? realmId : undefined;
}

export interface LocatedNode extends NodeId {
  realm: RealmRecord;
}

/**
 * What a mutation names by its id, with its realm. A thing that is not there, or that the caller may not see, is
 * refused as `notFound` with the input field that names it.
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

/** Resolves `node(id)`: what a caller may not see is not there. */
export async function resolveNode(
  ctx: Context,
  id: unknown,
  resolve: (id: { typename: string; id: string }) => unknown,
): Promise<unknown> {
  const parsed = typeof id === 'string' ? parseId(id, 'id') : (id as NodeId);
  try {
    return (await visibleNode(ctx, parsed)) === undefined ? null : resolve(parsed);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'notFound') return null;
    throw error;
  }
}
