import { invalid, type Refusal } from '../core/refusal.js';

/** Attributes that user storages set, in lower case. Nobody else may set or change them. */
const protectedNames = new Set([
  'ldap_id',
  'ldap_entry_dn',
  'createtimestamp',
  'modifytimestamp',
  'created_timestamp',
  'kerberos_principal',
]);

export type Attributes = Readonly<Record<string, readonly string[]>>;

/** Whether only user storages may set this attribute. */
export const isProtected = (name: string): boolean => protectedNames.has(name.toLowerCase());
/** The protected names in lower case, for statements. */
export const protectedList: readonly string[] = [...protectedNames];

/** Those of these attributes that only user storages may set. */
export const protectedAmong = (attributes: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => isProtected(name)));

const present = (values: readonly string[] = []): readonly string[] => values.filter((value) => value.trim() !== '');

/** Whether two lists have the same values in the same order. */
export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/** Refusal of an input that sets or changes protected attributes; what is left out, or as it is, is none. */
export function refusalOfProtected(given: Attributes = {}, now: Attributes = {}): Refusal | undefined {
  const changed = Object.keys(given).filter(
    (name) => isProtected(name) && !isSameList(present(given[name]), present(now[name])),
  );
  const [first] = changed;
  if (first === undefined) return undefined;
  const errorMessage = 'updateReadOnlyAttributesRejectedMessage';
  const faults = changed.map((name) => ({
    path: ['attributes', name],
    message: errorMessage,
    code: 'READ_ONLY' as const,
  }));
  const body = { errors: changed.map(() => ({ errorMessage })) };
  return invalid(errorMessage, `attributes.${first}`, { faults, ...(changed.length > 1 && { body }) });
}
