import { randomBytes } from 'node:crypto';
import type { Services } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { placeOfPayload } from '../../core/sealed-columns.js';
import { inTransaction } from '../../core/unit-of-work.js';
import type { BrowserBinding } from '../../saml/settings.js';
import type { Concerned } from '../../sessions/notifications.js';
import { hashed } from '../state.js';

/** A logout that leads the browser from one client to the next. */
export interface SamlLogout {
  /** the client that has asked for it */
  initiator: { clientId: string; requestId: string; relayState: string | undefined; binding: BrowserBinding };
  /** the clients that the browser has not been to */
  pending: Concerned[];
  /** clientId of the client that the browser is at */
  current?: string;
  /** whether a client could not be told */
  isPartial: boolean;
  /** notes of the session, until its identity provider is told */
  notes?: Record<string, unknown>;
}

const purpose = 'SAML logout';
/** How long a client may take to send the browser back, in seconds. */
const lifespan = 600;

/** A key that names a logout under way; it can be the ID of a message. */
export const newLogoutKey = (): string => `ID_${randomBytes(32).toString('hex')}`;

/** Keeps a logout until the browser comes back with the key. */
export async function keepLogout(
  { database, sealer, now }: Services,
  realm: RealmRecord,
  key: string,
  logout: SamlLogout,
): Promise<void> {
  const id = hashed(key);
  const payload = sealer.seal(JSON.stringify(logout), placeOfPayload(id));
  const expiresAt = Math.floor(now() / 1000) + lifespan;
  await inTransaction(database, (tx) =>
    tx.insertNew('OneTimeToken', [{ id, realmId: realm.id, purpose, payload, expiresAt }]),
  );
}

/** The logout that a key names, once; undefined if there is none. */
export async function takeLogout(
  { database, sealer, now }: Services,
  realm: RealmRecord,
  key: string,
): Promise<SamlLogout | undefined> {
  const id = hashed(key);
  const where = { id, realmId: realm.id, purpose, expiresAt: { gt: Math.floor(now() / 1000) } };
  const payload = await inTransaction(database, async (tx) => {
    const row = await tx.oneTimeToken.findFirst({ where, select: { payload: true } });
    return row && (await tx.oneTimeToken.deleteMany({ where })).count > 0 ? row.payload : undefined;
  });
  return payload === undefined ? undefined : (JSON.parse(sealer.open(payload, placeOfPayload(id))) as SamlLogout);
}
