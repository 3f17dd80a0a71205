import { writeKeptCountOf } from './counters.js';
import { chosen } from './flat.js';
import type { Model, Relation } from './model.js';
import { type OrderColumn, orderOf, writeCursor, writeOrder } from './order.js';
import { joinedInOrder, writeJoinedPage, writeLimit } from './page.js';
import { nextAlias, quote, type Statement } from './statement.js';
import { writeLink, writeWhere } from './where.js';

type Node = Record<string, unknown>;
/** Turns what the database sent for one row, an array, into the object that Prisma would return. */
export type Decoder = (row: unknown[]) => Node;

export interface FindArgs {
  select?: Node | null;
  include?: Node | null;
  where?: unknown;
  orderBy?: unknown;
  take?: number;
  skip?: number;
  cursor?: Node;
}

interface Column {
  name: string;
  decode?: (value: unknown) => unknown;
}

/** Appends one JSON array per row of what is selected, and returns how to read it back. */
export function writeSelection(out: Statement, model: Model, alias: string, args: FindArgs): Decoder {
  const columns: Column[] = [];
  out.text += out.dialect === 'sqlite' ? 'json_array(' : 'json_build_array(';
  const scalars = args.select ? [] : model.scalars.map((field): [string, unknown] => [field.name, true]);
  for (const [name, value] of [...scalars, ...chosen((args.select ?? args.include ?? {}) as Node)]) {
    if (columns.length > 0) out.text += ', ';
    columns.push(writeColumn(out, model, alias, name, value));
  }
  out.text += ')';
  return (row) => {
    const object: Node = {};
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] as Column;
      object[column.name] = column.decode ? column.decode(row[at]) : row[at];
    }
    return object;
  };
}

function writeColumn(out: Statement, model: Model, alias: string, name: string, value: unknown): Column {
  if (name === '_count') return writeCounts(out, model, alias, value as { select?: Node } | true);
  const field = model.fields.get(name);
  if (!field) throw new Error(`${model.name} has no field ${name}`);
  const args = (value === true ? {} : value) as FindArgs;
  if (field.relation) return { name, decode: writeRelated(out, field.relation, alias, args) };
  const column = `${alias}.${quote(name)}`;
  const sqlite = out.dialect === 'sqlite';
  out.text += sqlite && field.type === 'Json' ? `json(${column})` : column;
  if (sqlite && field.type === 'Boolean') return { name, decode: (item) => (item === null ? null : item === 1) };
  if (field.type === 'BigInt') return { name, decode: (item) => (item === null ? null : BigInt(item as number)) };
  return { name };
}

function writeCounts(out: Statement, model: Model, alias: string, value: { select?: Node } | true): Column {
  const wanted = value === true || !value.select ? listRelations(model) : value.select;
  const names: string[] = [];
  out.text += out.dialect === 'sqlite' ? 'json_array(' : 'json_build_array(';
  for (const [name, filter] of chosen(wanted)) {
    const relation = model.fields.get(name)?.relation;
    if (!relation) throw new Error(`${model.name} has no relation ${name}`);
    if (names.length > 0) out.text += ', ';
    names.push(name);
    const where = filter === true ? {} : (filter as FindArgs).where;
    if (writeKeptCountOf(out, model, name, where, alias)) continue;
    const inner = nextAlias(out);
    out.text += `(SELECT count(*) FROM ${quote(relation.model.name)} ${inner} WHERE `;
    writeLink(out, relation, alias, inner);
    out.text += ' AND (';
    writeWhere(out, relation.model, inner, where);
    out.text += '))';
  }
  out.text += ')';
  return {
    name: '_count',
    decode: (item) => Object.fromEntries(names.map((name, at) => [name, (item as number[])[at]])),
  };
}

const listRelations = (model: Model): Node =>
  Object.fromEntries(
    [...model.fields.values()]
      .filter(({ relation }) => relation?.list && !relation.link)
      .map(({ name }) => [name, true]),
  );

function writeRelated(out: Statement, relation: Relation, outer: string, args: FindArgs): (value: unknown) => unknown {
  const link = (inner: string) => writeLink(out, relation, outer, inner);
  if (!relation.list) {
    const inner = nextAlias(out);
    out.text += out.dialect === 'sqlite' ? 'json((SELECT ' : '(SELECT ';
    const decode = writeSelection(out, relation.model, inner, args);
    out.text += ` FROM ${quote(relation.model.name)} ${inner} WHERE `;
    link(inner);
    out.text += out.dialect === 'sqlite' ? ' LIMIT 1))' : ' LIMIT 1)';
    return (value) => (value === null ? null : decode(value as unknown[]));
  }
  out.text += out.dialect === 'sqlite' ? 'json((' : '(';
  const decode = writeRows(out, relation.model, args, link, relation.link ? undefined : relation.foreignKey);
  out.text += out.dialect === 'sqlite' ? '))' : ')';
  return (value) => (value as unknown[][]).map(decode);
}

/**
 * Appends a query whose one value is the JSON list of the rows that the arguments describe.
 * A negative `take` counts from the end, as in Prisma. `link` ties the rows to their owner, by the column `tied` if that
 * is a foreign key.
 */
export function writeRows(
  out: Statement,
  model: Model,
  args: FindArgs,
  link?: (alias: string) => void,
  tied?: string,
): Decoder {
  if (args.take === undefined && !args.skip && !args.cursor) return writeAllRows(out, model, args, link);
  const alias = nextAlias(out);
  const sqlite = out.dialect === 'sqlite';
  const backwards = (args.take ?? 0) < 0;
  out.text += sqlite
    ? // the aggregate for JSON would read each row's JSON anew
      `SELECT '[' || coalesce(group_concat(j), '') || ']' FROM (SELECT `
    : `SELECT coalesce(json_agg(j), '[]') FROM (SELECT `;
  const decode = writeSelection(out, model, alias, args);
  const order = orderOf(model, args, tied);
  const table = quote(model.name);
  const joined = link ? undefined : joinedInOrder(model, args);
  if (joined) writeJoinedPage(out, model, alias, args, joined);
  else if (sqlite && !link && args.take !== undefined && sortsWhatItFinds(model, args.where)) {
    // SQLite would build the JSON of all rows before it sorts them: it is told to choose the page first
    const inner = nextAlias(out);
    out.text += ` AS j FROM ${table} ${alias} WHERE ${alias}."id" IN (SELECT ${inner}."id" FROM ${table} ${inner} WHERE `;
    writePage(out, model, inner, args, order, undefined);
    out.text += ')';
    writeOrder(out, alias, order, backwards);
  } else if (!sqlite && args.skip) {
    // PostgreSQL would build the JSON of the rows that it skips
    out.text += ` AS j FROM (SELECT * FROM ${table} ${alias} WHERE `;
    writePage(out, model, alias, args, order, link);
    out.text += `) ${alias}`;
  } else {
    out.text += ` AS j FROM ${table} ${alias} WHERE `;
    writePage(out, model, alias, args, order, link);
  }
  out.text += sqlite ? ')' : ') s';
  return decode;
}

/** Without a limit, the aggregate itself puts the rows in order. */
function writeAllRows(out: Statement, model: Model, args: FindArgs, link?: (alias: string) => void): Decoder {
  const alias = nextAlias(out);
  const sqlite = out.dialect === 'sqlite';
  out.text += sqlite ? 'SELECT json_group_array(' : 'SELECT coalesce(json_agg(';
  const decode = writeSelection(out, model, alias, args);
  writeOrder(out, alias, orderOf(model, args), false);
  out.text += sqlite ? ')' : `), '[]')`;
  out.text += ` FROM ${quote(model.name)} ${alias} WHERE `;
  writePage(out, model, alias, { ...args, orderBy: undefined }, [], link);
  return decode;
}

/** Appends the conditions, the order and the limits of a page. */
function writePage(
  out: Statement,
  model: Model,
  alias: string,
  args: FindArgs,
  order: OrderColumn[],
  link: ((alias: string) => void) | undefined,
): void {
  const backwards = (args.take ?? 0) < 0;
  if (link) {
    link(alias);
    out.text += ' AND ';
  }
  out.text += '(';
  writeWhere(out, model, alias, args.where);
  out.text += ')';
  if (args.cursor) writeCursor(out, model, alias, args.cursor, order, backwards);
  writeOrder(out, alias, order, backwards);
  writeLimit(out, args);
}

/** Whether a filter starts from related rows, so that no index has what it finds in order. */
function sortsWhatItFinds(model: Model, where: unknown): boolean {
  if (model.primaryKey.join() !== 'id') return false;
  return Object.entries((where ?? {}) as Node).some(([key, value]) =>
    key === 'AND'
      ? [value].flat().some((part) => sortsWhatItFinds(model, part))
      : model.fields.get(key)?.relation?.list,
  );
}
