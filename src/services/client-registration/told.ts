import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { retried } from '../core/transaction.js';
import { keepsEvents, storeLoginEvent } from '../events/login-events.js';

/** What a login event says of a request for a registration. */
export interface RegistrationEvent {
  type: string;
  error?: string | undefined;
  clientId?: string | undefined;
}

/** Stores the event of a request that has written nothing, if the realm keeps it. */
export async function storeRegistrationEvent(
  { services, ipAddress }: Pick<Context, 'services' | 'ipAddress'>,
  realm: RealmRecord,
  event: RegistrationEvent,
): Promise<void> {
  if (!keepsEvents(realm, event.type)) return;
  const { database, newId, now } = services;
  await retried(database, (tx) => storeLoginEvent(tx, newId, realm, { ...event, ipAddress }, now()));
}

/** Does the work; where it is refused for a reason that login events know, the realm hears of it. */
export async function told<R>(
  ctx: Pick<Context, 'services' | 'ipAddress'>,
  realm: RealmRecord,
  type: string,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.details.event !== undefined) {
      await storeRegistrationEvent(ctx, realm, { type: `${type}_ERROR`, error: error.details.event });
    }
    throw error;
  }
}
