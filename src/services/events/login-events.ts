import type { Db } from '../../database/db.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import { keptEventTypes } from '../realms/defaults/events.js';
import { countLogin } from './counted-logins.js';

/** Something that happened at the login side of a realm, with the contract's type, error and names of details. */
export interface LoginEvent {
  type: string;
  clientId?: string | undefined;
  userId?: string | undefined;
  sessionId?: string | undefined;
  ipAddress?: string | undefined;
  /** only of types that end in `_ERROR` */
  error?: string | undefined;
  details?: Record<string, string | undefined>;
}

/** A realm, with the settings that say which events it keeps. */
export interface EventRealm {
  id: string;
  settings: Record<string, unknown>;
}

/** Whether the realm keeps events of this type. A realm that names no types keeps `keptEventTypes`. */
function keepsEvents({ settings }: Pick<EventRealm, 'settings'>, type: string): boolean {
  if (settings.eventsEnabled !== true) return false;
  const named = settings.enabledEventTypes;
  return (Array.isArray(named) && named.length > 0 ? named : keptEventTypes).includes(type);
}

/** The services for an event: its ID, and its time in milliseconds since 1970. */
interface EventServices {
  newId(): string;
  now(): number;
}

/** Stores an event in the transaction that it reports, if the realm keeps it. */
export async function storeLoginEvent(
  tx: Db,
  { newId, now }: EventServices,
  realm: EventRealm,
  event: LoginEvent,
): Promise<void> {
  countLogin(event);
  if (!keepsEvents(realm, event.type)) return;
  const { details = {}, type, clientId, userId, sessionId, ipAddress, error } = event;
  const present = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const who = { clientId: clientId ?? null, userId: userId ?? null, sessionId: sessionId ?? null };
  const row = { id: newId(), realmId: realm.id, time: BigInt(now()), type, ...who, error: error ?? null };
  await tx.later.insertNew('LoginEvent', [{ ...row, ipAddress: ipAddress ?? null, details: present as object }]);
}

/** Stores the event of an action without other writes, in a separate transaction, if the realm keeps it. */
export async function recordLoginEvent(
  services: EventServices & Pick<Services, 'database'>,
  realm: EventRealm,
  event: LoginEvent,
): Promise<void> {
  if (!keepsEvents(realm, event.type)) return countLogin(event);
  await inTransaction(services.database, (tx) => storeLoginEvent(tx, services, realm, event));
}
