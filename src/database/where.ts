import { Prisma } from '../generated/sqlite/client.js';
import type { Dialect } from './db.js';
import { FilterTooLarge } from './errors.js';
import { likePattern } from './like.js';
import type { Field, Model, Relation } from './model.js';
import { bigIntAsNumber, nextAlias, put, putFragment, putPlanned, quote, type Statement } from './statement.js';
import { hasTrigrams, isNarrowed, trigramQuery } from './trigram-index.js';

type Filter = Record<string, unknown>;

/** Limits of one statement's filter: levels within each other, searches within texts, and characters of each of these. */
const mostLevels = 60;
const mostPatterns = 500;
const longestPattern = 4000;

/** Throws FilterTooLarge when the filter of a caller has too many levels. */
function deeper(out: Statement, write: () => void): void {
  out.levels += 1;
  if (out.levels > mostLevels) throw new FilterTooLarge(`A filter must have at most ${mostLevels} levels`);
  write();
  out.levels -= 1;
}

/** Each of them is tried on every row. */
function countTest(out: Statement): void {
  out.patterns += 1;
  if (out.patterns > mostPatterns)
    throw new FilterTooLarge(`A filter must have at most ${mostPatterns} conditions on texts and relations`);
}

function countPattern(out: Statement, text: string): void {
  countTest(out);
  if (text.length > longestPattern) {
    throw new FilterTooLarge(`A search text must be at most ${longestPattern} characters`);
  }
}

const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMany = (items: unknown): boolean => items !== undefined && !(Array.isArray(items) && items.length === 1);

const many = (value: unknown): Filter[] => (Array.isArray(value) ? value : [value]) as Filter[];

/** Appends a Prisma `where` of the model as a condition on the alias. An empty filter is true. */
export function writeWhere(out: Statement, model: Model, alias: string, where: unknown): void {
  const parts = Object.entries((where ?? {}) as Filter).filter(([, value]) => value !== undefined);
  if (parts.length === 0) {
    out.text += '1=1';
    return;
  }
  // SQLite takes any index for better than a list of ids; what it may not use, it does not take
  const byIds =
    out.dialect === 'sqlite' &&
    ((isObject(where) && isObject(where.id) && isMany(where.id.in)) || isNarrowed(out, model));
  parts.forEach(([key, value], at) => {
    if (at > 0) out.text += ' AND ';
    if (byIds && key !== 'id' && model.fields.has(key) && !isObject(value)) out.text += '+';
    writePart(out, model, alias, key, value);
  });
}

function writePart(out: Statement, model: Model, alias: string, key: string, value: unknown): void {
  const field = model.fields.get(key);
  if (key === 'AND') writeJoined(out, model, alias, many(value), ' AND ', '1=1');
  else if (key === 'OR') writeJoined(out, model, alias, many(value), ' OR ', '1=0');
  else if (key === 'NOT') {
    // a list: none of them holds
    out.text += 'NOT ';
    writeJoined(out, model, alias, many(value), ' OR ', '1=0');
  } else if (field?.relation) writeRelation(out, field.relation, alias, value);
  else if (field) {
    if (hasTrigrams(out, model, key) && isObject(value)) writeCandidates(out, alias, value);
    writeScalar(out, field, `${alias}.${quote(field.name)}`, value);
  }
  // the name of a compound unique key: { realmId_name: { realmId, name } }
  else if (isObject(value)) writeJoined(out, model, alias, [value], ' AND ', '1=1');
  else throw new Error(`${model.name} has no field ${key}`);
}

/** Leaves only what the index of trigrams found for a text, or notes that it is to be asked. */
function writeCandidates(out: Statement, alias: string, { contains }: Filter): void {
  const query = contains == null ? undefined : trigramQuery(likePattern(contains));
  if (query === undefined) return;
  const found = out.searches.get(query);
  out.searches.set(query, found);
  if (found === undefined) return;
  out.text += `${alias}.rowid IN (SELECT value FROM json_each(`;
  put(out, found);
  out.text += ')) AND ';
}

function writeJoined(
  out: Statement,
  model: Model,
  alias: string,
  filters: Filter[],
  glue: string,
  whenEmpty: string,
): void {
  if (filters.length === 0) {
    out.text += whenEmpty;
    return;
  }
  deeper(out, () => {
    out.text += '(';
    if (filters.length > mostTogether) {
      // SQLite counts the conditions of a chain as levels, of which it takes a thousand
      const middle = Math.ceil(filters.length / 2);
      writeJoined(out, model, alias, filters.slice(0, middle), glue, whenEmpty);
      out.text += glue;
      writeJoined(out, model, alias, filters.slice(middle), glue, whenEmpty);
    } else {
      filters.forEach((filter, at) => {
        if (at > 0) out.text += glue;
        out.text += '(';
        writeWhere(out, model, alias, filter);
        out.text += ')';
      });
    }
    out.text += ')';
  });
}

/** Most conditions of a chain that are written one after the other. */
const mostTogether = 8;

const quantifiers = new Set(['some', 'none', 'every', 'is', 'isNot']);

function writeRelation(out: Statement, relation: Relation, alias: string, value: unknown): void {
  if (value === null) {
    if (relation.here) out.text += `${alias}.${quote(relation.foreignKey)} IS NULL`;
    else writeExists(out, 'NOT EXISTS', relation, alias, {});
    return;
  }
  const filter = value as Filter;
  const tests = Object.entries(filter).filter(([key, test]) => quantifiers.has(key) && test !== undefined);
  if (tests.length === 0) writeExists(out, 'EXISTS', relation, alias, filter);
  tests.forEach(([quantifier, inner], at) => {
    if (at > 0) out.text += ' AND ';
    writeQuantified(out, relation, alias, quantifier, inner as Filter | null);
  });
}

function writeQuantified(
  out: Statement,
  relation: Relation,
  alias: string,
  quantifier: string,
  inner: Filter | null,
): void {
  const positive = quantifier === 'some' || quantifier === 'is';
  // { is: null }: there is no such row at all
  if (inner === null) writeExists(out, positive ? 'NOT EXISTS' : 'EXISTS', relation, alias, {});
  else writeExists(out, positive ? 'EXISTS' : 'NOT EXISTS', relation, alias, inner, quantifier === 'every');
}

function writeExists(
  out: Statement,
  exists: string,
  relation: Relation,
  alias: string,
  filter: Filter,
  negate = false,
): void {
  countTest(out);
  const inner = nextAlias(out);
  const table = quote(relation.model.name);
  if (exists === 'EXISTS' && !relation.link && !relation.here && !negate) {
    // says the same, and lets the database start from the related rows where these are few
    const key = `${inner}.${quote(relation.foreignKey)}`;
    out.text += `${alias}."id" IN (SELECT ${key} FROM ${table} ${inner} WHERE `;
    // NULL among the keys would leave open whether others are among them, so that NOT found nothing
    if (!relation.model.fields.get(relation.foreignKey)?.required) out.text += `${key} IS NOT NULL AND `;
    writeWhere(out, relation.model, inner, filter);
    out.text += ')';
    return;
  }
  out.text += `${exists} (SELECT 1 FROM ${table} ${inner} WHERE `;
  writeLink(out, relation, alias, inner);
  out.text += negate ? ' AND NOT (' : ' AND (';
  writeWhere(out, relation.model, inner, filter);
  out.text += '))';
}

const columnsOf = (alias: string) => (name: string) => Prisma.raw(`${alias}.${quote(name)}`);

/** Appends the condition that ties a related row (`inner`) to its owner (`outer`). */
export function writeLink(out: Statement, relation: Relation, outer: string, inner: string): void {
  if (relation.link) {
    putFragment(out, relation.link(columnsOf(outer), columnsOf(inner)));
    return;
  }
  out.text += relation.here
    ? `${inner}."id" = ${outer}.${quote(relation.foreignKey)}`
    : `${inner}.${quote(relation.foreignKey)} = ${outer}."id"`;
}

/** Appends the tables and the condition for the rows (`inner`) that belong to an owner (`outer`), from FROM on. */
export function writeBelonging(out: Statement, relation: Relation, outer: string, inner: string): void {
  const table = quote(relation.model.name);
  if (!relation.ids) {
    out.text += ` FROM ${table} ${inner} WHERE `;
    writeLink(out, relation, outer, inner);
    return;
  }
  const list = nextAlias(out);
  out.text += ' FROM (';
  putFragment(out, relation.ids(columnsOf(outer)));
  // the order of the tables is binding for SQLite
  out.text += `) ${list} CROSS JOIN ${table} ${inner} WHERE ${inner}."id" = ${list}."id"`;
}

const comparisons: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };
/** Tests of texts, with what LIKE compares for a pattern. */
const patterns: Record<string, (pattern: string) => string> = {
  contains: (pattern) => `%${pattern}%`,
  startsWith: (pattern) => `${pattern}%`,
  endsWith: (pattern) => `%${pattern}`,
};

function writeScalar(out: Statement, field: Field, column: string, value: unknown): void {
  if (value === null) {
    // nearly every row has NULL in such a column: an index on it finds nothing sooner
    out.text += `${out.dialect === 'sqlite' && !out.text.endsWith('+') ? '+' : ''}${column} IS NULL`;
    return;
  }
  if (!isObject(value)) {
    out.text += `${column} = `;
    put(out, value);
    return;
  }
  if (field.type === 'Json' && 'path' in value) {
    writeEntry(out, field, column, value);
    return;
  }
  const tests = Object.entries(value).filter(([, test]) => test !== undefined);
  if (tests.length === 0) out.text += '1=1';
  tests.forEach(([test, operand], at) => {
    if (at > 0) out.text += ' AND ';
    writeTest(out, field, column, test, operand);
  });
}

/** Tests the text under a key of a JSON object: `{ path: 'key', equals: 'text' }`, with every test of texts. */
function writeEntry(out: Statement, field: Field, column: string, { path, ...tests }: Filter): void {
  countTest(out);
  const entry = nextAlias(out);
  const each = out.dialect === 'sqlite' ? 'json_each' : 'jsonb_each_text';
  out.text += `EXISTS (SELECT 1 FROM ${each}(${column}) ${entry} WHERE ${entry}."key" = `;
  put(out, path);
  out.text += ' AND ';
  writeScalar(out, { ...field, type: 'String' }, `${entry}."value"`, tests);
  out.text += ')';
}

function writeTest(out: Statement, field: Field, column: string, test: string, operand: unknown): void {
  if (test === 'equals') {
    writeScalar(out, field, column, operand);
    return;
  }
  if (test === 'not') {
    if (operand === null) {
      out.text += `${column} IS NOT NULL`;
      return;
    }
    out.text += 'NOT (';
    writeScalar(out, field, column, operand);
    out.text += ')';
    return;
  }
  if (test === 'array_contains') {
    writeItem(out, column, operand);
    return;
  }
  if (test === 'in' || test === 'notIn') {
    writeIn(out, field, column, test === 'in', operand as unknown[] | Prisma.Sql);
    return;
  }
  const comparison = comparisons[test];
  if (comparison) {
    out.text += `${column} ${comparison} `;
    put(out, operand);
    return;
  }
  const around = patterns[test];
  if (!around) throw new Error(`The filter ${field.name}.${test} is not supported`);
  const pattern = likePattern(operand);
  countPattern(out, pattern);
  out.text += `${column} LIKE `;
  // which index is best depends on the text
  putPlanned(out, around(pattern));
  out.text += ` ESCAPE '\\'`;
}

/** Tests that a JSON list has this text among its items. */
function writeItem(out: Statement, column: string, text: unknown): void {
  const sqlite = out.dialect === 'sqlite';
  out.text += sqlite ? `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ` : `${column} @> `;
  put(out, sqlite ? text : JSON.stringify([text]));
  out.text += sqlite ? ')' : '::jsonb';
}

/** A list is one parameter, so that the statement's text does not depend on its length; one item is simply compared. */
function writeIn(out: Statement, field: Field, column: string, within: boolean, items: unknown[] | Prisma.Sql): void {
  if (within && !isMany(items)) {
    out.text += `${column} = `;
    put(out, (items as unknown[])[0]);
    return;
  }
  if (out.dialect === 'postgresql' && !(items instanceof Prisma.Sql)) {
    out.text += `${column} ${within ? '= ANY' : '<> ALL'} (`;
    put(out, arrayOf(items));
    out.text += `::${arrayTypes[field.type]}[])`;
    return;
  }
  const operator = within ? 'IN' : 'NOT IN';
  out.text += `${column} ${operator} (`;
  putFragment(out, items instanceof Prisma.Sql ? items : listed(out, items));
  out.text += ')';
}

/** A query for the items of a list, in a column with this name. */
export const listed = ({ dialect }: { dialect: Dialect }, items: readonly unknown[], name = 'item'): Prisma.Sql => {
  const column = Prisma.raw(quote(name));
  return dialect === 'sqlite'
    ? Prisma.sql`SELECT value AS ${column} FROM json_each(${JSON.stringify(items, bigIntAsNumber)})`
    : Prisma.sql`SELECT unnest(${arrayOf(items)}::text[]) AS ${column}`;
};

/** The types of PostgreSQL for the items of lists. */
const arrayTypes: Record<string, string> = { String: 'text', Int: 'integer', BigInt: 'bigint' };

/** An array as PostgreSQL reads it. It plans for a few items, and not for a hundred as with a list in JSON. */
const arrayOf = (items: readonly unknown[]): string =>
  `{${items.map((item) => `"${String(item).replace(/[\\"]/g, '\\$&')}"`).join()}}`;

/** All rows of some queries with the same columns. */
export const unionOf = (queries: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...queries], ' UNION ALL ');

/** A query for one column, where a filter of Prisma takes a list: `{ id: { in: among(sql) } }`. It must not give NULL. */
export const among = (query: Prisma.Sql): string[] => query as unknown as string[];
