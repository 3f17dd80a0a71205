import type { Db } from '../../database/db.js';
import { members, textsOf } from '../core/json.js';
import { isProtected, isSameList } from '../users/protected-attributes.js';

/** Attributes that users cannot change themselves, in lower case: other systems identify users by them. */
const reserved = new Set(['usercertificate', 'enabled', 'email_verified', 'disabledreason', 'terms_and_conditions']);
const reservedPrefix = 'saml.persistent.name.id.for.';

type Attributes = Readonly<Record<string, string[]>>;

/** Whether users cannot change an attribute themselves. */
function isReserved(name: string): boolean {
  const key = name.toLowerCase();
  return isProtected(key) || reserved.has(key) || key.startsWith(reservedPrefix);
}

/**
 * Names of the attributes by which flows of a realm decide whether users are asked for a one-time code, or find the user of a
 * certificate: one statement.
 */
export async function controllingAttributes(db: Db, realmId: string): Promise<string[]> {
  const configs = await db.authenticatorConfig.findMany({ where: { realmId }, select: { config: true } });
  return [
    ...new Set(
      configs.flatMap(({ config }) => {
        const { otpControlAttribute, 'x509-cert-auth.mapper-selection.user-attribute-name': names } = members(config);
        return [...textsOf([otpControlAttribute]), ...textsOf([names]).flatMap((text) => text.split('##'))];
      }),
    ),
  ];
}

/** Names of the reserved attributes that an input adds or changes. */
export const reservedChanges = (given: Attributes, present: Attributes): string[] =>
  Object.keys(given).filter((name) => isReserved(name) && !isSameList(given[name] ?? [], present[name] ?? []));

/** The attributes of an input, with the stored values of reserved ones. */
export const withReserved = (given: Attributes, present: Attributes): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(given).filter(([name]) => !isReserved(name))),
  ...Object.fromEntries(Object.entries(present).filter(([name]) => isReserved(name))),
});
