/** The state of a list of events in its address. Times are moments of the reader's clock, such as `2026-01-31T09:00`. */
export interface EventSearch {
  search?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  live?: boolean | undefined;
  event?: string | undefined;
}

/** Reads the state of a list of events from the address; what is not of its type is left out. */
export function eventSearch(given: Record<string, unknown>): EventSearch {
  const text = (value: unknown) => (value === undefined || value === '' ? undefined : String(value));
  const moment = (value: unknown) =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
  return {
    search: text(given.search),
    type: text(given.type),
    from: moment(given.from),
    until: moment(given.until),
    live: given.live === true || undefined,
    event: text(given.event),
  };
}

/** What the filters of both kinds of events have in common; undefined for all events. */
export function commonFilter({ search, from, until }: EventSearch) {
  const time = {
    ...(from && { atOrAfter: new Date(from).toISOString() }),
    ...(until && { before: new Date(until).toISOString() }),
  };
  return { ...(search && { search }), ...(Object.keys(time).length > 0 && { time }) };
}
