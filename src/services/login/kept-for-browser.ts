import type { Db } from '../../database/db.js';
import type { Services } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { inTransaction } from '../core/unit-of-work.js';
import { hashed } from './state.js';

/** How long a browser may stay away, in seconds. */
const lifespan = 600;

/** A value that is kept until a browser comes back from somewhere else with the secret key of it. */
export interface KeptForBrowser<T> {
  keep(services: Services, realm: RealmRecord, key: string, value: T): Promise<void>;
  /** The value, which stays. Undefined if there is none. */
  read(services: Services, realm: RealmRecord, key: string): Promise<T | undefined>;
  /** The value, once. Undefined if there is none. */
  take(services: Services, realm: RealmRecord, key: string): Promise<T | undefined>;
}

/** Values of one purpose, sealed in the database. */
export function keptForBrowser<T>(purpose: string): KeptForBrowser<T> {
  const find = async (
    db: Db,
    { sealer, now }: Services,
    realm: RealmRecord,
    key: string,
  ): Promise<{ value: T; remove: () => Promise<boolean> } | undefined> => {
    const id = hashed(key);
    const where = { id, realmId: realm.id, purpose, expiresAt: { gt: Math.floor(now() / 1000) } };
    const row = await db.oneTimeToken.findFirst({ where, select: { payload: true } });
    if (!row) return undefined;
    return {
      value: JSON.parse(sealer.open(row.payload, placeOfPayload(id))),
      remove: async () => (await db.oneTimeToken.deleteMany({ where })).count > 0,
    };
  };
  return {
    async keep({ database, sealer, now }, realm, key, value) {
      const id = hashed(key);
      const payload = sealer.seal(JSON.stringify(value), placeOfPayload(id));
      const expiresAt = Math.floor(now() / 1000) + lifespan;
      await inTransaction(database, (tx) =>
        tx.insertNew('OneTimeToken', [{ id, realmId: realm.id, purpose, payload, expiresAt }]),
      );
    },
    read: async (services, realm, key) => (await find(services.database.read, services, realm, key))?.value,
    take: (services, realm, key) =>
      inTransaction(services.database, async (tx) => {
        const found = await find(tx, services, realm, key);
        return found && (await found.remove()) ? found.value : undefined;
      }),
  };
}
