/** Longest pattern, in characters, that is looked at. */
const longestPattern = 2000;

/** What stands for characters of one segment: a name in braces for one or more, a star for any number. */
const wildcard = /(\{[^/{}]*\}|\*)/;

const isPattern = (text: string): boolean => text.length <= longestPattern && /[*{]/.test(text);

/**
 * Whether an address fits a pattern, segment by segment; a star as the last segment stands for anything below. Takes time in
 * proportion to both, however many stars there are.
 */
function fits(pattern: string, uri: string): boolean {
  const isOpen = pattern.endsWith('/*');
  const wanted = (isOpen ? pattern.slice(0, -'/*'.length) : pattern).split('/');
  const given = uri.split('/');
  if (isOpen ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, at) => segmentFits(segment, given[at] ?? ''));
}

/** Whether a segment fits that of a pattern. What is between two wildcards is looked for once, where it comes first. */
function segmentFits(pattern: string, segment: string): boolean {
  const [first = '', ...rest] = pattern.split(wildcard);
  if (rest.length === 0) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  let least = 0;
  for (let index = 0; index < rest.length; index += 2) {
    if (rest[index] !== '*') least += 1;
    const literal = rest[index + 1] ?? '';
    const isLast = index + 2 >= rest.length;
    if (isLast) return segment.length - literal.length >= at + least && segment.endsWith(literal);
    if (literal === '') continue;
    const found = segment.indexOf(literal, at + least);
    if (found < 0) return false;
    at = found + literal.length;
    least = 0;
  }
  return true;
}

/** The one of these addresses and patterns that fits best: the address itself, else the longest pattern. */
export function matchesUri(candidates: readonly string[], uri: string): string | undefined {
  if (candidates.includes(uri)) return uri;
  const fitting = candidates.filter((candidate) => isPattern(candidate) && fits(candidate, uri));
  return fitting.toSorted((one, other) => literalLength(other) - literalLength(one))[0];
}

const literalLength = (pattern: string): number => pattern.replace(/\{[^{}]*\}|\*/g, '').length;
