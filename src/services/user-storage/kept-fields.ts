/**
 * Fields and attributes of a user that were changed here and that the directory must not write over. Files have them in the
 * `access` of a user, which other servers and tools know and do not read: `{ "overwrite:firstName": false }`.
 */
const prefix = 'overwrite:';

/** The kept fields of a user as files have them; nothing where there are none. */
export function writtenKeptFields(keptFields: unknown): { access?: Record<string, boolean> } {
  const names = keptFields as string[];
  if (names.length === 0) return {};
  return { access: Object.fromEntries(names.map((name) => [`${prefix}${name}`, false])) };
}

/** The kept fields that a file says. */
export const readKeptFields = (access: Readonly<Record<string, boolean>> = {}): string[] =>
  Object.entries(access).flatMap(([name, may]) => (name.startsWith(prefix) && !may ? name.slice(prefix.length) : []));
