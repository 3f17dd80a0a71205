import type { OverviewQueryVariables } from './documents.js';

const hour = 3_600_000;
const hours = 24;

type Times = Pick<OverviewQueryVariables, Extract<keyof OverviewQueryVariables, `t${number}`>>;

/** The beginnings of the last 24 hours, and the end of the last one. */
export function hoursBefore(now: number): Date[] {
  const end = Math.ceil(now / hour) * hour;
  return Array.from({ length: hours + 1 }, (_, at) => new Date(end - (hours - at) * hour));
}

/** An hour of the day as both languages write it, e.g. 03:00. */
export const hourOf = (time: Date): string =>
  [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');

/** The hours as variables of the overview. */
export const hourVariables = (times: Date[]): Times =>
  Object.fromEntries(times.map((time, at) => [`t${at}`, time.toISOString()])) as Times;

/** The number of logins of each hour, the oldest first. */
export const loginsOf = (data: object): number[] =>
  Array.from({ length: hours }, (_, at) => {
    const connection = (data as Record<string, { totalCount: number } | null | undefined>)[`h${at}`];
    return connection?.totalCount ?? 0;
  });
