import { limit } from '../config/limits.js';
import { FilterTooLarge } from './errors.js';
import { writeExists } from './exists.js';
import { likePattern } from './like.js';
import { arrayOf, arrayTypes, listed } from './lists.js';
import type { Field } from './model.js';
import { hasText } from './portable.js';
import { Prisma } from './prisma.js';
import { nextAlias, put, putFragment, putPlanned, type Statement } from './statement.js';

type Filter = Record<string, unknown>;

/** Maximum tests of texts and relations in the filter of one statement, and characters of a searched text. */
const mostPatterns = limit('Searches and pages', 'Conditions on texts and relations in a filter', 500, 'conditions');
const longestPattern = limit('Searches and pages', 'Text that is searched for', 4000, 'characters');

function requireFew(tests: number): void {
  if (tests > mostPatterns)
    throw new FilterTooLarge(`A filter must have at most ${mostPatterns} conditions on texts and relations`);
}

function requireShort(text: string): void {
  if (text.length > longestPattern)
    throw new FilterTooLarge(`A search text must be at most ${longestPattern} characters`);
}

/** Applies the limits of filters to the tests of a written statement: their number and the lengths of their texts. Throws FilterTooLarge. */
export function requireSmallFilter(tests: number, texts: readonly string[]): void {
  requireFew(tests);
  for (const text of texts) requireShort(text);
}

/** Counts a test that runs for every row. Throws FilterTooLarge if there are too many. */
export function countTest(out: Statement): void {
  out.patterns += 1;
  requireFew(out.patterns);
}

function countPattern(out: Statement, text: string): void {
  countTest(out);
  out.texts += 1;
  requireShort(text);
}

/** Whether a value of a filter is a map of tests. */
export const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the value of an `in` test is anything but a list of one item. */
export const isMany = (items: unknown): boolean => items !== undefined && !(Array.isArray(items) && items.length === 1);

const comparisons: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' };
/** Tests of texts, with the pattern for LIKE. */
const patterns: Record<string, (pattern: string) => string> = {
  contains: (pattern) => `%${pattern}%`,
  startsWith: (pattern) => `${pattern}%`,
  endsWith: (pattern) => `%${pattern}`,
};

/** Appends the tests of a scalar field as a condition on the column: a value that it equals, or tests by name. */
export function writeScalar(out: Statement, field: Field, column: string, value: unknown): void {
  if (value === null) {
    // almost all rows have NULL in such a column, so an index would not help
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
  out.texts += 1;
  const entry = nextAlias(out);
  const each = out.dialect === 'sqlite' ? 'json_each' : 'jsonb_each_text';
  writeExists(out, () => {
    out.text += `SELECT 1 FROM ${each}(${column}) ${entry} WHERE ${entry}."key" = `;
    put(out, path);
    out.text += ' AND ';
    writeScalar(out, { ...field, type: 'String' }, `${entry}."value"`, tests);
  });
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
  if (test === 'lower') {
    writeScalar(out, field, `lower(${column})`, operand);
    return;
  }
  if (test === 'array_contains') {
    putFragment(out, hasText(out, Prisma.raw(column), String(operand)));
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
