import type { FindArgs } from './find-args.js';
import { equalFields, partsOf } from './flat.js';
import { copiedColumns } from './kept-tables.js';
import type { Model, Relation } from './model.js';
import { writeOrder } from './order.js';
import { nextAlias, put, putPlanned, quote, type Statement } from './statement.js';
import { writeWhere } from './where.js';

type Node = Record<string, unknown>;

/** Page sizes that are frequent enough for a separate statement. */
const usualSizes = new Set([1, 2, 10, 11, 20, 21, 50, 51, 100, 101]);

/** Appends LIMIT and OFFSET. */
export function writeLimit(out: Statement, { take, skip }: FindArgs): void {
  if (take === undefined && !skip) return;
  out.text += ' LIMIT ';
  if (take === undefined) out.text += out.dialect === 'sqlite' ? '-1' : 'ALL';
  // for any limit, PostgreSQL plans for a tenth of the rows; SQLite compiles a statement again for each bound limit
  else if (usualSizes.has(Math.abs(take))) out.text += Math.abs(take);
  else putPlanned(out, Math.abs(take));
  if (skip) {
    out.text += ' OFFSET ';
    put(out, skip);
  }
}

/** A join table for the rows of one owner, with a copy of the column by which they are ordered. */
interface JoinedInOrder {
  relation: Relation;
  filter: Node;
  /** the rest of the filter */
  others: Node[];
  /** the one column of the order */
  column: string;
}

/**
 * Finds the table from whose index a page can be read in order. This is the table of a relation for which the filter
 * requires some row. A copy of the first column of the order must be unique among these rows.
 */
export function joinedInOrder(model: Model, args: FindArgs): JoinedInOrder | undefined {
  if (args.take === undefined || args.cursor) return undefined;
  const [column] = Object.keys(([args.orderBy].flat()[0] ?? {}) as Node);
  const parts = partsOf(args.where);
  for (const [at, [key, value]] of parts.entries()) {
    const relation = model.fields.get(key)?.relation;
    const tests = (value ?? {}) as Node;
    const filter = Object.keys(tests).join() === 'some' ? (tests.some as Node) : undefined;
    if (!column || !relation?.list || relation.link || !filter) continue;
    const known = [...equalFields(filter), column];
    if (!relation.model.uniqueKeys.some((unique) => unique.every((name) => known.includes(name)))) continue;
    if (!isCopied(relation.model, column, model)) continue;
    return {
      relation,
      filter,
      others: parts.filter((_, index) => index !== at).map(([name, part]) => ({ [name]: part })),
      column,
    };
  }
  return undefined;
}

const isCopied = (join: Model, column: string, side: Model): boolean =>
  copiedColumns.some((copy) => copy.model === join.name && copy.column === column && copy.of === side.name);

/** Appends the tables, the conditions, the order, and the limit of a page that is read in this way. */
export function writeJoinedPage(
  out: Statement,
  model: Model,
  alias: string,
  args: FindArgs,
  joined: JoinedInOrder,
): void {
  const { relation, filter, others, column } = joined;
  const join = nextAlias(out);
  // the order of the tables is binding for SQLite
  out.text += ` FROM ${quote(relation.model.name)} ${join} CROSS JOIN ${quote(model.name)} ${alias} WHERE `;
  out.text += `${alias}."id" = ${join}.${quote(relation.foreignKey)} AND `;
  writeWhere(out, relation.model, join, filter);
  out.text += ' AND ';
  writeWhere(out, model, alias, { AND: others });
  const direction = Object.values([args.orderBy].flat()[0] as Node)[0];
  writeOrder(out, join, [{ field: column, descending: direction === 'desc', nullable: false }], (args.take ?? 0) < 0);
  writeLimit(out, args);
}
