import { isObject } from './conditions.js';
import { chosen, equalFields } from './flat.js';
import type { Model, Relation } from './model.js';
import { nextAlias, quote, type Statement } from './statement.js';
import { writeLink, writeWhere } from './where.js';

type Node = Record<string, unknown>;

/** The arguments of a search that determine its order. */
interface Ordered {
  where?: unknown;
  orderBy?: unknown;
  take?: number;
  skip?: number;
  cursor?: Node;
}

/** A column of an order. */
export interface OrderColumn {
  field: string;
  /** the to-one relation that leads to the field, if it is not in the model itself */
  through?: Relation;
  descending: boolean;
  nullable: boolean;
  /** position of NULL; default: it is the largest value */
  nulls?: 'first' | 'last';
}

/**
 * The order; total if a page or a cursor needs that. Columns after a unique one change nothing and are left out. With
 * them, the database would sort rows that an index already has in order.
 */
export function orderOf(model: Model, args: Ordered, tied?: string): OrderColumn[] {
  const given = args.orderBy === undefined ? [] : ([args.orderBy].flat() as Node[]);
  const order = given.flatMap((item) => chosen(item).map(([field, direction]) => orderColumn(model, field, direction)));
  const total = args.take !== undefined || args.skip || args.cursor;
  if (!total && order.length === 0) return order;
  // a cursor is compared in every column of the order
  const known = new Set(args.cursor ? [] : equalFields(args.where));
  if (tied !== undefined) known.add(tied);
  const result: OrderColumn[] = [];
  const isTotal = () => model.uniqueKeys.some((key) => key.every((column) => known.has(column)));
  for (const column of order) {
    if (isTotal()) return result;
    result.push(column);
    if (!column.through && !column.nullable) known.add(column.field);
  }
  if (!total || isTotal()) return result;
  const missing = model.primaryKey.filter((key) => !known.has(key));
  return [...result, ...missing.map((field) => ({ field, descending: false, nullable: false }))];
}

function orderColumn(model: Model, field: string, direction: unknown): OrderColumn {
  const known = model.fields.get(field);
  if (known?.relation?.here) {
    const [[inner, way] = []] = chosen(direction as Node);
    if (inner) return { ...orderColumn(known.relation.model, inner, way), through: known.relation };
  }
  if (!known || known.relation) throw new Error(`${model.name} cannot be ordered by ${field}`);
  const { sort, nulls } = isObject(direction) ? direction : { sort: direction };
  const isPlaced = nulls === 'first' || nulls === 'last';
  if ((sort !== 'asc' && sort !== 'desc') || (nulls !== undefined && !isPlaced))
    throw new Error(`${model.name} cannot be ordered by ${field}: ${JSON.stringify(direction)}`);
  return { field, descending: sort === 'desc', nullable: !known.required, ...(isPlaced && { nulls }) };
}

/** Appends ORDER BY. `backwards` reverses it. */
export function writeOrder(out: Statement, alias: string, order: OrderColumn[], backwards: boolean): void {
  order.forEach(({ field, through, descending, nullable, nulls }, at) => {
    const down = descending !== backwards;
    out.text += at > 0 ? ', ' : ' ORDER BY ';
    if (through) {
      const inner = nextAlias(out);
      out.text += `(SELECT ${inner}.${quote(field)} FROM ${quote(through.model.name)} ${inner} WHERE `;
      writeLink(out, through, alias, inner);
      out.text += ')';
    } else out.text += `${alias}.${quote(field)}`;
    if (down) out.text += ' DESC';
    const nullsFirst = nulls ? (nulls === 'first') !== backwards : down;
    // NULL is the largest value for PostgreSQL, and the smallest for SQLite
    const isUsual = nullsFirst === (out.dialect === 'postgresql' ? down : !down);
    if (nullable && !isUsual) out.text += nullsFirst ? ' NULLS FIRST' : ' NULLS LAST';
  });
}

/** Keeps the rows from the cursor's row on, including it, as in Prisma. */
export function writeCursor(
  out: Statement,
  model: Model,
  alias: string,
  cursor: Node,
  order: OrderColumn[],
  backwards: boolean,
): void {
  const value = (field: string) => {
    const inner = nextAlias(out);
    out.text += `(SELECT ${inner}.${quote(field)} FROM ${quote(model.name)} ${inner} WHERE `;
    writeWhere(out, model, inner, cursor);
    out.text += ')';
  };
  out.text += ' AND (';
  order.forEach(({ field, through, descending, nullable }, at) => {
    if (at > 0) out.text += ' OR (';
    for (const earlier of order.slice(0, at)) {
      out.text += `${alias}.${quote(earlier.field)} IS NOT DISTINCT FROM `;
      value(earlier.field);
      out.text += ' AND ';
    }
    const last = at === order.length - 1;
    const operator = `${descending !== backwards ? '<' : '>'}${last ? '=' : ''}`;
    if (nullable || through) throw new Error(`A cursor cannot follow the field ${field}`);
    out.text += `${alias}.${quote(field)} ${operator} `;
    value(field);
    if (at > 0) out.text += ')';
  });
  out.text += ')';
}
