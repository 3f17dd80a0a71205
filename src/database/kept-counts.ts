import type { Database } from './db.js';
import { partsOf } from './flat.js';
import { type KeptCount, keptCounts } from './kept-tables.js';
import type { Model } from './model.js';
import { Prisma } from './prisma.js';
import { put, quote, type Statement } from './statement.js';

/**
 * Appends the stored number of matching rows, if there is one for an owner and this filter; returns whether there is.
 * Counting a hundred thousand rows takes milliseconds; this does not.
 */
export function writeKeptCount(out: Statement, model: Model, where: unknown): boolean {
  const kept = keptCounts.find((count) => count.model === model.name);
  if (!kept) return false;
  const { [kept.foreignKey]: owner, ...others } = Object.fromEntries(partsOf(where));
  const columns = typeof owner === 'string' ? columnsFor(kept, others) : undefined;
  if (columns) writeSum(out, kept, columns, () => put(out, owner));
  return columns !== undefined;
}

/** Appends the stored number of rows that belong to a row of the table `owner`. */
export function writeKeptCountOf(
  out: Statement,
  owner: Model,
  relation: string,
  where: unknown,
  alias: string,
): boolean {
  const kept = keptCounts.find((count) => count.owner === owner.name && count.relation === relation);
  const columns = kept && columnsFor(kept, Object.fromEntries(partsOf(where)));
  if (columns)
    writeSum(out, kept, columns, () => {
      out.text += `${alias}."id"`;
    });
  return columns !== undefined;
}

/** The columns whose sum is the number of matching rows; undefined if none is stored for the filter. */
function columnsFor({ all, whereNull }: KeptCount, filter: Record<string, unknown>): readonly string[] | undefined {
  const [[column, value] = [], ...others] = Object.entries(filter);
  if (column === undefined) return all;
  return others.length === 0 && value === null ? whereNull[column] : undefined;
}

function writeSum(out: Statement, kept: KeptCount, columns: readonly string[], writeOwner: () => void): void {
  out.text += `(SELECT coalesce(sum(${columns.map(quote).join(' + ')}), 0)`;
  if (out.dialect === 'postgresql') out.text += '::int';
  out.text += ` FROM ${quote(kept.table)} WHERE ${quote(kept.foreignKey)} = `;
  writeOwner();
  out.text += ')';
}

/** Maximum counter rows for one owner; above it they are merged. */
const mostRows = 8;

/** Merges the counter rows that PostgreSQL's triggers have left for each owner into one. */
export async function sumUpCounts({ transaction }: Pick<Database, 'transaction'>): Promise<void> {
  for (const { table, foreignKey, all } of keptCounts) {
    const name = Prisma.raw(quote(table));
    const owner = Prisma.raw(quote(foreignKey));
    const columns = Prisma.raw(all.map(quote).join(', '));
    const sums = Prisma.raw(all.map((column) => `sum(${quote(column)})`).join(', '));
    const isAny = Prisma.raw(all.map((column) => `sum(${quote(column)}) <> 0`).join(' OR '));
    await transaction((tx) =>
      tx.execute(Prisma.sql`WITH gone AS (
        DELETE FROM ${name} WHERE ${owner} IN (SELECT ${owner} FROM ${name} GROUP BY ${owner} HAVING count(*) > ${mostRows})
        RETURNING ${owner}, ${columns}
      ) INSERT INTO ${name} (${owner}, ${columns}) SELECT ${owner}, ${sums} FROM gone GROUP BY ${owner} HAVING ${isAny}`),
    );
  }
}
