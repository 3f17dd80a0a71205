/** A relative DN with its value escaped (RFC 4514, 2.4). */
export function rdnOf(attribute: string, value: string): string {
  const inner = value.replace(/[,+"\\<>;=]/g, '\\$&').replaceAll('\0', '\\00');
  const edges = inner.replace(/^[ #]/, '\\$&').replace(/(?<!\\) $/, '\\ ');
  return `${attribute}=${edges}`;
}

/** A value of a DN without its escapes (RFC 4514, 2.4): pairs of hexadecimal digits are bytes in UTF-8. */
export const unescaped = (value: string): string =>
  value.replace(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (escaped, character?: string) =>
    character === undefined ? Buffer.from(escaped.replaceAll('\\', ''), 'hex').toString('utf8') : character,
  );
