import type { Prisma } from '../generated/sqlite/client.js';
import type { Dialect } from './db.js';

/**
 * A statement being written from left to right. Placeholders are question marks; PostgreSQL's numbers
 * are put in at the end. No text that is not a placeholder may contain a question mark.
 */
export interface Statement {
  readonly dialect: Dialect;
  text: string;
  values: unknown[];
  /** number of the next table alias */
  aliases: number;
  /** nesting depth of the filter that is being written */
  levels: number;
  /** number of searches within texts */
  patterns: number;
  /** how many of these read texts, because no index alone answers them */
  texts: number;
  /** the tables whose rows these searches and tests of relations read */
  readonly searched: Set<string>;
  /** maximum number of rows of the list that is being written */
  rows: number;
  /** number of table scans: for rows that are related by no foreign key, for groups, and for long pages */
  lookups: number;
  /** these tables */
  readonly lookedUp: Set<string>;
  /** whether the filter that is written now is within a negation */
  isNegated: boolean;
  /** whether a plan for any values would be bad for these: PostgreSQL has to plan it each time (see putPlanned) */
  once?: boolean;
  /** the queries to the trigram index by searched text (see trigram-index.ts), with its answers */
  searches: Map<string, string | undefined>;
}

/** An empty statement in the dialect of a database. */
export const statement = (dialect: Dialect): Statement => ({
  dialect,
  text: '',
  values: [],
  aliases: 0,
  levels: 0,
  patterns: 0,
  texts: 0,
  searched: new Set(),
  rows: 1,
  lookups: 0,
  lookedUp: new Set(),
  isNegated: false,
  searches: new Map(),
});

/** Quotes an identifier. */
export const quote = (name: string): string => `"${name}"`;

/** Returns a table alias that the statement does not use yet. */
export function nextAlias(out: Statement): string {
  const alias = `t${out.aliases}`;
  out.aliases += 1;
  return alias;
}

/** Counts a scan of a table's rows, once for each row that is being written. */
export function countLookup(out: Statement, table: string): void {
  out.lookups += out.rows;
  out.lookedUp.add(table);
}

/** Appends a placeholder for a value. */
export function put(out: Statement, value: unknown): void {
  out.values.push(value);
  out.text += '?';
}

/**
 * Appends a value on which the best plan depends. PostgreSQL makes one plan for all values of the placeholders (see
 * plannerSettings in open.ts). On PostgreSQL it is therefore a literal, and the statement is not cached.
 */
export function putPlanned(out: Statement, value: string | number): void {
  const literal = out.dialect === 'postgresql' ? literalOf(value) : undefined;
  if (literal === undefined) {
    put(out, value);
    return;
  }
  out.once = true;
  out.text += literal;
}

/** A literal without a question mark; undefined for a text with U+0000, which no statement may contain. */
function literalOf(value: string | number): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (value.includes('\0')) return undefined;
  const escapes: Record<string, string> = { "'": "''", '\\': '\\\\', '?': '\\077' };
  return `E'${value.replace(/['\\?]/g, (character) => escapes[character] ?? character)}'`;
}

/**
 * Replaces the texts that `putPlanned` has written into a statement with placeholders, for readers who must not see
 * values.
 */
export const withoutTexts = (sql: string): string => sql.replace(/E'(?:[^'\\]|''|\\.)*'/gs, '?');

/** Appends a fragment of SQL with its values. */
export function putFragment(out: Statement, { strings, values }: Prisma.Sql): void {
  strings.forEach((text, at) => {
    out.text += text;
    if (at < values.length) put(out, values[at]);
  });
}

const mostNumbered = 2000;
const numberedTexts = new Map<string, string>();

/** The text with the placeholders of the dialect. */
export function finished(out: Statement): string {
  if (out.dialect === 'sqlite') return out.text;
  if (out.once) return numbered(out.text);
  let text = numberedTexts.get(out.text);
  if (text === undefined) {
    text = numbered(out.text);
    if (numberedTexts.size >= mostNumbered) numberedTexts.clear();
    numberedTexts.set(out.text, text);
  }
  return text;
}

function numbered(text: string): string {
  let number = 0;
  return text.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}

/** For `JSON.stringify`: the stored 64-bit integers, times in milliseconds, are exact as numbers. */
export const bigIntAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
