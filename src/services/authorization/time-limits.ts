import { invalid, requireAll } from '../core/refusal.js';
import { localText, localTime } from './local-time.js';

/** A range of a time policy: the unit, the entry of `config`, and the smallest and largest value. */
export interface TimeUnit {
  name: 'dayOfMonth' | 'month' | 'year' | 'hour' | 'minute';
  entry: string;
  least: number;
  most: number;
}

/** The units that a time policy can compare. Each has a second entry with `End` after its name. */
export const timeUnits: readonly TimeUnit[] = [
  { name: 'dayOfMonth', entry: 'dayMonth', least: 1, most: 31 },
  { name: 'month', entry: 'month', least: 1, most: 12 },
  { name: 'year', entry: 'year', least: 1970, most: 9999 },
  { name: 'hour', entry: 'hour', least: 0, most: 23 },
  { name: 'minute', entry: 'minute', least: 0, most: 59 },
];

/** The limits of a time policy, with the ends of each range. */
export type TimeLimits = {
  notBefore?: Date | null | undefined;
  notOnOrAfter?: Date | null | undefined;
} & { [N in TimeUnit['name']]?: { from: number; to?: number | null | undefined } | null | undefined };

/** A time in the form of the contract: a text in the time zone of the server. */
function textOf(time: Date, field: string): string {
  const text = localText(time);
  // fractions of a second are not stored, nor is the first of two equal hours in autumn
  if (localTime(text) !== time.getTime()) {
    throw invalid(`\`${field}\` must be a whole second with a text of its own in the time zone of the server`, field);
  }
  return text;
}

/** A range in the form of the contract. Null removes it. */
function rangeFields({ name, entry, least, most }: TimeUnit, range: TimeLimits[TimeUnit['name']], prefix: string) {
  const end = `${entry}End`;
  if (range == null) return { [entry]: null, [end]: null };
  const { from, to } = range;
  const within = (value: number, part: string) => () => {
    const field = `${prefix}${name}.${part}`;
    const limits = part === 'to' ? Math.max(least, from) : least;
    if (value >= limits && value <= most) return;
    throw invalid(`\`${field}\` must be from ${limits} to ${most}, got ${value}`, field);
  };
  requireAll(within(from, 'from'), ...(to == null ? [] : [within(to, 'to')]));
  return { [entry]: String(from), [end]: to == null ? null : String(to) };
}

/** Limits in the form of the contract: texts, null for a removed one. Refuses values out of range, below `prefix`. */
export function timeFields(limits: TimeLimits, prefix: string): Record<string, string | null> {
  const fields: Record<string, string | null> = {};
  requireAll(
    ...(['notBefore', 'notOnOrAfter'] as const).map((name) => () => {
      const time = limits[name];
      if (time !== undefined) fields[name] = time && textOf(time, prefix + name);
    }),
    ...timeUnits.map((unit) => () => {
      const range = limits[unit.name];
      if (range !== undefined) Object.assign(fields, rangeFields(unit, range, prefix));
    }),
  );
  return fields;
}
