import { members } from '../core/json.js';

/** Note of a session with the levels of authentication that it has reached, under the name that existing sessions have. */
const levelsNote = 'loa-map';

/** Seconds since 1970 by levels of authentication. */
export type ReachedLevels = Readonly<Record<string, number>>;

/** The levels of authentication that a session has reached, by its notes. */
export function levelsOfNotes(notes: Readonly<Record<string, unknown>>): ReachedLevels | undefined {
  const note = notes[levelsNote];
  if (typeof note !== 'string') return undefined;
  return Object.fromEntries(Object.entries(members(JSON.parse(note))).map(([level, at]) => [level, Number(at)]));
}

/** The notes of a session that has reached these levels now, besides those from before. */
export const notesOfLevels = (
  before: ReachedLevels | undefined,
  reached: readonly number[],
  at: number,
): Record<string, string> => {
  const levels = { ...before, ...Object.fromEntries(reached.map((level) => [level, at])) };
  return Object.keys(levels).length > 0 ? { [levelsNote]: JSON.stringify(levels) } : {};
};

/** The seconds since a session has reached each of its levels. */
export const agesOf = (levels: ReachedLevels | undefined, now: number): ReadonlyMap<number, number> =>
  new Map(Object.entries(levels ?? {}).map(([level, at]) => [Number(level), now - at]));
