import type { Db, ModelName } from './db.js';
import { listed, unionOf } from './lists.js';
import { modelNames, modelOf } from './model.js';
import { Prisma } from './prisma.js';
import { quote } from './statement.js';

/** The models whose rows have an ID column. */
const identified = (): ModelName[] =>
  modelNames()
    .map(modelOf)
    .filter(({ primaryKey, fields }) => primaryKey.join() === 'id' && fields.get('id')?.type === 'String')
    .map(({ name }) => name);

/** Returns the IDs that any row of the database has, in any realm and table. One statement. */
export async function takenIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Set();
  const list = listed(db, asked);
  const queries = identified().map((name) => {
    const table = Prisma.raw(quote(name));
    return Prisma.sql`SELECT "id" FROM ${table} WHERE "id" IN (${list})`;
  });
  const found = await db.query<{ id: string }>(unionOf(queries));
  return new Set(found.map(({ id }) => id));
}
