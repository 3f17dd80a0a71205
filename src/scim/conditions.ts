import { inLowerCase } from '../database/like.js';
import { storedUsername } from '../services/users/usernames.js';
import type { Attribute, Column, Store } from './attribute.js';
import type { Comparison, Operand } from './parse-filter.js';
import { invalidFilter } from './refusals.js';

/** A comparison of one attribute; `pr` asks whether it has a value. */
export interface Test {
  operator: Comparison | 'pr';
  operand: Operand;
  /** as it was sent, for messages */
  text: string;
}

/** A filter of the query compiler. */
export type Where = object;

const everything: Where = {};
export const nothing: Where = { OR: [] };

/** The filter of a test that is decided without the database. */
export const decided = (isTrue: boolean): Where => (isTrue ? everything : nothing);

const tests: Partial<Record<Comparison, string>> = {
  eq: 'equals',
  co: 'contains',
  sw: 'startsWith',
  ew: 'endsWith',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
};

/**
 * Makes the filter of a test from those of its parts: `isPresent` for attributes with a value, `compare` for one comparison.
 * `ne` is the negation of `eq`, so that it matches resources without a value.
 */
function whereOf(test: Test, isPresent: Where, compare: (test: string, text: string) => Where): Where {
  const { operator, operand, text } = test;
  if (operator === 'pr') return isPresent;
  if (operand === null) {
    if (operator === 'eq') return { NOT: isPresent };
    if (operator === 'ne') return isPresent;
    throw invalidFilter(`${text} can be compared with null by eq and ne only`);
  }
  if (operator === 'ne') return { NOT: compare('equals', String(operand)) };
  return compare(tests[operator] as string, String(operand));
}

const lower = (text: string): string => text.toLowerCase();

/** The columns of texts, with the form in which they are compared. A folded column has its texts in this form. */
const columns: Record<
  Exclude<Column, 'enabled'>,
  { column: string; fold: (text: string) => string; isFolded: boolean }
> = {
  username: { column: 'username', fold: storedUsername, isFolded: true },
  email: { column: 'email', fold: lower, isFolded: true },
  firstName: { column: 'firstName', fold: lower, isFolded: false },
  lastName: { column: 'lastName', fold: lower, isFolded: false },
  // the name of a group in lower case
  name: { column: 'search', fold: lower, isFolded: true },
};

function fieldWhere(field: Column, test: Test): Where {
  if (field === 'enabled') return flagWhere(test);
  const { column, fold, isFolded } = columns[field];
  const isPresent = { AND: [{ [column]: { not: null } }, { [column]: { not: '' } }] };
  return whereOf(test, isPresent, (name, text) => {
    const compared = { [name]: fold(text) };
    return { [column]: isFolded ? compared : inLowerCase(compared) };
  });
}

function flagWhere({ operator, operand, text }: Test): Where {
  if (operator === 'pr') return everything;
  const wanted = String(operand).toLowerCase();
  if ((operator !== 'eq' && operator !== 'ne') || !['true', 'false'].includes(wanted))
    throw invalidFilter(`${text} can be compared with true and false by eq and ne only`);
  return { enabled: (operator === 'eq') === (wanted === 'true') };
}

/** The resources with a custom attribute that passes the test. */
export function customWhere(name: string, test: Test, isCaseExact: boolean): Where {
  return whereOf(test, { attributes: { some: { name } } }, (comparison, text) => {
    const value = isCaseExact ? { [comparison]: text } : inLowerCase({ [comparison]: lower(text) });
    return { attributes: { some: { name, value } } };
  });
}

/** The resources whose stored value passes the test. */
export const storeWhere = (store: Store, test: Test, { isCaseExact }: Attribute): Where =>
  'field' in store ? fieldWhere(store.field, test) : customWhere(store.attribute, test, isCaseExact ?? false);

/** The resources with a value at this place. */
export const presentAt = (store: Store, attribute: Attribute): Where =>
  storeWhere(store, { operator: 'pr', operand: null, text: attribute.name }, attribute);

/** A test of an ID. */
export const idWhere = (test: Test): Where =>
  whereOf(test, everything, (comparison, text) => ({ id: { [comparison]: text } }));

/** A test of a time in milliseconds since 1970. */
export function timeWhere(column: string, test: Test): Where {
  if (['co', 'sw', 'ew'].includes(test.operator)) throw invalidFilter(`${test.text} is a time, which has no parts`);
  return whereOf(test, { [column]: { not: null } }, (comparison, text) => {
    const time = Date.parse(text);
    if (Number.isNaN(time)) throw invalidFilter(`${test.text} is compared with a time, e.g. "2026-01-31T12:00:00Z"`);
    return { [column]: { [comparison]: BigInt(time) } };
  });
}

/** A test of the IDs of linked objects. */
export function linkWhere(relation: string, key: string, test: Test, linked: Where = {}): Where {
  if (!['eq', 'ne', 'pr'].includes(test.operator))
    throw invalidFilter(`${test.text} can be compared by eq, ne, and pr only`);
  return whereOf(test, { [relation]: { some: linked } }, (_, id) => ({
    [relation]: { some: { ...linked, [key]: id } },
  }));
}
