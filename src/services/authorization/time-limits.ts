/** The range of times of a time policy: the unit, the entry of `config` that it is kept in, and its least and greatest value. */
export interface TimeUnit {
  name: 'dayOfMonth' | 'month' | 'year' | 'hour' | 'minute';
  entry: string;
  least: number;
  most: number;
}

/** What a time policy can compare. Each has a second entry with `End` after its name. */
export const timeUnits: readonly TimeUnit[] = [
  { name: 'dayOfMonth', entry: 'dayMonth', least: 1, most: 31 },
  { name: 'month', entry: 'month', least: 1, most: 12 },
  { name: 'year', entry: 'year', least: 1970, most: 9999 },
  { name: 'hour', entry: 'hour', least: 0, most: 23 },
  { name: 'minute', entry: 'minute', least: 0, most: 59 },
];
