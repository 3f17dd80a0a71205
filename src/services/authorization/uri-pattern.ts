/** A pattern as a regular expression: `{name}` is one segment, `*` at the end anything below. */
function expressionOf(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^$()|[\]\\]/g, '\\$&');
  const source = escaped
    .replace(/\{[^/{}]*\}/g, '[^/]+')
    .replace(/\/\*$/, '(/.*)?')
    .replaceAll('*', '[^/]*')
    .replace(/[{}]/g, '\\$&');
  return new RegExp(`^${source}$`);
}

const isPattern = (text: string): boolean => /[*{]/.test(text);

/** The one of these addresses and patterns that fits best: the address itself, else the longest pattern. */
export function matchesUri(candidates: readonly string[], uri: string): string | undefined {
  if (candidates.includes(uri)) return uri;
  const fitting = candidates.filter((candidate) => isPattern(candidate) && expressionOf(candidate).test(uri));
  return fitting.toSorted((one, other) => literalLength(other) - literalLength(one))[0];
}

const literalLength = (pattern: string): number => pattern.replace(/\{[^}]*\}|\*/g, '').length;
