import { inLowerCase } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';

/** How a text is found in a field, best first. */
export const matches = ['EXACT', 'PREFIX', 'WORD', 'CONTAINED'] as const;

export type Match = (typeof matches)[number];

/** Characters that a word in a field follows. A word can also begin a line. */
const separators = [' ', '-', '_', '.', '/', '@'];

/** A text that is searched for, in the form in which fields are compared with it. */
export const searchedText = (query: string): string => query.trim().replace(/\s/g, ' ').toLowerCase();

const wordsOf = (text: string): string[] => [...new Set(text.split(' '))].filter((word) => word !== '');

/** Filters of rows for each kind of match. Each filter also finds everything that the ones before it find. */
export type Tests = Readonly<Record<Match, object>>;

const either = (tests: readonly object[]): object => ({ OR: [...tests] });

/** Tests of a column `search`, which has the fields of a row in lower case, a line each. `isFramed`: with a line feed on both sides. */
export function lineTests(text: string, { isFramed = false } = {}): Tests {
  const has = (search: Prisma.StringFilter) => ({ search });
  const exact = [has({ equals: text }), has({ startsWith: `${text}\n` }), has({ endsWith: `\n${text}` })];
  return {
    EXACT: either([...(isFramed ? [] : exact), has({ contains: `\n${text}\n` })]),
    PREFIX: either([...(isFramed ? [] : [has({ startsWith: text })]), has({ contains: `\n${text}` })]),
    WORD: either(separators.map((separator) => has({ contains: `${separator}${text}` }))),
    CONTAINED: { AND: wordsOf(text).map((word) => has({ contains: word })) },
  };
}

/** The same filters for columns, ignoring case. */
export function columnTests(text: string, columns: readonly string[]): Tests {
  const inAny = (test: Prisma.StringFilter) => columns.map((column) => ({ [column]: inLowerCase(test) }));
  return {
    EXACT: either(inAny({ equals: text })),
    PREFIX: either(inAny({ startsWith: text })),
    WORD: either(separators.flatMap((separator) => inAny({ contains: `${separator}${text}` }))),
    CONTAINED: { AND: wordsOf(text).map((word) => either(inAny({ contains: word }))) },
  };
}

/** How the value of a field matches a text, in lower case; undefined if it does not. */
function matchOf(value: string, text: string): Match | undefined {
  if (value === text) return 'EXACT';
  if (value.startsWith(text)) return 'PREFIX';
  if (separators.some((separator) => value.includes(`${separator}${text}`))) return 'WORD';
  return value.includes(text) ? 'CONTAINED' : undefined;
}

/** A field that matches. */
export interface Matched {
  match: Match;
  field: string;
  value: string;
}

/**
 * The field with the best match; of equal matches, the first one. For a text whose words are in several fields, the
 * best match of its first word.
 */
export function bestMatch(
  row: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  text: string,
): Matched | undefined {
  const given = fields.flatMap((field) => {
    const value = row[field];
    return typeof value === 'string' ? [{ field, value, lower: value.toLowerCase() }] : [];
  });
  const found = given.flatMap(({ field, value, lower }) => {
    const match = matchOf(lower, text);
    return match ? [{ match, field, value }] : [];
  });
  const [best] = found.toSorted((one, other) => matches.indexOf(one.match) - matches.indexOf(other.match));
  if (best) return best;
  const [first = ''] = wordsOf(text);
  const partly = given.find(({ lower }) => lower.includes(first));
  const isWhole = wordsOf(text).every((word) => given.some(({ lower }) => lower.includes(word)));
  return partly && isWhole ? { match: 'CONTAINED', field: partly.field, value: partly.value } : undefined;
}
