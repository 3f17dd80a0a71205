import type { Field, Model, Relation } from './model.js';
import { nextAlias, put, quote, type Statement } from './statement.js';

type Filter = Record<string, unknown>;

const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const many = (value: unknown): Filter[] => (Array.isArray(value) ? value : [value]) as Filter[];

/** Appends a Prisma `where` of the model as a condition on the alias. An empty filter is true. */
export function writeWhere(out: Statement, model: Model, alias: string, where: unknown): void {
  const parts = Object.entries((where ?? {}) as Filter).filter(([, value]) => value !== undefined);
  if (parts.length === 0) {
    out.text += '1=1';
    return;
  }
  parts.forEach(([key, value], at) => {
    if (at > 0) out.text += ' AND ';
    writePart(out, model, alias, key, value);
  });
}

function writePart(out: Statement, model: Model, alias: string, key: string, value: unknown): void {
  if (key === 'AND') return writeJoined(out, model, alias, many(value), ' AND ', '1=1');
  if (key === 'OR') return writeJoined(out, model, alias, many(value), ' OR ', '1=0');
  if (key === 'NOT') {
    out.text += 'NOT ';
    return writeJoined(out, model, alias, many(value), ' AND ', '1=1');
  }
  const field = model.fields.get(key);
  if (field?.relation) return writeRelation(out, field.relation, alias, value);
  if (field) return writeScalar(out, field, `${alias}.${quote(field.name)}`, value);
  // the name of a compound unique key: { realmId_name: { realmId, name } }
  if (isObject(value)) return writeJoined(out, model, alias, [value], ' AND ', '1=1');
  throw new Error(`${model.name} has no field ${key}`);
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
  out.text += '(';
  filters.forEach((filter, at) => {
    if (at > 0) out.text += glue;
    out.text += '(';
    writeWhere(out, model, alias, filter);
    out.text += ')';
  });
  out.text += ')';
}

function writeRelation(out: Statement, relation: Relation, alias: string, value: unknown): void {
  if (value === null) {
    if (!relation.here) return writeExists(out, 'NOT EXISTS', relation, alias, {}, false);
    out.text += `${alias}.${quote(relation.foreignKey)} IS NULL`;
    return;
  }
  const filter = value as Filter;
  const quantifiers = Object.entries(filter).filter(([key]) => ['some', 'none', 'every', 'is', 'isNot'].includes(key));
  if (quantifiers.length === 0) return writeExists(out, 'EXISTS', relation, alias, filter, false);
  quantifiers.forEach(([quantifier, inner], at) => {
    if (at > 0) out.text += ' AND ';
    if (inner === null) {
      const none = quantifier === 'is';
      writeExists(out, none ? 'NOT EXISTS' : 'EXISTS', relation, alias, {}, false);
    } else if (quantifier === 'some' || quantifier === 'is')
      writeExists(out, 'EXISTS', relation, alias, inner as Filter, false);
    else if (quantifier === 'every') writeExists(out, 'NOT EXISTS', relation, alias, inner as Filter, true);
    else writeExists(out, 'NOT EXISTS', relation, alias, inner as Filter, false);
  });
}

function writeExists(
  out: Statement,
  exists: string,
  relation: Relation,
  alias: string,
  filter: Filter,
  negate: boolean,
): void {
  const inner = nextAlias(out);
  out.text += `${exists} (SELECT 1 FROM ${quote(relation.model.name)} ${inner} WHERE `;
  writeLink(out, relation, alias, inner);
  out.text += negate ? ' AND NOT (' : ' AND (';
  writeWhere(out, relation.model, inner, filter);
  out.text += '))';
}

/** Appends the condition that ties a related row (`inner`) to its owner (`outer`). */
export function writeLink(out: Statement, relation: Relation, outer: string, inner: string): void {
  out.text += relation.here
    ? `${inner}."id" = ${outer}.${quote(relation.foreignKey)}`
    : `${inner}.${quote(relation.foreignKey)} = ${outer}."id"`;
}

const comparisons: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };
const patterns: Record<string, (text: string) => string> = {
  contains: (text) => `%${text}%`,
  startsWith: (text) => `${text}%`,
  endsWith: (text) => `%${text}`,
};

function writeScalar(out: Statement, field: Field, column: string, value: unknown): void {
  if (value === null) {
    out.text += `${column} IS NULL`;
    return;
  }
  if (!isObject(value)) {
    out.text += `${column} = `;
    put(out, value);
    return;
  }
  const tests = Object.entries(value).filter(([key, test]) => test !== undefined && key !== 'mode');
  if (tests.length === 0) out.text += '1=1';
  tests.forEach(([test, operand], at) => {
    if (at > 0) out.text += ' AND ';
    writeTest(out, field, column, test, operand);
  });
}

function writeTest(out: Statement, field: Field, column: string, test: string, operand: unknown): void {
  if (test === 'equals') return writeScalar(out, field, column, operand);
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
  if (test === 'in' || test === 'notIn') return writeIn(out, column, test === 'in', operand as unknown[]);
  const comparison = comparisons[test];
  if (comparison) {
    out.text += `${column} ${comparison} `;
    put(out, operand);
    return;
  }
  const pattern = patterns[test];
  if (!pattern) throw new Error(`The filter ${field.name}.${test} is not supported`);
  out.text += `${column} LIKE `;
  put(out, pattern(String(operand)));
  out.text += ` ESCAPE '\\'`;
}

/** A list of any length is one parameter, so that the statement's text does not depend on it. */
function writeIn(out: Statement, column: string, within: boolean, items: unknown[]): void {
  const operator = within ? 'IN' : 'NOT IN';
  if (out.dialect === 'sqlite') out.text += `${column} ${operator} (SELECT value FROM json_each(`;
  else out.text += `${column} ${operator} (SELECT json_array_elements_text((`;
  put(out, JSON.stringify(items));
  out.text += out.dialect === 'sqlite' ? '))' : ')::json))';
}

/**
 * A text to be looked for as it is: LIKE's wildcards lose their meaning.
 * The REST contract passes them through, as its reference server does; GraphQL does not.
 */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
