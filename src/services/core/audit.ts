import type { Db } from '../../database/db.js';
import { storeChange } from '../../database/listen.js';
import type { RealmRecord } from '../realms/record.js';
import type { Context } from './context.js';
import type { AuditRecord } from './operation.js';

/** The audit record of a write, as it was stored. */
export interface AdminEvent {
  id: string;
  realmId: string;
  time: bigint;
  operation: string;
  operationType: string;
  resourceType: string;
  resourcePath: string;
  authRealmId: string;
  authClientId: string;
  authUserId: string;
  authIpAddress: string;
  representation: string | null;
  before: string | null;
  listed: boolean;
}

const asText = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

/**
 * Stores the audit records and the change row of a write in its transaction and returns the first record. The realm's
 * events configuration decides whether the contract's list of admin events shows them, and whether they keep the
 * representation.
 */
export async function record(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  operation: string,
  audits: AuditRecord[],
  touches: string[],
): Promise<AdminEvent | undefined> {
  const { caller, services } = ctx;
  const detailed = realm.settings.adminEventsDetailsEnabled === true;
  const events = audits.map(
    (audit): AdminEvent => ({
      id: services.newId(),
      realmId: realm.id,
      time: BigInt(services.now()),
      operation,
      operationType: audit.operationType,
      resourceType: audit.resourceType,
      resourcePath: audit.resourcePath,
      authRealmId: caller.realmId,
      authClientId: caller.clientId,
      authUserId: caller.userId,
      authIpAddress: ctx.ipAddress,
      representation: detailed ? asText(audit.representation) : null,
      before: detailed ? asText(audit.before) : null,
      listed: realm.settings.adminEventsEnabled === true,
    }),
  );
  const [first] = events;
  if (!first) return undefined;
  await tx.adminEvent.createMany({ data: events });
  services.feed.announce(first.id);
  await storeChange(tx, { realmId: realm.id, operation, eventId: first.id, touches, at: first.time });
  return first;
}
