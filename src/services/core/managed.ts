import { objectOfRecord } from './audited-object.js';
import type { Context } from './context.js';
import { isObject } from './json.js';
import type { AuditRecord } from './operation.js';
import type { RealmRecord } from './realm.js';
import { conflict } from './refusal.js';
import { managedAmong } from './store.js';

/** The file that a realm follows: the file of the last apply that named its source. */
export interface Managed {
  /** origin of the file */
  source: string;
  /** the version of the file */
  revision?: string;
  /** the digest of the changes of the last apply */
  digest: string;
  /** milliseconds since 1970 */
  appliedAt: number;
  authRealmId: string;
  authClientId: string;
  authUserId: string;
}

/** The file that a realm follows; undefined if it follows none. */
export function managedBy({ managed }: Pick<RealmRecord, 'managed'>): Managed | undefined {
  return isObject(managed) && typeof managed.source === 'string' ? (managed as unknown as Managed) : undefined;
}

/** Effect of a manual change to an object that the realm's file describes. */
export const managedChanges = ['warn', 'refuse', 'ignore'] as const;
type ManagedChanges = (typeof managedChanges)[number];

const isManagedChanges = (value: unknown): value is ManagedChanges => managedChanges.includes(value as never);

/** The policy in the attribute of a realm. An invalid stored value counts as `warn`. */
function managedChangesOf({ attributes }: RealmRecord): ManagedChanges {
  const { managedChanges: value } = attributes;
  return isManagedChanges(value) ? value : 'warn';
}

/** Resources that no file describes. */
const undescribed: ReadonlySet<string> = new Set([
  'CLIENT_INITIAL_ACCESS_MODEL',
  'CLUSTER_NODE',
  'USER_LOGIN_FAILURE',
  'USER_SESSION',
]);

/** Actions that change nothing that a file can describe. A file sets passwords only for users without one. */
const harmless =
  /\/(disable-credential-types|execute-actions-email|impersonation|logout|push-revocation|registration-access-token|remove-imported-users|reset-password|send-verify-email|sync|unlink-users)$/;

/** The objects that contain others: their IDs are in the paths of their parts. */
const owner = /^(?:clients|client-scopes)\/([^/]+)\/(?:protocol-mappers|authz)\//;

/** The note that a file describes parts of an object, but not the object. */
export const contentsOf = (id: string): string => `contents of ${id}`;

/** The note that a file describes the scope mappings of a client or a client scope. */
export const scopeMappingsOf = (id: string): string => `scope mappings of ${id}`;

/** Paths of objects whose deletion deletes all their contents. */
const wholeObject =
  /^(?:clients|client-scopes|groups|roles|clients\/[^/]+\/roles|roles-by-id|components|identity-provider\/instances|authentication\/(?:flows|executions))\/[^/]+$/;

const scopeMapping = /^(?:clients|client-scopes)\/([^/]+)\/scope-mappings(?:\/|$)/;

/** The notes that a file can have about the objects of a record. */
function notedOfRecord(realmId: string, record: AuditRecord): string[] {
  const { operationType, resourcePath, removes = [] } = record;
  const ids = idsOfRecord(realmId, record);
  const holder = scopeMapping.exec(resourcePath)?.[1];
  const isDeletion = operationType === 'DELETE' && wholeObject.test(resourcePath);
  const own = isDeletion ? objectOfRecord(realmId, record).id : undefined;
  const removed = own === undefined ? removes : [...removes, own];
  return [...ids, ...removed.map(contentsOf), ...(holder === undefined ? [] : [scopeMappingsOf(holder)])];
}

/** The IDs of the objects of a record: its own object, the object that contains it, and the objects that it removes. */
export function idsOfRecord(realmId: string, record: AuditRecord): string[] {
  const { operationType, resourceType, resourcePath, partOf = [], removes = [] } = record;
  if (undescribed.has(resourceType) || resourcePath === 'events') return [];
  const { type, id } = objectOfRecord(realmId, record);
  if (operationType === 'ACTION' && (type === 'Realm' || harmless.test(resourcePath))) return [];
  const above = owner.exec(resourcePath)?.[1];
  return [id, above, ...partOf, ...removes].flatMap((one) => one ?? []);
}

/**
 * Returns the file that describes an object which a manual write has changed. Undefined if there is none, or if the
 * realm ignores such changes. Throws `conflict` if the realm refuses them. One statement for a realm that follows a
 * file, none for others.
 */
export async function managedTouched(
  { db }: Pick<Context, 'db'>,
  realm: RealmRecord,
  audit: readonly AuditRecord[],
): Promise<Managed | undefined> {
  const managed = managedBy(realm);
  const policy = managedChangesOf(realm);
  if (!managed || policy === 'ignore') return undefined;
  // deleting the realm also deletes the notes of its file
  const isDeleted = audit.some(
    ({ operationType, resourceId }) => operationType === 'DELETE' && resourceId === realm.id,
  );
  const ids = [...new Set(audit.flatMap((record) => notedOfRecord(realm.id, record)))];
  if (!isDeleted && (ids.length === 0 || (await managedAmong(db, realm.id, ids)).length === 0)) return undefined;
  if (policy === 'refuse')
    throw conflict(`The object is managed by the file from ${managed.source}: change it there`, undefined, 'MANAGED');
  return managed;
}
