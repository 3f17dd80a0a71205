import { matches } from '../core/pattern.js';

/** Longest pattern, in characters, that is looked at. */
const longestPattern = 2000;

/** A pattern as a regular expression: `{name}` is one segment, `*` at the end anything below. */
function expressionOf(pattern: string): string {
  const escaped = pattern.replace(/[.+?^$()|[\]\\]/g, '\\$&');
  return escaped
    .replace(/\{[^/{}]*\}/g, '[^/]+')
    .replace(/\/\*$/, '(/.*)?')
    .replaceAll('*', '[^/]*')
    .replace(/[{}]/g, '\\$&');
}

const isPattern = (text: string): boolean => text.length <= longestPattern && /[*{]/.test(text);

/** Takes time in proportion to the address, however many stars there are. */
const fits = (pattern: string, uri: string): boolean => matches(expressionOf(pattern), uri) === true;

/** The one of these addresses and patterns that fits best: the address itself, else the longest pattern. */
export function matchesUri(candidates: readonly string[], uri: string): string | undefined {
  if (candidates.includes(uri)) return uri;
  const fitting = candidates.filter((candidate) => isPattern(candidate) && fits(candidate, uri));
  return fitting.toSorted((one, other) => literalLength(other) - literalLength(one))[0];
}

const literalLength = (pattern: string): number => pattern.replace(/\{[^{}]*\}|\*/g, '').length;
