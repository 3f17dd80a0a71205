import { invalid } from './refusal.js';

/**
 * The id that a caller gives something new, or else a new one. Throws `invalid` for ids that no path can name: the empty
 * one, and those that are steps of a path (RFC 3986 section 5.2.4).
 */
export function idOr(given: string | undefined, newId: () => string, field = 'id'): string {
  if (given === undefined) return newId();
  if (given === '' || given === '.' || given === '..') throw invalid('An id cannot be empty or made of points', field);
  return given;
}
