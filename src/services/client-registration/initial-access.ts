import { batchSize, inBatches } from '../core/batches.js';
import type { Services } from '../core/context.js';
import { list, write } from '../core/operation.js';
import { addressForRealm } from '../core/realm.js';
import type { Target } from '../core/target.js';
import { inTransaction, refuseWithin } from '../core/unit-of-work.js';
import { signServerToken } from '../keys/sign.js';
import { issuerOf } from '../tokens/context.js';
import { ClientInitialAccessCreatePresentation, encodeInitialAccess, type InitialAccess } from './representation.js';
import { spentInitialAccess } from './store.js';

/** An initial access token, by its ID. It may be missing: deleting nothing is no error, as recorded. */
export interface InitialAccessTarget extends Target {
  id: string;
}

const resource = (id: string) =>
  ({ resourceType: 'CLIENT_INITIAL_ACCESS_MODEL', resourcePath: `clients-initial-access/${id}` }) as const;

export const initialAccess = list({
  name: 'clientInitialAccess.list',
  summary: 'Returns the initial access tokens of a realm, including exhausted ones.',
  allow: 'view:clients',
  model: 'ClientInitialAccess',
  where: ({ realm }: Target) => ({ realmId: realm.id }),
  orderBy: [{ timestamp: 'asc' }, { id: 'asc' }],
});

/** An initial access token with the token itself, which is returned only once. */
export interface CreatedInitialAccess extends InitialAccess {
  token: string;
}

export const create = write({
  name: 'clientInitialAccess.create',
  summary: 'Creates an initial access token for a number of clients and a lifespan in seconds.',
  input: ClientInitialAccessCreatePresentation,
  allow: 'manage:clients',
  prepare: async (ctx, { realm }: Target, { expiration = 0 }) => {
    refuseWithin(ctx, 'A token cannot be issued');
    const { newId, now, keyring } = ctx.services;
    const id = newId();
    const timestamp = Math.floor(now() / 1000);
    const issuer = issuerOf(addressForRealm(ctx, realm), realm.name);
    const claims = {
      // RFC 7519 has no form for "never": the claim is left out
      ...(expiration > 0 && { exp: timestamp + expiration }),
      iat: timestamp,
      jti: id,
      iss: issuer,
      aud: issuer,
    };
    const token = await signServerToken({ keyring }, realm, { purpose: 'initialAccess', claims });
    return { id, timestamp, token };
  },
  run: async (tx, { realm }, { count = 1, expiration = 0 }, { prepared }): Promise<CreatedInitialAccess> => {
    const { token, ...made } = prepared;
    const row = { ...made, expiration, count, remainingCount: count };
    await tx.clientInitialAccess.createMany({ data: [{ ...row, realmId: realm.id }] });
    return { ...row, token };
  },
  event: ({ token: _, ...row }) => ({
    operationType: 'CREATE',
    ...resource(row.id),
    representation: encodeInitialAccess(row),
  }),
  touches: (_result, { realm }) => [`initial-access:${realm.id}`],
});

export const remove = write({
  name: 'clientInitialAccess.delete',
  summary: 'Deletes an initial access token, which revokes it.',
  allow: 'manage:clients',
  run: async (tx, { realm, id }: InitialAccessTarget) => {
    await tx.clientInitialAccess.deleteMany({ where: { id, realmId: realm.id } });
    return { id, realmId: realm.id };
  },
  event: (_result, { id }) => ({ operationType: 'DELETE', ...resource(id) }),
  touches: (_result, { realm }) => [`initial-access:${realm.id}`],
});

/** Minimum seconds for which a token stays listed, so that its creator can see its use. */
const listedFor = 15 * 60;

/** Removes expired and used-up tokens, a thousand in a transaction. Tokens of the last quarter of an hour are kept. */
export async function removeSpentInitialAccess({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const at = Math.floor(now() / 1000);
  const { upkeep } = database;
  await inBatches(async () => {
    const ids = await spentInitialAccess(upkeep.read, { at, before: at - listedFor, most: batchSize });
    if (ids.length > 0)
      await inTransaction(upkeep, (tx) => tx.clientInitialAccess.deleteMany({ where: { id: { in: ids } } }));
    return ids.length;
  });
}
