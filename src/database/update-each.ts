import type { Db, ModelName } from './db.js';
import { delegateName, modelOf } from './model.js';
import type { DelegateName } from './model-methods.js';
import { Prisma } from './prisma.js';
import { bigIntAsNumber } from './statement.js';

type Row = { id: string } & Record<string, unknown>;

const casts: Record<string, string> = { String: 'text', Boolean: 'boolean', Int: 'int', BigInt: 'bigint' };

/**
 * Updates any number of rows in one statement, each only in its given columns. Increments the version of a model that
 * has one.
 */
export async function updateEach(tx: Db, model: ModelName, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { fields } = modelOf(model);
  if (rows.length === 1) {
    const { id, ...data } = first;
    const versioned = fields.has('version') ? { ...data, version: { increment: 1 } } : data;
    const update = { where: { id }, data: versioned } as never;
    await tx.later[delegateName(model) as DelegateName].updateMany(update);
    return;
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => column !== 'id');
  const sqlite = tx.dialect === 'sqlite';
  const set = columns.map((column) => {
    const type = fields.get(column)?.type ?? 'String';
    if (sqlite) {
      // a value of JSON is stored as its text
      const value = type === 'Json' ? `x.value -> '$.${column}'` : `json_extract(x.value, '$.${column}')`;
      return `"${column}" = CASE WHEN json_type(x.value, '$.${column}') IS NULL THEN t."${column}" ELSE ${value} END`;
    }
    const value = type === 'Json' ? `(x.value -> '${column}')::jsonb` : `(x.value ->> '${column}')::${casts[type]}`;
    return `"${column}" = CASE WHEN x.value -> '${column}' IS NULL THEN t."${column}" ELSE ${value} END`;
  });
  if (fields.has('version')) set.push(`"version" = t."version" + 1`);
  // a row without changes stays
  if (set.length === 0) return;
  const source = sqlite ? 'json_each(' : 'json_array_elements((';
  const ending = sqlite
    ? `) AS x WHERE t."id" = json_extract(x.value, '$.id')`
    : `)::json) AS x(value) WHERE t."id" = x.value ->> 'id'`;
  const payload = JSON.stringify(rows, bigIntAsNumber);
  await tx.later.execute(
    Prisma.sql`${Prisma.raw(`UPDATE "${model}" AS t SET ${set.join(', ')} FROM ${source}`)}${payload}${Prisma.raw(ending)}`,
  );
}
