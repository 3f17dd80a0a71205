import { localTime } from '../local-time.js';

type Config = Record<string, unknown>;

const textIn = (config: Config, name: string): string | undefined => {
  const value = config[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The point in time of a setting. An invalid date is NaN, which is never reached. */
function pointIn(config: Config, name: string): number | undefined {
  const text = textIn(config, name);
  return text === undefined ? undefined : localTime(text);
}

/** Whether a value is in a range; without an end the start is the only one. */
function inRange(config: Config, name: string, value: number): boolean {
  const start = textIn(config, name);
  if (start === undefined) return true;
  const end = textIn(config, `${name}End`);
  const [from, to] = [Number(start), end === undefined ? Number(start) : Number(end)];
  return value >= from && value <= to;
}

/** Whether a time is within the limits of a time policy. */
export function isWithin(config: Config, now: Date): boolean {
  const from = pointIn(config, 'nbf');
  const until = pointIn(config, 'noa');
  if (from !== undefined && !(now.getTime() >= from)) return false;
  if (until !== undefined && !(now.getTime() < until)) return false;
  return (
    inRange(config, 'dayMonth', now.getDate()) &&
    inRange(config, 'month', now.getMonth() + 1) &&
    inRange(config, 'year', now.getFullYear()) &&
    inRange(config, 'hour', now.getHours()) &&
    inRange(config, 'minute', now.getMinutes())
  );
}
