import { mask } from '../core/mask.js';
import type { Sealer } from '../core/seal.js';
import type { RowOfRealm } from '../core/sealed-columns.js';

type Attributes = Record<string, string>;

/** What private keys are called. They are sealed within the column, and nobody but administrators of clients sees them. */
const secretSuffix = '.private.key';

/** Whether the value of this attribute is a secret. */
export const isSecretAttribute = (name: string): boolean => name.endsWith(secretSuffix);

const placeOf = ({ id, realmId }: RowOfRealm, field: 'secret' | `attributes.${string}`) =>
  ({ model: 'Client', id, owner: realmId, field }) as const;

/** The secret of a client as it is stored. */
export const sealedSecret = (client: RowOfRealm, secret: string, { seal }: Pick<Sealer, 'seal'>): string =>
  seal(secret, placeOf(client, 'secret'));

/** The secret of a client; undefined for a client that has none. */
export const openedSecret = (
  client: RowOfRealm & { secret: string | null },
  { open }: Pick<Sealer, 'open'>,
): string | undefined => (client.secret === null ? undefined : open(client.secret, placeOf(client, 'secret')));

const converted = (attributes: Attributes, convert: (value: string, name: string) => string): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isSecretAttribute(name) ? convert(value, name) : value]),
  );

/** Attributes of a client as they are stored. Empty values are none; the mask is never stored. */
export const sealedAttributes = (
  client: RowOfRealm,
  attributes: Attributes,
  { seal }: Pick<Sealer, 'seal'>,
): Attributes =>
  converted(Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== '')), (value, name) =>
    seal(value, placeOf(client, `attributes.${name}`)),
  );

/** Stored attributes of a client with their secrets. */
export const openedAttributes = (
  client: RowOfRealm & { attributes: unknown },
  { open }: Pick<Sealer, 'open'>,
): Attributes =>
  converted(client.attributes as Attributes, (sealed, name) => open(sealed, placeOf(client, `attributes.${name}`)));

/** Stored attributes with a mask in the place of each secret. */
export const maskedAttributes = (attributes: unknown): Attributes => converted(attributes as Attributes, () => mask);
