import type { Db, ModelName } from './db.js';
import { listed } from './lists.js';
import { modelOf } from './model.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';

/** The row locks of PostgreSQL that statements here end with. */
type Lock = 'FOR UPDATE' | 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE OF u';

/**
 * The clause by which a query locks its rows until the end of the transaction. Empty on SQLite, where one transaction writes
 * at a time.
 */
export const rowLock = ({ dialect }: Pick<Db, 'dialect'>, lock: Lock): Prisma.Sql =>
  dialect === 'postgresql' ? Prisma.raw(lock) : Prisma.empty;

/** Whether the rows of a model have a version, which their updates count up. */
export const isVersioned = (model: ModelName): boolean => modelOf(model).fields.has('version');

interface LockedRow {
  model: ModelName;
  id: string;
}

/**
 * Makes writers of one row queue until the end of the transaction; rows that refer to it may still be inserted and
 * deleted. `check` receives its version before the commit, or undefined if the row was deleted. SQLite, where writers
 * queue anyway, reads the row only for `needsVersion`.
 */
export async function lockRow(
  tx: Db,
  { model, id }: LockedRow,
  needsVersion: boolean,
  check: (row: { version: unknown } | undefined) => void,
): Promise<void> {
  if (tx.dialect === 'sqlite' && !needsVersion) return;
  tx.later.own(model, [id], true);
  const column = Prisma.raw(quote(isVersioned(model) ? 'version' : 'id'));
  const statement = Prisma.sql`SELECT ${column} FROM ${Prisma.raw(quote(model))} WHERE "id" = ${id} ${rowLock(tx, 'FOR NO KEY UPDATE')}`;
  await tx.later.expect(statement, ([row]) => check(row && { version: row[0] }));
}

/**
 * Makes writers of these rows queue until the end of the transaction. The rows are locked in a fixed order, so that no
 * deadlock is possible.
 */
export async function lockRows(tx: Db, model: ModelName, ids: readonly string[]): Promise<void> {
  if (tx.dialect === 'sqlite' || ids.length === 0) return;
  tx.later.own(model, ids, true);
  const rows = Prisma.sql`SELECT "id" FROM ${Prisma.raw(quote(model))} WHERE "id" IN (${listed(tx, ids)})`;
  await tx.query(Prisma.sql`${rows} ORDER BY "id" ${rowLock(tx, 'FOR NO KEY UPDATE')}`);
}

/**
 * Protects a row from changes until the end of the transaction. Transactions that lock it wait; others can share it.
 */
export async function shareRow(tx: Db, { model, id }: LockedRow): Promise<void> {
  if (tx.dialect === 'sqlite') return;
  tx.later.own(model, [id], false);
  const row = Prisma.sql`SELECT "id" FROM ${Prisma.raw(quote(model))} WHERE "id" = ${id}`;
  await tx.later.expect(Prisma.sql`${row} ${rowLock(tx, 'FOR SHARE')}`, () => undefined);
}

/** Makes transactions queue for the rows that a query finds, until the end of each. */
export async function lockFound(tx: Db, rows: Prisma.Sql): Promise<void> {
  if (tx.dialect === 'sqlite') return;
  await tx.later.expect(Prisma.sql`${rows} ${rowLock(tx, 'FOR NO KEY UPDATE')}`, () => undefined);
}
