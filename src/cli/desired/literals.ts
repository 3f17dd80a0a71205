import { randomUUID } from 'node:crypto';

/** Preserves the texts of numbers that JavaScript would print differently: `1.10`, or an integer of twenty digits. */
export interface Literals {
  /** A text in place of the number; it begins with the literal, so that it has the same order. */
  placeholder(literal: string): string;
  /** The printed text with the literals in place of their placeholders, quoted or not. */
  restored(printed: string): string;
}

/** Creates placeholders for the numbers of one text. They contain a random mark that no text has. */
export function createLiterals(): Literals {
  const mark = `#${randomUUID()}`;
  const placeholders = new RegExp(`"?([-+.\\w]+)${mark}"?`, 'g');
  return {
    placeholder: (literal) => `${literal}${mark}`,
    restored: (printed) => printed.replace(placeholders, '$1'),
  };
}

/** Whether JavaScript would print the number of a literal differently. */
export const isReprinted = (literal: string): boolean => String(Number(literal)) !== literal;
