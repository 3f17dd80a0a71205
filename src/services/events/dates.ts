import { invalid } from '../core/refusal.js';

const day = /^\d{4}-\d{1,2}-\d{1,2}$/;

/**
 * Milliseconds since 1970 at the start of a day in UTC, written `yyyy-MM-dd`. With `lenient`, further text after the
 * day is ignored. Throws `invalid` for other texts.
 */
export function dayStart(date: string, side: 'From' | 'To', lenient = false): bigint {
  const text = lenient ? (/^\d{4}-\d{1,2}-\d{1,2}(?=\D)/.exec(date)?.[0] ?? date) : date;
  const time = day.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(time)) {
    const message = `Invalid value for 'Date(${side})', expected format is yyyy-MM-dd`;
    throw invalid(message, `date${side}`, { member: 'error' });
  }
  return BigInt(time);
}
