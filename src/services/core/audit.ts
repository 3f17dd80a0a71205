import { objectOfRecord } from './audited-object.js';
import type { Context } from './context.js';
import { isObject } from './json.js';
import type { AuditRecord } from './operation.js';
import type { RealmRecord } from './realm.js';
import type { UnitOfWork } from './unit-of-work.js';

/** The audit record of a write, as it was stored. */
export interface AdminEvent {
  id: string;
  realmId: string;
  time: bigint;
  operation: string;
  operationType: string;
  resourceType: string;
  resourcePath: string;
  resourceId: string | null;
  authRealmId: string;
  authClientId: string;
  authUserId: string;
  authIpAddress: string;
  representation: string | null;
  before: string | null;
  sent: string | null;
  listed: boolean;
}

const asText = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/**
 * The details of a write that an audit record keeps: the full representations, and the names of the fields that the
 * caller sent.
 */
function detailsOf({ operationType, representation, before }: AuditRecord, input: unknown) {
  const isMerge = operationType === 'CREATE' || operationType === 'UPDATE';
  // an input without common fields is not a representation of the object
  const isPart =
    isMerge && isObject(representation) && isObject(input) && Object.keys(input).some((key) => key in representation);
  return {
    representation: asText(representation),
    before: asText(before),
    sent: isPart ? asText(Object.keys(input)) : null,
  };
}

const noDetails = { representation: null, before: null, sent: null };

/** Converts audit records to rows. The realm's events configuration decides which parts the contract's list shows. */
export function adminEventsOf(
  ctx: Context,
  realm: RealmRecord,
  operation: string,
  audits: readonly AuditRecord[],
  input?: unknown,
): AdminEvent[] {
  const { caller, services } = ctx;
  const detailed = realm.settings.adminEventsDetailsEnabled === true;
  return audits.map((audit) => ({
    id: services.newId(),
    realmId: realm.id,
    time: BigInt(services.now()),
    operation,
    operationType: audit.operationType,
    resourceType: audit.resourceType,
    resourcePath: audit.resourcePath,
    resourceId: objectOfRecord(realm.id, audit).id ?? null,
    authRealmId: caller.realmId,
    authClientId: caller.clientId,
    authUserId: caller.userId,
    authIpAddress: ctx.ipAddress,
    ...(detailed ? detailsOf(audit, input) : noDetails),
    listed: realm.settings.adminEventsEnabled === true,
  }));
}

/** A write of an administrator for the audit record. */
interface Recorded {
  realm: RealmRecord;
  operation: string;
  audit: readonly AuditRecord[];
  touches: string[];
  /** the input of the caller */
  input: unknown;
}

/**
 * Stores the audit records of a write in its unit of work, with the change, and returns them. The realm's events
 * configuration decides whether the contract's list of admin events shows them, and whether they keep the
 * representation. A write without audit records has changed nothing that other processes cache, so only this process is
 * notified.
 */
export async function record(
  unit: UnitOfWork,
  ctx: Context,
  { realm, operation, audit, touches, input }: Recorded,
): Promise<AdminEvent[]> {
  const events = adminEventsOf(ctx, realm, operation, audit, input);
  const [first] = events;
  const change = { realmId: realm.id, operation, touches };
  if (!first) {
    unit.changedHere(change);
    return [];
  }
  await unit.tx.adminEvent.createMany({ data: events });
  await unit.changed({ ...change, eventId: first.id });
  return events;
}
