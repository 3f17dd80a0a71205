/** Texts with and without quotes, each with the colon of a key, and comments. */
const texts =
  /(#.*$|"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|(?!-\s)[^\s[\]{},#"'](?:[^[\]{},:#]|:(?!\s|$))*)(\s*:(?=\s|$)|(?<=["'])\s*:)?/g;

/** A key that can be shown. Others may be a part of a secret with several lines. */
const plainKey = /^(["']?)\w[\w.$-]{0,63}\1$/;

/** Characters with a special meaning at the start of a YAML text. */
const indicators = /^[|>&*!@%`?]/;

/** Maximum characters of an excerpt, and of a line with one. */
const longest = { excerpt: 120, line: 2000 };

/** A text with `…` in place of its content. Characters with a meaning in YAML stay. */
function masked(text: string): string {
  if (text.startsWith('#')) return '#…';
  const quote = /^["']/.exec(text)?.[0];
  if (quote !== undefined) return `${quote}…${text.length > 1 && text.endsWith(quote) ? quote : ''}`;
  const indicator = indicators.exec(text)?.[0] ?? '';
  const space = /\s*$/.exec(text)?.[0] ?? '';
  return `${indicator}${text.length > indicator.length ? '…' : ''}${space}`;
}

/**
 * The line of a YAML or JSON text at an offset: its keys and its syntax characters, with `…` in place of all values,
 * which may be secrets. Undefined if it has no key that can be shown, or is very long.
 */
export function excerptAt(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(start, end < 0 ? undefined : end).trim();
  if (line === '' || line.length > longest.line) return undefined;
  const shown = line.replace(texts, (_, value: string, colon: string | undefined) =>
    colon !== undefined && plainKey.test(value) ? `${value}:` : `${masked(value)}${colon === undefined ? '' : ':'}`,
  );
  if (!/\w/.test(shown)) return undefined;
  return shown.length > longest.excerpt ? `${shown.slice(0, longest.excerpt)}…` : shown;
}
