import { adminEventsOf } from './audit.js';
import type { Context } from './context.js';
import type { RealmRecord } from './realm.js';
import { inUnitOfWork, refuseWithin } from './unit-of-work.js';

/** A secret that a caller gets to see. */
export interface Disclosure {
  realm: RealmRecord;
  resourceType: string;
  /** relative to the realm, as in other audit records */
  resourcePath: string;
}

const operation = 'secret.read';

/**
 * Stores that the caller gets to see secrets, before it does: an audit record each, in one transaction of two statements,
 * whatever their number. Throws `invalid` where operations share a transaction: what takes that back would take back
 * the records as well, but not what was seen.
 */
export async function recordDisclosures(ctx: Context, disclosures: readonly Disclosure[]): Promise<void> {
  refuseWithin(ctx, 'Secrets cannot be returned');
  await inUnitOfWork(ctx.services, async (unit) => {
    const events = disclosures.flatMap(({ realm, resourceType, resourcePath }) =>
      adminEventsOf(ctx, realm, operation, [{ operationType: 'ACTION', resourceType, resourcePath }]),
    );
    await unit.tx.adminEvent.createMany({ data: events });
    // listeners are told once for each realm, as of any write with several records
    const firsts = [...new Map(events.toReversed().map((event) => [event.realmId, event])).values()];
    await unit.changed(...firsts.map(({ id, realmId }) => ({ realmId, operation, eventId: id, touches: [] })));
  });
}
