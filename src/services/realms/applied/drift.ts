import type { Context } from '../../core/context.js';
import { isObject } from '../../core/json.js';
import { idsOfRecord } from '../../core/managed.js';
import type { AuditRecord } from '../../core/operation.js';
import type { RealmRows } from '../assemble/draft.js';
import type { LastChange, PlannedChange } from '../desired/describe.js';
import { withAuthorNames } from './author-names.js';

/** Maximum number of admin events that are searched, newest first. Older ones are not reported. */
const mostEvents = 10_000;
/** Maximum number of deletion events, which are read with the deleted objects. */
const mostDeletions = 1000;

const select = {
  time: true,
  operationType: true,
  resourceType: true,
  resourcePath: true,
  resourceId: true,
  authRealmId: true,
  authClientId: true,
  authUserId: true,
} as const;

interface EventRow {
  time: bigint;
  operationType: string;
  resourceType: string;
  resourcePath: string;
  resourceId: string | null;
  authRealmId: string | null;
  authClientId: string | null;
  authUserId: string | null;
}

const changeOf = ({ time, authRealmId, authClientId, authUserId }: EventRow): LastChange => ({
  at: Number(time),
  authRealmId: authRealmId ?? '',
  authClientId: authClientId ?? '',
  authUserId: authUserId ?? '',
});

const recordOf = ({ operationType, resourceType, resourcePath, resourceId }: EventRow): AuditRecord => ({
  operationType: operationType as AuditRecord['operationType'],
  resourceType,
  resourcePath,
  ...(resourceId !== null && { resourceId }),
});

/**
 * The name of a deleted object. An object that a file creates again has another ID than the deleted one, so names are
 * compared.
 */
function deletedName({ resourceType }: EventRow, before: string | null): string | undefined {
  const object: unknown = before === null ? undefined : JSON.parse(before);
  if (!isObject(object)) return undefined;
  const name = object.clientId ?? object.alias ?? object.path ?? object.username ?? object.name;
  return typeof name === 'string' ? `${resourceType} ${name}` : undefined;
}

/** The name of an object. For a client role, it is without its client. */
const nameOf = ({ kind, key }: PlannedChange): string =>
  `${kind} ${kind === 'CLIENT_ROLE' ? key.slice(key.indexOf('/') + 1) : key}`;

/** The first of each key. */
function firstOf<V>(entries: Iterable<readonly [string, V]>): Map<string, V> {
  const found = new Map<string, V>();
  for (const [key, value] of entries) if (!found.has(key)) found.set(key, value);
  return found;
}

/**
 * Adds to each change of a plan the user who has changed the object manually since the last apply, from the admin
 * events of the realm. `before` are the rows of the realm. At most four statements, besides the statements for the
 * rights of the caller in the realms of the users.
 */
export async function withLastChanges(
  ctx: Context,
  realmId: string,
  changes: readonly PlannedChange[],
  before: Pick<RealmRows, 'AuthenticationExecution'>,
): Promise<PlannedChange[]> {
  if (changes.length === 0) return [];
  const { db } = ctx;
  const [last] = await db.realmApply.findMany({
    where: { realmId },
    select: { appliedAt: true },
    orderBy: { number: 'desc' },
    take: 1,
  });
  const where = {
    realmId,
    operation: { notIn: ['realm.apply', 'realm.revert'] },
    ...(last && { time: { gte: last.appliedAt } }),
  };
  const orderBy = [{ time: 'desc' }, { id: 'desc' }] as const;
  const events = await db.adminEvent.findMany({ where, select, orderBy: [...orderBy], take: mostEvents });
  const areCreated = changes.some(({ action }) => action === 'CREATE');
  const deletions = areCreated
    ? await db.adminEvent.findMany({
        where: { ...where, operationType: 'DELETE' },
        select: { ...select, before: true },
        orderBy: [...orderBy],
        take: mostDeletions,
      })
    : [];
  const flows = new Map(before.AuthenticationExecution.map(({ id, flowId }) => [id, flowId]));
  const byId = firstOf(
    events.flatMap((event) =>
      idsOfRecord(realmId, recordOf(event)).map((id) => [flows.get(id) ?? id, changeOf(event)] as const),
    ),
  );
  const byName = firstOf(
    deletions.flatMap(({ before: object, ...event }) => {
      const name = deletedName(event, object);
      return name === undefined ? [] : [[name, changeOf(event)] as const];
    }),
  );
  const found = changes.map(
    (change) => byId.get(change.id) ?? (change.action === 'CREATE' ? byName.get(nameOf(change)) : undefined),
  );
  const named = await withAuthorNames(
    ctx,
    found.filter((change) => change !== undefined),
  );
  return changes.map((change, index) => {
    const lastChange = found[index] && named.shift();
    return lastChange ? { ...change, lastChange } : change;
  });
}
