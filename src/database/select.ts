import type { FindArgs } from './find-args.js';
import { chosen, partsOf } from './flat.js';
import { writeKeptCountOf } from './kept-counts.js';
import { keptFragment } from './kept-fragments.js';
import { mergedBy, writeMerged } from './merged-page.js';
import type { Model, Relation } from './model.js';
import { type OrderColumn, orderOf, writeCursor, writeOrder } from './order.js';
import { joinedInOrder, writeJoinedPage, writeLimit } from './page.js';
import { countLookup, nextAlias, quote, type Statement } from './statement.js';
import { writeBelonging, writeIds, writeWhere } from './where.js';

type Node = Record<string, unknown>;
/** Turns the array that the database sent for one row into the object that Prisma would return. */
export type Decoder = (row: unknown[]) => Node;

const known: Record<keyof FindArgs, true> = {
  select: true,
  include: true,
  where: true,
  orderBy: true,
  take: true,
  skip: true,
  cursor: true,
};

/** Throws for unsupported arguments of Prisma: ignoring them would return the wrong rows. */
export function refuseOthers(model: Model, args: object, allowed: Partial<Record<string, true>> = known): void {
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined && !allowed[name]) throw new Error(`A query of ${model.name} cannot have ${name}`);
  }
}

/** All rows come as one JSON list, or as rows of a table with their nested rows in JSON. */
type Form = 'json' | 'table';

interface Column {
  name: string;
  decode?: (value: unknown) => unknown;
}

/**
 * Appends one JSON array of the selected values per row, and returns its decoder. Repeated selections are constants of
 * the program, so their text is cached.
 */
function writeSelection(out: Statement, model: Model, alias: string, args: FindArgs, form: Form = 'json'): Decoder {
  const selection = args.select ?? args.include;
  const what = `${args.select ? 'select' : 'include'} ${model.name}`;
  return selection
    ? keptFragment(out, selection, `${what} ${alias} ${form}`, () => writeColumns(out, model, alias, args, form))
    : writeColumns(out, model, alias, args, form);
}

function writeColumns(out: Statement, model: Model, alias: string, args: FindArgs, form: Form): Decoder {
  const columns: Column[] = [];
  if (form === 'json') out.text += out.dialect === 'sqlite' ? 'json_array(' : 'json_build_array(';
  const scalars = args.select ? [] : model.scalars.map((field): [string, unknown] => [field.name, true]);
  for (const [name, value] of [...scalars, ...chosen((args.select ?? args.include ?? {}) as Node)]) {
    if (columns.length > 0) out.text += ', ';
    columns.push(writeColumn(out, model, alias, name, value));
  }
  if (form === 'json') out.text += ')';
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
    const args = filter === true ? {} : (filter as FindArgs);
    refuseOthers(relation.model, args, { where: true });
    const { where } = args;
    if (writeKeptCountOf(out, model, name, where, alias)) continue;
    const inner = nextAlias(out);
    out.text += '(SELECT count(*)';
    countRelated(out, relation);
    if (relation.ids && partsOf(where).length === 0) {
      // a foreign key guarantees that a row exists for each ID
      writeIds(out, relation.ids, alias);
      out.text += ')';
      continue;
    }
    writeBelonging(out, relation, alias, inner);
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

/** The rows that belong to a row of another table with the alias `outer`. */
interface Belonging {
  relation: Relation;
  outer: string;
}

function writeRelated(out: Statement, relation: Relation, outer: string, args: FindArgs): (value: unknown) => unknown {
  if (!relation.list) {
    refuseOthers(relation.model, args, { select: true, include: true });
    const inner = nextAlias(out);
    out.text += out.dialect === 'sqlite' ? 'json((SELECT ' : '(SELECT ';
    const decode = writeSelection(out, relation.model, inner, args);
    writeBelonging(out, relation, outer, inner);
    out.text += out.dialect === 'sqlite' ? ' LIMIT 1))' : ' LIMIT 1)';
    return (value) => (value === null ? null : decode(value as unknown[]));
  }
  out.text += out.dialect === 'sqlite' ? 'json((' : '(';
  const decode = writeRows(out, relation.model, args, { relation, outer });
  out.text += out.dialect === 'sqlite' ? '))' : ')';
  return (value) => inRequestedOrder((value as unknown[][]).map(decode), args);
}

/** Restores the requested order of rows that were read from the end. */
export const inRequestedOrder = (rows: Node[], { take = 0 }: FindArgs): Node[] => (take < 0 ? rows.reverse() : rows);

/**
 * Appends a query whose one value is the JSON list of the rows that the arguments describe: all rows of the model, or
 * the nested rows of a row. A negative `take` counts from the end, as in Prisma.
 */
export function writeRows(out: Statement, model: Model, args: FindArgs, belonging?: Belonging): Decoder {
  refuseOthers(model, args);
  if (args.take === undefined && !args.skip && !args.cursor) return writeAllRows(out, model, args, belonging);
  const sqlite = out.dialect === 'sqlite';
  out.text += sqlite
    ? // the aggregate for JSON would read each row's JSON anew
      `SELECT '[' || coalesce(group_concat(j), '') || ']' FROM (`
    : `SELECT coalesce(json_agg(j), '[]') FROM (`;
  const decode = writeEach(out, model, args, 'json', belonging);
  out.text += sqlite ? ')' : ') s';
  return decode;
}

/** Appends a query for the rows of a page as columns: for PostgreSQL, a long JSON list costs three times as much. */
export function writeTable(out: Statement, model: Model, args: FindArgs): Decoder {
  refuseOthers(model, args);
  return writeEach(out, model, args, 'table');
}

function writeEach(out: Statement, model: Model, args: FindArgs, form: Form, belonging?: Belonging): Decoder {
  const alias = nextAlias(out);
  const sqlite = out.dialect === 'sqlite';
  const backwards = (args.take ?? 0) < 0;
  out.text += 'SELECT ';
  const decode = withinRows(out, args, () => writeSelection(out, model, alias, args, form));
  if (form === 'json') out.text += ' AS j';
  const relation = belonging?.relation;
  const order = orderOf(model, args, relation?.link ? undefined : relation?.foreignKey);
  const joined = belonging ? undefined : joinedInOrder(model, args);
  const sorts = belonging ? relation?.ids !== undefined : sortsWhatItFinds(model, args.where);
  if (joined) writeJoinedPage(out, model, alias, args, joined);
  else if (sqlite && args.take !== undefined && sorts) {
    // SQLite would build the JSON of all rows before it sorts them, so the page is chosen in a subquery first
    const [inner, chosenRows] = [nextAlias(out), nextAlias(out)];
    out.text += ` FROM (SELECT ${inner}."id"`;
    writePage(out, model, inner, args, order, belonging);
    out.text += `) ${chosenRows} CROSS JOIN ${quote(model.name)} ${alias} WHERE ${alias}."id" = ${chosenRows}."id"`;
    writeOrder(out, alias, order, backwards);
  } else if (!sqlite && args.skip) {
    // PostgreSQL would build the JSON of the rows that it skips
    const inner = nextAlias(out);
    out.text += ` FROM (SELECT ${inner}.*`;
    writePage(out, model, inner, args, order, belonging);
    out.text += `) ${alias}`;
  } else writePage(out, model, alias, args, order, belonging);
  return decode;
}

/** Without a limit, the aggregate itself orders the rows. */
function writeAllRows(out: Statement, model: Model, args: FindArgs, belonging?: Belonging): Decoder {
  const alias = nextAlias(out);
  const sqlite = out.dialect === 'sqlite';
  out.text += sqlite ? 'SELECT json_group_array(' : 'SELECT coalesce(json_agg(';
  const decode = withinRows(out, args, () => writeSelection(out, model, alias, args));
  writeOrder(out, alias, orderOf(model, args), false);
  out.text += sqlite ? ')' : `), '[]')`;
  writePage(out, model, alias, { ...args, orderBy: undefined }, [], belonging);
  return decode;
}

/** Estimated rows of a list without a limit. */
const unlimited = 20;

/** Writes the selection of each row of a list. The estimate of rows covers at least one row. */
function withinRows<T>(out: Statement, { take, where }: FindArgs, write: () => T): T {
  const { rows } = out;
  const ids = (where as { id?: { in?: unknown[] } } | undefined)?.id?.in;
  out.rows = rows * Math.max(1, Math.abs(take ?? ids?.length ?? unlimited));
  const written = write();
  out.rows = rows;
  return written;
}

/** Counts a lookup of related rows without a foreign key, whose index would hold them together. */
function countRelated(out: Statement, { link, ids, model }: Relation): void {
  if (link || ids) countLookup(out, model.name);
}

/** Appends the tables, the conditions, the order and the limits of a page, from FROM on. */
function writePage(
  out: Statement,
  model: Model,
  alias: string,
  args: FindArgs,
  order: OrderColumn[],
  belonging: Belonging | undefined,
): void {
  const backwards = (args.take ?? 0) < 0;
  if (belonging) {
    countRelated(out, belonging.relation);
    const merged = mergedBy(belonging.relation, args, order);
    if (merged) {
      writeMerged(out, { model, alias, args, order, outer: belonging.outer, merged });
      writeOrder(out, alias, order, backwards);
      writeLimit(out, args);
      return;
    }
    writeBelonging(out, belonging.relation, belonging.outer, alias);
    out.text += ' AND ';
  } else out.text += ` FROM ${quote(model.name)} ${alias} WHERE `;
  out.text += '(';
  writeWhere(out, model, alias, args.where);
  out.text += ')';
  if (args.cursor) writeCursor(out, model, alias, args.cursor, order, backwards);
  writeOrder(out, alias, order, backwards);
  writeLimit(out, args);
}

/** Whether a filter starts from related rows, so that no index has its rows in order. */
function sortsWhatItFinds(model: Model, where: unknown): boolean {
  if (model.primaryKey.join() !== 'id') return false;
  return Object.entries((where ?? {}) as Node).some(([key, value]) =>
    key === 'AND'
      ? [value].flat().some((part) => sortsWhatItFinds(model, part))
      : model.fields.get(key)?.relation?.list,
  );
}
