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
 * Stores that the caller will see secrets, before it does: an audit record for each, in one transaction of two
 * statements for any number. Throws `invalid` if operations share a transaction: a rollback would delete the records,
 * although the secrets were seen.
 */
export async function recordDisclosures(ctx: Context, disclosures: readonly Disclosure[]): Promise<void> {
  refuseWithin(ctx, 'Secrets cannot be returned');
  await inUnitOfWork(ctx.services, async (unit) => {
    const events = disclosures.flatMap(({ realm, resourceType, resourcePath }) =>
      adminEventsOf(ctx, realm, operation, [{ operationType: 'ACTION', resourceType, resourcePath }]),
    );
    await unit.tx.adminEvent.createMany({ data: events });
    // listeners are notified once for each realm, as for any write with several records
    const firsts = [...new Map(events.toReversed().map((event) => [event.realmId, event])).values()];
    await unit.changed(...firsts.map(({ id, realmId }) => ({ realmId, operation, eventId: id, touches: [] })));
  });
}
