import { createHash, randomUUID } from 'node:crypto';
import DataLoader from 'dataloader';
import type { Database } from '../../database/db.js';
import type { KeyOwner, Keyring, RealmKey } from '../core/ports.js';
import { isRecent } from '../core/recent.js';
import { Refusal } from '../core/refusal.js';
import { openedEntries, type Sealer } from '../core/seal.js';
import { placeOfSecrets } from '../core/sealed-columns.js';
import { inTransaction } from '../core/unit-of-work.js';
import { isComplete, keyOf, missingMaterial } from './material.js';
import { curveOf, keyProviderType, type Material, type Provider, type ProviderRow, readProvider } from './provider.js';
import { completeSecrets, readProviders } from './store.js';

interface Known {
  fingerprint: string;
  keys: readonly RealmKey[];
  /** milliseconds since 1970 */
  checkedAt: number;
}

const maxAge = 1000;

const maxRealms = 2000;

export interface KeyringSettings {
  database: Database;
  sealer: Sealer;
  /** milliseconds since 1970 */
  now?: () => number;
  /** receives a provider whose key cannot be used; the reason contains no secrets */
  onUnusable?: (componentId: string, reason: string) => void;
}

/** Caches the keys of the realms, and notices changes of their components within a second. */
export function createKeyring({ database, sealer, now = Date.now, onUnusable }: KeyringSettings): Keyring {
  const known = new Map<string, Known>();
  const loading = new Map<string, Promise<readonly RealmKey[]>>();
  const making = new Map<string, Promise<Material | undefined>>();

  /** Concurrent reads of realms share one statement. */
  const providers = new DataLoader<string, ProviderRow[]>(
    async (realmIds) => {
      const found = await readProviders(database, [...new Set(realmIds)]);
      return realmIds.map((id) => found.get(id) ?? []);
    },
    { cache: false },
  );

  async function load(realm: KeyOwner): Promise<readonly RealmKey[]> {
    const checkedAt = now();
    let rows = await providers.load(realm.id);
    const before = known.get(realm.id);
    if (before && before.fingerprint === fingerprintOf(rows)) {
      before.checkedAt = checkedAt;
      return before.keys;
    }
    if (await complete(realm, rows)) rows = await providers.load(realm.id);
    const keys = rows.flatMap((row) => usable(row, () => keyOfRow(row))).toSorted(byPriority);
    known.delete(realm.id);
    known.set(realm.id, { fingerprint: fingerprintOf(rows), keys, checkedAt });
    const [oldest] = known.keys();
    if (known.size > maxRealms && oldest !== undefined) known.delete(oldest);
    return keys;
  }

  function usable<T>(row: ProviderRow, read: () => T[]): T[] {
    try {
      return read();
    } catch (error) {
      // one broken provider must not make the realm's other keys unusable
      onUnusable?.(row.id, error instanceof Error ? error.message : 'unknown');
      return [];
    }
  }

  function keyOfRow(row: ProviderRow): RealmKey[] {
    const provider = readProvider(row, sealer);
    return provider && isComplete(provider) ? [keyOf(provider)] : [];
  }

  /** The missing material of a provider. Concurrent loads of the same row share it: nothing is generated twice. */
  function materialFor(row: ProviderRow, provider: Provider, realm: KeyOwner): Promise<Material | undefined> {
    const key = fingerprintOf([row]);
    const running = making.get(key);
    if (running) return running;
    const started = missingMaterial(provider, realm).finally(() => making.delete(key));
    making.set(key, started);
    return started;
  }

  /** Generates missing material of providers, unless too many keys wait. Returns whether anything was written. */
  async function complete(realm: KeyOwner, rows: ProviderRow[]): Promise<boolean> {
    const made = await Promise.allSettled(
      rows.map(async (row) => {
        const [provider] = usable(row, () => [readProvider(row, sealer)]);
        if (!provider || isComplete(provider)) return [];
        try {
          const material = await materialFor(row, provider, realm);
          if (!material) return [];
          const place = placeOfSecrets('Component', row);
          const before = openedEntries(row.secrets, place, sealer);
          return [{ row, secrets: sealer.seal(JSON.stringify({ ...before, ...material }), place) }];
        } catch (error) {
          if (error instanceof Refusal) throw error;
          onUnusable?.(row.id, error instanceof Error ? error.message : 'unknown');
          return [];
        }
      }),
    );
    const writes = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (writes.length === 0) {
      const refused = made.find((one) => one.status === 'rejected');
      if (refused) throw refused.reason;
      return false;
    }
    await inTransaction(database, async (tx) => {
      for (const { row, secrets } of writes) await completeSecrets(tx, row, secrets);
    });
    return true;
  }

  async function realmKeys(realm: KeyOwner, { fresh = false } = {}): Promise<readonly RealmKey[]> {
    const entry = known.get(realm.id);
    if (entry && !fresh && isRecent(entry.checkedAt, maxAge, now())) return entry.keys;
    const running = loading.get(realm.id);
    // a load that began before a change must not answer a caller who needs to see that change
    if (running && !fresh) return running;
    const started = load(realm);
    loading.set(realm.id, started);
    try {
      return await started;
    } finally {
      if (loading.get(realm.id) === started) loading.delete(realm.id);
    }
  }

  async function signingKeyNow(realm: KeyOwner, algorithm: string, fresh: boolean): Promise<RealmKey | undefined> {
    const keys = await realmKeys(realm, { fresh });
    return keys.find((key) => key.use === 'SIG' && key.status === 'ACTIVE' && key.algorithm === algorithm);
  }

  const presentKey = async (realm: KeyOwner, algorithm: string): Promise<RealmKey | undefined> =>
    (await signingKeyNow(realm, algorithm, false)) ?? signingKeyNow(realm, algorithm, true);

  return {
    realmKeys,
    presentKey,
    async signingKey(realm, algorithm) {
      const key = await presentKey(realm, algorithm);
      if (key) return key;
      await addFallback(database, realm.id, algorithm);
      const added = await signingKeyNow(realm, algorithm, true);
      if (!added) throw new Error(`No key can sign with ${algorithm}`);
      return added;
    },
    forget(realmId) {
      if (realmId === undefined) known.clear();
      else known.delete(realmId);
    },
  };
}

const fingerprintOf = (rows: ProviderRow[]): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('base64');

const byPriority = (one: RealmKey, other: RealmKey): number =>
  other.providerPriority - one.providerPriority || (one.providerId < other.providerId ? -1 : 1);

/** Adds a provider for the algorithm, as the reference does for a realm that lost the one it needs. */
async function addFallback(database: Database, realmId: string, algorithm: string): Promise<void> {
  const curve = curveOf(algorithm);
  const providerId = curve ? 'ecdsa-generated' : algorithm.startsWith('HS') ? 'hmac-generated' : 'rsa-generated';
  const kind = curve ? { ecdsaEllipticCurveKey: [curve] } : { algorithm: [algorithm] };
  const name = `fallback-${algorithm}`;
  await inTransaction(database, async (tx) => {
    const active = { realmId, name, providerType: keyProviderType };
    if ((await tx.component.count({ where: active })) > 0) return;
    await tx.component.createMany({
      data: [{ ...active, id: randomUUID(), parentId: realmId, providerId, config: { priority: ['-100'], ...kind } }],
    });
  });
}
