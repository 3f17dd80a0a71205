import type { MergedRelation } from './computed.js';
import { isObject } from './conditions.js';
import type { FindArgs } from './find-args.js';
import { partsOf } from './flat.js';
import { type Model, modelOf, type Relation } from './model.js';
import { type OrderColumn, writeOrder } from './order.js';
import { writeLimit } from './page.js';
import { nextAlias, putFragment, quote, type Statement } from './statement.js';
import { columnsOf, writeWhere } from './where.js';

interface MergedPage {
  model: Model;
  /** the rows of the page */
  alias: string;
  args: FindArgs;
  order: OrderColumn[];
  /** the alias of the owner of the relation */
  outer: string;
  merged: MergedRelation;
}

/** The lists that a page can be merged from, if these have its order. */
export function mergedBy({ merged }: Relation, args: FindArgs, [first]: OrderColumn[]): MergedRelation | undefined {
  if (args.take === undefined || args.skip || args.cursor) return undefined;
  return first && first.field === merged?.column && !first.through ? merged : undefined;
}

/**
 * Appends the tables and conditions of a page, from FROM on. It takes from each list at most as many rows as the page
 * has, without duplicates. The work grows with the number of lists, not of rows.
 */
export function writeMerged(out: Statement, { model, alias, args, order, outer, merged }: MergedPage): void {
  const ids = nextAlias(out);
  out.text += ' FROM (WITH RECURSIVE ';
  putFragment(out, merged.with(columnsOf(outer)));
  merged.lists.forEach(({ owners, table, owner, row }, at) => {
    const [lists, first, join, inner] = [nextAlias(out), nextAlias(out), nextAlias(out), nextAlias(out)];
    const isSqlite = out.dialect === 'sqlite';
    out.text += at > 0 ? ' UNION ' : ' ';
    // SQLite has no LATERAL, but the argument of a table-valued function may name an earlier table
    out.text += isSqlite
      ? `SELECT ${first}.value AS "id" FROM ${quote(owners)} ${lists} CROSS JOIN json_each((SELECT json_group_array(i) FROM (SELECT ${join}.${quote(row)} AS i`
      : `SELECT ${first}."id" FROM ${quote(owners)} ${lists} CROSS JOIN LATERAL (SELECT ${join}.${quote(row)} AS "id"`;
    out.text += ` FROM ${quote(table)} ${join} CROSS JOIN ${quote(model.name)} ${inner} WHERE `;
    out.text += `${join}.${quote(owner)} = ${lists}."id" AND ${inner}."id" = ${join}.${quote(row)} AND `;
    writeWhere(out, modelOf(table), join, { [merged.column]: boundOf(args.where, merged.column) });
    out.text += ' AND (';
    writeWhere(out, model, inner, args.where);
    out.text += ')';
    writeOrder(out, join, order.slice(0, 1), (args.take ?? 0) < 0);
    writeLimit(out, args);
    out.text += isSqlite ? `))) ${first}` : `) ${first}`;
  });
  out.text += `) ${ids} CROSS JOIN ${quote(model.name)} ${alias} WHERE ${alias}."id" = ${ids}."id"`;
}

/** The bounds that a filter has for a column, for the copy of it. */
function boundOf(where: unknown, column: string): Record<string, unknown> {
  const tests = partsOf(where).flatMap(([key, test]) => (key === column && isObject(test) ? [test] : []));
  const bound = (name: string) => tests.find((test) => test[name] !== undefined)?.[name];
  return { gte: bound('gte'), lte: bound('lte') };
}
