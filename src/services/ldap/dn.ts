/** One part of a DN, its value escaped (RFC 4514, 2.4). */
export function rdnOf(attribute: string, value: string): string {
  const inner = value.replace(/[,+"\\<>;=]/g, '\\$&').replaceAll('\0', '\\00');
  const edges = inner.replace(/^[ #]/, '\\$&').replace(/(?<!\\) $/, '\\ ');
  return `${attribute}=${edges}`;
}
