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
  /** whether a plan for any values would be a bad one for these: PostgreSQL is to plan it each time */
  once?: boolean;
  /** what the index of trigrams was asked for by the text that was looked for (see user-search.ts), and what it knew */
  searches: Map<string, string | undefined>;
}

export const statement = (dialect: Dialect): Statement => ({
  dialect,
  text: '',
  values: [],
  aliases: 0,
  searches: new Map(),
});

export const quote = (name: string): string => `"${name}"`;

export function nextAlias(out: Statement): string {
  const alias = `t${out.aliases}`;
  out.aliases += 1;
  return alias;
}

/** Appends a placeholder for a value. */
export function put(out: Statement, value: unknown): void {
  out.values.push(value);
  out.text += '?';
}

/** Appends a fragment of SQL with its values. */
export function putFragment(out: Statement, { strings, values }: Prisma.Sql): void {
  strings.forEach((text, at) => {
    out.text += text;
    if (at < values.length) put(out, values[at]);
  });
}

/** The text with the placeholders of the dialect. */
export function finished(out: Statement): string {
  if (out.dialect === 'sqlite') return out.text;
  let number = 0;
  return out.text.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}
