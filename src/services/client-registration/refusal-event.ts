import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { recordLoginEvent } from '../events/login-events.js';

/** The fields of a login event for a registration request. */
export interface RegistrationEvent {
  type: string;
  error?: string | undefined;
  clientId?: string | undefined;
}

/** Stores the event of a request that has written nothing, if the realm keeps it. */
export const recordRegistrationEvent = (
  { services, ipAddress }: Pick<Context, 'services' | 'ipAddress'>,
  realm: RealmRecord,
  event: RegistrationEvent,
): Promise<void> => recordLoginEvent(services, realm, { ...event, ipAddress });

/** Runs `work` and stores a login event if it is refused with an event error. */
export async function recordingRefusal<R>(
  ctx: Pick<Context, 'services' | 'ipAddress'>,
  realm: RealmRecord,
  type: string,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.details.event !== undefined) {
      await recordRegistrationEvent(ctx, realm, { type: `${type}_ERROR`, error: error.details.event });
    }
    throw error;
  }
}
