import type { Database, Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { createSealer, type Sealer, type SealingKeys } from '../core/seal.js';
import { retried } from '../core/transaction.js';
import { checkId, checkText } from './check.js';
import { identifier, jsonColumns, jsonIds, sealedColumns, sealedMembers, sealedTexts } from './columns.js';

/** Rows of one transaction. */
const batch = 200;

/** Seals the texts of a batch anew, in one statement; one that has changed meanwhile stays. Returns the last id. */
async function resealTexts(
  tx: Db,
  sealer: Sealer,
  column: (typeof sealedColumns)[number],
  after: string,
): Promise<string | undefined> {
  const found = await sealedTexts(tx, column, after, batch);
  if (found.length === 0) return undefined;
  const rows = found.map(({ id, value }) => Prisma.sql`(${id}, ${value}, ${sealer.seal(sealer.open(value))})`);
  const [table, name] = [identifier(column[0]), identifier(column[1])];
  await tx.execute(Prisma.sql`
    WITH changed("id", "old", "new") AS (VALUES ${Prisma.join(rows)})
    UPDATE ${table} SET ${name} = changed."new" FROM changed
     WHERE ${table}."id" = changed."id" AND ${table}.${name} = changed."old"`);
  return found.at(-1)?.id;
}

async function resealMembers(
  tx: Db,
  sealer: Sealer,
  column: (typeof jsonColumns)[number],
  after: string,
): Promise<string | undefined> {
  const ids = await jsonIds(tx, column, after, batch);
  for (const row of await column.read(tx, ids)) {
    const changed = sealedMembers(row).map(([name, value]) => [name, sealer.seal(sealer.open(value))]);
    if (changed.length > 0) {
      await column.write(tx, { id: row.id, members: { ...row.members, ...Object.fromEntries(changed) } });
    }
  }
  return ids.at(-1);
}

/** Runs `step` with the id that the one before ended at, each in a transaction, until it finds nothing more. */
async function inBatches(database: Database, step: (tx: Db, after: string) => Promise<string | undefined>) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    after = await retried(database, (tx) => step(tx, from));
  }
}

/**
 * Seals all secrets of a database with the key, whatever of `key`, `previous` and none they are sealed with, some rows in
 * each transaction. After a crash it is run again: what is done opens with the new key. Throws for a value that neither
 * key opens, and leaves that as it is.
 */
export async function rotateKey(database: Database, keys: SealingKeys & { key: Uint8Array }): Promise<void> {
  const sealer = createSealer({ ...keys, opensPlain: true });
  const row = await database.read.secretsKeyCheck.findUnique({ where: { id: checkId }, select: { value: true } });
  // fails before anything is changed where the keys are wrong
  if (row) sealer.open(row.value);
  for (const column of sealedColumns) {
    await inBatches(database, (tx, after) => resealTexts(tx, sealer, column, after));
  }
  for (const column of jsonColumns) {
    await inBatches(database, (tx, after) => resealMembers(tx, sealer, column, after));
  }
  await retried(database, async (tx) => {
    await tx.secretsKeyCheck.deleteMany({ where: { id: checkId } });
    await tx.secretsKeyCheck.createMany({ data: { id: checkId, value: sealer.seal(checkText) } });
  });
  // what was there before stands in free pages of the file until they are written again
  if (database.dialect === 'sqlite') await database.read.execute(Prisma.sql`VACUUM`);
}
