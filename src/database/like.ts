const wildcards: unique symbol = Symbol('pattern of LIKE');

/** A text in which `%` and `_` are wildcards of LIKE and a backslash escapes them. */
interface Pattern {
  readonly [wildcards]: string;
}

const isPattern = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && wildcards in value;

/** Prisma's types accept only texts, so a pattern is cast to one, as `among` casts queries to lists. */
const asText = (pattern: string): string => ({ [wildcards]: pattern }) satisfies Pattern as unknown as string;

/** The pattern of a text test (`contains`, `startsWith`, `endsWith`). Wildcards in plain texts are escaped. */
export const likePattern = (value: unknown): string =>
  isPattern(value) ? value[wildcards] : String(value).replace(/[\\%_]/g, '\\$&');

/** For a text test: these texts in this order, with any text between them. */
export const textsInOrder = (...texts: readonly string[]): string => asText(texts.map(likePattern).join('%'));

/**
 * For a text test: a text whose percent signs and underscores are wildcards, as in the REST contract's search for
 * users. Backslashes are not special.
 */
export const withWildcards = (text: string): string => asText(text.replaceAll('\\', '\\\\'));

/**
 * For a filter: tests of a column in lower case, which Prisma's types lack. The database determines which letters have
 * a lower case: on SQLite, A to Z.
 */
export const inLowerCase = (tests: object): object => ({ lower: tests });
