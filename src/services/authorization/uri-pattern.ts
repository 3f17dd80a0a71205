import { limit } from '../../config/limits.js';

/** Maximum length of a pattern, in characters. */
const longestPattern = limit(
  'Authorization services',
  'Address of a resource that counts as a pattern',
  2000,
  'characters',
  'it matches only itself',
);

/** The wildcards within one segment: a name in braces for one or more characters, a star for any number. */
const wildcard = /(\{[^/{}]*\}|\*)/;

const isPattern = (text: string): boolean => text.length <= longestPattern && /[*{]/.test(text);

/**
 * Whether a URI matches a pattern, segment by segment; a star as the last segment matches everything below. Takes time
 * in proportion to both, for any number of stars.
 */
function fits(pattern: string, uri: string): boolean {
  const isOpen = pattern.endsWith('/*');
  const wanted = (isOpen ? pattern.slice(0, -'/*'.length) : pattern).split('/');
  const given = uri.split('/');
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, at) => segmentFits(segment, given[at] ?? ''));
}

/**
 * Whether a segment matches a pattern's segment. The text between two wildcards is matched at its first occurrence
 * only.
 */
function segmentFits(pattern: string, segment: string): boolean {
  const [first = '', ...rest] = pattern.split(wildcard);
  const last = rest.pop();
  if (last === undefined) return segment === first;
  let at = first.length;
  // wildcards and the texts between them alternate
  for (const [index, part] of rest.entries()) {
    if (index % 2 === 0) {
      if (part !== '*') at += 1;
    } else if (part !== '') {
      const found = segment.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return segment.startsWith(first) && segment.endsWith(last) && segment.length - last.length >= at;
}

/** The best match of these URIs and patterns: the URI itself, else the longest pattern. */
export function matchesUri(candidates: readonly string[], uri: string): string | undefined {
  if (candidates.includes(uri)) return uri;
  const fitting = candidates.filter((candidate) => isPattern(candidate) && fits(candidate, uri));
  return fitting.toSorted((one, other) => literalLength(other) - literalLength(one))[0];
}

const literalLength = (pattern: string): number => pattern.replace(/\{[^{}]*\}|\*/g, '').length;
