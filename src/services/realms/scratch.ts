import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { decode } from '../core/shape.js';
import { inTransaction } from '../core/unit-of-work.js';
import { assembleRealm, newClientSecret } from './assemble/realm.js';
import { masterName, masterRealm } from './defaults/master.js';
import { realmByName } from './locate.js';
import { RealmRepresentation } from './representation.js';
import { insertRealm } from './store.js';

/**
 * Creates a realm with the defaults and with this content of a RealmRepresentation, for comparisons with files. It is
 * the only realm of an empty database: no other realm administers it.
 */
export async function createScratchRealm(ctx: Context, name: string, content: object = {}): Promise<RealmRecord> {
  const { database, sealer, newId, now } = ctx.services;
  const input = decode(RealmRepresentation, {
    ...(name === masterName ? masterRealm : {}),
    realm: name,
    ...content,
  });
  const context = { newId, newSecret: newClientSecret, seal: sealer.seal, now: now() };
  const rows = await assembleRealm(input, context);
  await inTransaction(database, (tx) => insertRealm(tx, rows));
  return realmByName(ctx, name);
}
