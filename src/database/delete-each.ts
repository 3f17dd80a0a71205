import type { Db, ModelName } from './db.js';
import { arrayTypes } from './lists.js';
import { modelOf } from './model.js';
import { Prisma } from './prisma.js';
import { bigIntAsNumber, quote } from './statement.js';

/** Deletes the rows with these primary keys in one statement; `rows` have at least its columns. */
export async function deleteEach(tx: Db, model: ModelName, rows: readonly Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  const { fields, primaryKey } = modelOf(model);
  const keys = JSON.stringify(
    rows.map((row) => primaryKey.map((column) => row[column])),
    bigIntAsNumber,
  );
  const isSqlite = tx.dialect === 'sqlite';
  const items = primaryKey.map((column, at) =>
    isSqlite
      ? `json_extract(x.value, '$[${at}]')`
      : `(x.value ->> ${at})::${arrayTypes[fields.get(column)?.type ?? 'String'] ?? 'text'}`,
  );
  const columns = primaryKey.map((column) => `${quote(model)}.${quote(column)}`).join(', ');
  const source = isSqlite
    ? Prisma.sql`json_each(${keys}) AS x`
    : Prisma.sql`json_array_elements((${keys})::json) AS x(value)`;
  await tx.later.execute(
    Prisma.sql`DELETE FROM ${Prisma.raw(quote(model))} WHERE (${Prisma.raw(columns)}) IN (SELECT ${Prisma.raw(items.join(', '))} FROM ${source})`,
  );
}
