/**
 * Fields and attributes of a user that were changed in this service and that the directory must not overwrite. Files
 * have them in the `access` of a user, which other servers and tools accept and ignore: `{ "overwrite:firstName": false
 * }`.
 */
const prefix = 'overwrite:';

/** The kept fields of a user in the form of files; undefined if there are none. */
export function writtenKeptFields(keptFields: unknown): { access?: Record<string, boolean> } {
  const names = keptFields as string[];
  if (names.length === 0) return {};
  return { access: Object.fromEntries(names.map((name) => [`${prefix}${name}`, false])) };
}

/** The kept fields in a file. */
export const readKeptFields = (access: Readonly<Record<string, boolean>> = {}): string[] =>
  Object.entries(access).flatMap(([name, may]) => (name.startsWith(prefix) && !may ? name.slice(prefix.length) : []));
