import { randomUUID } from 'node:crypto';
import type { Db } from '../../../database/db.js';
import { members } from '../../core/json.js';
import { nameIdFormats } from '../../saml/names.js';
import type { NameId } from '../../saml/session-part.js';
import type { SamlSettings } from '../../saml/settings.js';
import { userProperty } from '../../tokens/mappers.js';
import type { TokenMapper, TokenUser } from '../../tokens/types.js';

/** How an assertion names the user. */
export interface ChosenNameId extends NameId {
  /** name of the user attribute that keeps the value; only of one that is new */
  keptAs?: string;
}

const known: ReadonlySet<string> = new Set(Object.values(nameIdFormats));

/** Whether users can be named in a format that a request asks for. */
export const isNameIdFormat = (format: string): boolean => known.has(format);

/** The format for a client, of what its settings and its request say. */
export const formatFor = (settings: SamlSettings, requested: string | undefined): string => {
  const { nameIdFormat, forcesNameIdFormat } = settings;
  const chosen = forcesNameIdFormat ? (nameIdFormat ?? requested) : (requested ?? nameIdFormat);
  return chosen ?? nameIdFormats.unspecified;
};

const storedValue = (user: TokenUser, name: string): string | undefined =>
  user.attributes.find((attribute) => attribute.name === name)?.value;

/** The name of a user in a format; undefined if the user has none in it. A mapper for the format comes first. */
export function nameIdOf(
  user: TokenUser,
  clientId: string,
  format: string,
  mappers: readonly TokenMapper[],
): ChosenNameId | undefined {
  const mapper = mappers.find(
    ({ protocolMapper, config }) =>
      protocolMapper === 'saml-user-attribute-nameid-mapper' && members(config)['mapper.nameid.format'] === format,
  );
  if (mapper) {
    const name = String(members(mapper.config)['user.attribute'] ?? '');
    const value = storedValue(user, name) ?? userProperty(user, name);
    return value ? { format, value } : undefined;
  }
  switch (format) {
    case nameIdFormats.email:
      return user.email ? { format, value: user.email } : undefined;
    case nameIdFormats.transient:
      return { format, value: `G-${randomUUID()}` };
    case nameIdFormats.persistent: {
      const name = `saml.persistent.name.id.for.${clientId}`;
      const kept = storedValue(user, name) ?? storedValue(user, 'saml.persistent.name.id.for.*');
      return kept ? { format, value: kept } : { format, value: `G-${randomUUID()}`, keptAs: name };
    }
    default:
      return { format, value: user.username };
  }
}

/**
 * Keeps a new persistent name for the next login. Returns the name that counts: that of another login of the user, if it has
 * stored one at the same time.
 */
export async function keepNameId(tx: Db, userId: string, { value, keptAs }: ChosenNameId): Promise<string> {
  if (keptAs === undefined) return value;
  const row = { userId, name: keptAs, position: 0 };
  await tx.insertNew('UserAttribute', [{ ...row, value }]);
  const kept = await tx.userAttribute.findFirst({ where: row, select: { value: true } });
  return kept?.value ?? value;
}
