import type { RealmFormFragment, RealmUpdateInput } from './documents.js';
import { fields } from './sections.js';

/** Settings by path, as the form has them. */
export type RealmValues = Record<string, unknown>;

/** The settings of a stored realm. Secrets cannot be read, and are empty. */
export const storedOf = (realm: RealmFormFragment) => ({
  version: realm.version ?? 0,
  values: Object.fromEntries(
    Object.keys(fields).map((path) => [
      path,
      path.split('.').reduce<unknown>((value, key) => (value as RealmValues | null)?.[key], realm) ?? null,
    ]),
  ) as RealmValues,
});

/** The input of the mutation for the settings that differ. */
export function inputOf(changes: RealmValues): Omit<RealmUpdateInput, 'id'> {
  const input: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(changes)) {
    const [section = '', key] = path.split('.');
    input[section] = key ? { ...(input[section] as object), [key]: value } : value;
  }
  return input;
}
