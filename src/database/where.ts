import { limit } from '../config/limits.js';
import { countTest, isMany, isObject, writeScalar } from './conditions.js';
import { FilterTooLarge } from './errors.js';
import { writeExists } from './exists.js';
import { likePattern } from './like.js';
import type { Model, Relation } from './model.js';
import { Prisma } from './prisma.js';
import { nextAlias, put, putFragment, quote, type Statement } from './statement.js';
import { hasTrigrams, isNarrowed, trigramQuery } from './trigram-index.js';

type Filter = Record<string, unknown>;

/** Levels of one statement's filter. */
const mostLevels = limit('Searches and pages', 'Conditions within each other in a filter', 60, 'levels');

/** Throws FilterTooLarge when the filter of a caller has too many levels. */
function deeper(out: Statement, write: () => void): void {
  out.levels += 1;
  if (out.levels > mostLevels) throw new FilterTooLarge(`A filter must have at most ${mostLevels} levels`);
  write();
  out.levels -= 1;
}

const many = (value: unknown): Filter[] => (Array.isArray(value) ? value : [value]) as Filter[];

/** Appends a Prisma `where` of the model as a condition on the alias. An empty filter is true. */
export function writeWhere(out: Statement, model: Model, alias: string, where: unknown): void {
  const parts = Object.entries((where ?? {}) as Filter).filter(([, value]) => value !== undefined);
  if (parts.length === 0) {
    out.text += '1=1';
    return;
  }
  // SQLite prefers any index to a list of IDs, so the use of other indexes is prevented
  const byIds =
    out.dialect === 'sqlite' &&
    ((isObject(where) && isObject(where.id) && isMany(where.id.in)) || isNarrowed(out, model));
  const { patterns } = out;
  parts.forEach(([key, value], at) => {
    if (at > 0) out.text += ' AND ';
    if (byIds && key !== 'id' && model.fields.has(key) && !isObject(value)) out.text += '+';
    writePart(out, model, alias, key, value);
  });
  if (out.patterns > patterns) out.searched.add(model.name);
}

function writePart(out: Statement, model: Model, alias: string, key: string, value: unknown): void {
  const field = model.fields.get(key);
  if (key === 'AND') writeJoined(out, model, alias, many(value), ' AND ', '1=1');
  else if (key === 'OR') writeJoined(out, model, alias, many(value), ' OR ', '1=0');
  else if (key === 'NOT') {
    // a list: none of the filters may match
    out.text += 'NOT ';
    const { isNegated } = out;
    out.isNegated = true;
    writeJoined(out, model, alias, many(value), ' OR ', '1=0');
    out.isNegated = isNegated;
  } else if (field?.relation) writeRelation(out, field.relation, alias, value);
  else if (field) {
    const { texts } = out;
    const isNarrow = hasTrigrams(out, model, key) && isObject(value) && writeCandidates(out, alias, value);
    const column = `${alias}.${quote(field.name)}`;
    // a condition on NULL counts as false: each row matches either a filter or its negation
    if (out.isNegated && !field.required && comparesValue(value)) out.text += `${column} IS NOT NULL AND `;
    writeScalar(out, field, column, value);
    // tried on the few rows that the index has found
    if (isNarrow) out.texts = texts;
  }
  // the name of a compound unique key: { realmId_name: { realmId, name } }
  else if (isObject(value)) writeJoined(out, model, alias, [value], ' AND ', '1=1');
  else throw new Error(`${model.name} has no field ${key}`);
}

/** Whether a test of a column compares its value. NULL passes an empty test and tests for NULL. */
const comparesValue = (value: unknown): boolean =>
  isObject(value)
    ? value.equals !== null && Object.values(value).some((operand) => operand !== undefined)
    : value !== null;

/** Maximum texts of a statement for which the trigram index is queried, each with a separate statement. */
const mostSearches = 8;

/**
 * Restricts rows to the results of the trigram index for a text, or notes the text for a query to it. Returns whether
 * there are few results.
 */
function writeCandidates(out: Statement, alias: string, { contains }: Filter): boolean {
  const query = contains == null ? undefined : trigramQuery(likePattern(contains));
  if (query === undefined) return false;
  // one of many is compared with each row without it
  if (out.searches.size >= mostSearches && !out.searches.has(query)) return false;
  const found = out.searches.get(query);
  out.searches.set(query, found);
  if (found === undefined) return false;
  out.text += `${alias}.rowid IN (SELECT value FROM json_each(`;
  put(out, found);
  out.text += ')) AND ';
  return true;
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
      // SQLite counts the conditions of a chain as levels, with a limit of a thousand
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

/** Maximum conditions of a chain that are written without nesting. */
const mostTogether = 8;

const quantifiers = new Set(['some', 'none', 'every', 'is', 'isNot']);

function writeRelation(out: Statement, relation: Relation, alias: string, value: unknown): void {
  if (value === null) {
    if (relation.here) out.text += `${alias}.${quote(relation.foreignKey)} IS NULL`;
    else writeRelated(out, false, relation, alias, {});
    return;
  }
  const filter = value as Filter;
  const tests = Object.entries(filter).filter(([key, test]) => quantifiers.has(key) && test !== undefined);
  if (tests.length === 0) writeRelated(out, true, relation, alias, filter);
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
  // { is: null }: the row has no related row at all
  if (inner === null) writeRelated(out, !positive, relation, alias, {});
  else writeRelated(out, positive, relation, alias, inner, quantifier === 'every');
}

/** Appends a test whether there are related rows that match the filter, or, with `negate`, that do not match it. */
function writeRelated(
  out: Statement,
  wanted: boolean,
  relation: Relation,
  alias: string,
  filter: Filter,
  negate = false,
): void {
  countTest(out);
  const inner = nextAlias(out);
  const table = quote(relation.model.name);
  if (wanted && !relation.link && !relation.here && !negate) {
    // equivalent, and lets the database start from the related rows if these are few
    const key = `${inner}.${quote(relation.foreignKey)}`;
    out.text += `${alias}."id" IN (SELECT ${key} FROM ${table} ${inner} WHERE `;
    // with NULL among the keys, NOT IN would never be true
    if (!relation.model.fields.get(relation.foreignKey)?.required) out.text += `${key} IS NOT NULL AND `;
    writeWhere(out, relation.model, inner, filter);
    out.text += ')';
    return;
  }
  if (!wanted) out.text += 'NOT ';
  writeExists(out, () => {
    out.text += `SELECT 1 FROM ${table} ${inner} WHERE `;
    writeLink(out, relation, alias, inner);
    out.text += negate ? ' AND NOT (' : ' AND (';
    writeWhere(out, relation.model, inner, filter);
    out.text += ')';
  });
}

/** The columns of an alias, for a fragment of SQL. */
export const columnsOf = (alias: string) => (name: string) => Prisma.raw(`${alias}.${quote(name)}`);

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
  const list = writeIds(out, relation.ids, outer);
  // the order of the tables is binding for SQLite
  out.text += ` CROSS JOIN ${table} ${inner} WHERE `;
  const value = columnsOf(list)('id');
  if (relation.standsFor) putFragment(out, relation.standsFor(columnsOf(outer), columnsOf(inner), value));
  else out.text += `${inner}."id" = ${list}."id"`;
}

/**
 * Appends the list of the IDs that a query finds for an owner (`outer`), from FROM on; returns the alias of the list.
 */
export function writeIds(out: Statement, ids: NonNullable<Relation['ids']>, outer: string): string {
  const list = nextAlias(out);
  out.text += ' FROM (';
  putFragment(out, ids(columnsOf(outer)));
  out.text += `) ${list}`;
  return list;
}
