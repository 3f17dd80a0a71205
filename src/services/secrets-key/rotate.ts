import type { Database, Db } from '../../database/db.js';
import { rewriteFile } from '../../database/upkeep.js';
import { createSealer, isPlain, type Sealer, type SealingKeys } from '../core/seal.js';
import { inTransaction } from '../core/unit-of-work.js';
import { boundText, checkId, checkPlace } from './check.js';
import {
  objectColumns,
  placeIn,
  replace,
  type SealedColumn,
  sealedMembers,
  sealedObjects,
  sealedTexts,
  textColumns,
} from './store.js';

/** Rows of one transaction: few for a model whose rows may have many megabytes. */
const batchOf = ({ model }: SealedColumn): number => (model === 'RealmApply' ? 5 : 200);

/** Seals the texts of a batch again, bound to their places. Returns the last ID. */
async function resealTexts(tx: Db, sealer: Sealer, column: SealedColumn, after: string): Promise<string | undefined> {
  const found = await sealedTexts(tx, column, after, batchOf(column));
  if (found.length === 0) return undefined;
  const changes = found.map(({ value, ...row }) => {
    const place = placeIn(column.model, column.column, row);
    return { id: row.id, before: value, after: sealer.seal(sealer.open(value, place), place) };
  });
  await replace(tx, column, changes);
  return found.at(-1)?.id;
}

/** Seals the members of a batch of objects again, bound to their places. Returns the last ID. */
async function resealObjects(tx: Db, sealer: Sealer, column: SealedColumn, after: string): Promise<string | undefined> {
  const found = await sealedObjects(tx, column, after, batchOf(column));
  if (found.length === 0) return undefined;
  const changes = found.map(({ value, text, ...row }) => {
    const members = sealedMembers(value).map(([name, sealed]) => {
      const place = placeIn(column.model, `${column.column}.${name}`, row);
      return [name, sealer.seal(sealer.open(sealed, place), place)];
    });
    return { id: row.id, before: text, after: JSON.stringify({ ...value, ...Object.fromEntries(members) }) };
  });
  await replace(tx, column, changes);
  return found.at(-1)?.id;
}

/** Runs `step` with the last ID of the previous step, each in a transaction, until it finds nothing more. */
async function inBatches(database: Database, step: (tx: Db, after: string) => Promise<string | undefined>) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    after = await inTransaction(database, (tx) => step(tx, from));
  }
}

/**
 * Seals all secrets of a database with the key and for their places, some rows in each transaction. Before, they may be
 * sealed with `key` or `previous`, or be in clear. A service that starts afterwards opens no secret that is not bound
 * to its place. After a crash it can run again: finished rows open with the new key. Throws for a value that neither
 * key opens, and leaves it unchanged.
 */
export async function rotateKey(database: Database, keys: SealingKeys & { key: Uint8Array }): Promise<void> {
  const row = await database.read.secretsKeyCheck.findUnique({ where: { id: checkId }, select: { value: true } });
  // a value in clear in a database with sealed secrets was written by somebody else
  const opensPlain = !row || isPlain(row.value);
  const sealer = createSealer(keys, { opensPlain, opensUnbound: true });
  // fails before any change if the keys are wrong
  if (row) sealer.open(row.value, checkPlace);
  for (const column of textColumns) {
    await inBatches(database, (tx, after) => resealTexts(tx, sealer, column, after));
  }
  for (const column of objectColumns) {
    await inBatches(database, (tx, after) => resealObjects(tx, sealer, column, after));
  }
  await inTransaction(database, async (tx) => {
    await tx.secretsKeyCheck.deleteMany({ where: { id: checkId } });
    await tx.secretsKeyCheck.createMany({ data: { id: checkId, value: sealer.seal(boundText, checkPlace) } });
  });
  // the old values remain in free pages of the file until those are overwritten
  await rewriteFile(database);
}
