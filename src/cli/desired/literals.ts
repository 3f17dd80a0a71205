import { randomUUID } from 'node:crypto';

/** Keeps the texts of numbers through a value that JavaScript would print otherwise: `1.10`, or an integer of twenty digits. */
export interface Literals {
  /** A text that stands for the number; it begins with the literal, so that it sorts like it. */
  placeholder(literal: string): string;
  /** The printed text with the literals in place of their placeholders, quoted or not. */
  restored(printed: string): string;
}

/** Literals of one text. No text has their mark, which is random. */
export function createLiterals(): Literals {
  const mark = `#${randomUUID()}`;
  const placeholders = new RegExp(`"?([-+.\\w]+)${mark}"?`, 'g');
  return {
    placeholder: (literal) => `${literal}${mark}`,
    restored: (printed) => printed.replace(placeholders, '$1'),
  };
}

/** Whether JavaScript would print the number that a literal stands for in another way. */
export const isReprinted = (literal: string): boolean => String(Number(literal)) !== literal;
