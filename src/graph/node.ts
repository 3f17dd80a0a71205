import { decodeGlobalID, encodeGlobalID } from '@pothos/plugin-relay';
import type { ModelName } from '../database/db.js';
import { delegateName } from '../database/model.js';
import type { Context } from '../services/core/context.js';
import type { Door } from '../services/core/doors.js';
import { type Permit, permitFor } from '../services/core/permit.js';
import { invalid, notFound, Refusal } from '../services/core/refusal.js';
import { masterName } from '../services/realms/defaults/master.js';
import { realmById } from '../services/realms/locate.js';
import type { RealmRecord } from '../services/realms/record.js';

interface Guard {
  model: ModelName;
  door: Door | ((row: { clientId?: string | null }) => Door);
}

/** Which permission reading a node takes. A type without an entry cannot be fetched by id. */
const guards = new Map<string, Guard>();

/** Lets `node(id)` find objects of a type, for callers with this permission in the object's realm. */
export function guardNode(typename: string, model: ModelName, door: Guard['door']): void {
  guards.set(typename, { model, door });
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
  throw invalid(`This is not the id of a ${typenames.join(' or ')}`, field);
}

export const nodeId = (typename: string, id: string): string => encodeGlobalID(typename, id);

/** The caller's permit in the realm with this id. */
export const permitById = async (ctx: Context, realmId: string): Promise<Permit> =>
  ctx.permits.get(realmId) ?? permitFor(ctx, await realmById(ctx, realmId));

type Delegate = {
  findFirst(args: object): Promise<{ realmId?: string; id: string; clientId?: string | null } | null>;
};

/** The realm of a node, if it is there and the caller may see it. */
export async function visibleNode(ctx: Context, { typename, id }: NodeId): Promise<string | undefined> {
  const guard = guards.get(typename);
  if (!guard) return undefined;
  const name = delegateName(guard.model);
  const delegate = (ctx.db as unknown as Record<string, Delegate>)[name] as Delegate;
  const select =
    guard.model === 'Realm'
      ? { id: true }
      : { id: true, realmId: true, ...(guard.model === 'Role' && { clientId: true }) };
  // what lies in a realm that the caller has nothing to do with is not even looked at
  const { realmId: own, realmName } = ctx.caller;
  const near = realmName === masterName ? {} : guard.model === 'Realm' ? { AND: [{ id: own }] } : { realmId: own };
  const row = await delegate.findFirst({ where: { id, ...near }, select });
  if (!row) return undefined;
  const realmId = row.realmId ?? row.id;
  const permit = await permitById(ctx, realmId);
  return permit.can(typeof guard.door === 'function' ? guard.door(row) : guard.door) ? realmId : undefined;
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
  if (!realmId) throw notFound(`There is no such ${parsed.typename.toLowerCase()}`, field);
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
