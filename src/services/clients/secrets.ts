import type { Prisma } from '../../generated/sqlite/client.js';
import { members, numberOf } from '../core/json.js';
import { mask } from '../core/mask.js';
import type { Sealer } from '../core/seal.js';
import type { RowOfRealm } from '../core/sealed-columns.js';

type Attributes = Record<string, string>;

/** What private keys are called. They are sealed within the column, and nobody but administrators of clients sees them. */
const secretSuffix = '.private.key';

/** Whether the value of this attribute is a secret. */
export const isSecretAttribute = (name: string): boolean => name.endsWith(secretSuffix);

const placeOf = ({ id, realmId }: RowOfRealm, field: 'secret' | 'previousSecret' | `attributes.${string}`) =>
  ({ model: 'Client', id, owner: realmId, field }) as const;

/** The secret of a client as it is stored. */
export const sealedSecret = (client: RowOfRealm, secret: string, { seal }: Pick<Sealer, 'seal'>): string =>
  seal(secret, placeOf(client, 'secret'));

/** The secret of a client; undefined for a client that has none. */
export const openedSecret = (
  client: RowOfRealm & { secret: string | null },
  { open }: Pick<Sealer, 'open'>,
): string | undefined => (client.secret === null ? undefined : open(client.secret, placeOf(client, 'secret')));

/** The columns that end the time of a previous secret. */
export const noPreviousSecret = { previousSecret: null, previousSecretUntil: 0n } as const;

/** The columns of a client that has had this secret, and is accepted with it until then (milliseconds since 1970). */
export const previousSecret = (client: RowOfRealm, secret: string, until: number, { seal }: Pick<Sealer, 'seal'>) => ({
  previousSecret: seal(secret, placeOf(client, 'previousSecret')),
  previousSecretUntil: BigInt(until),
});

/** The columns that tell which secrets a client is accepted with. */
export const secretSelect = {
  secret: true,
  previousSecret: true,
  previousSecretUntil: true,
  attributes: true,
} as const;

interface Secrets extends RowOfRealm {
  secret: string | null;
  previousSecret: string | null;
  previousSecretUntil: bigint;
  attributes: unknown;
}

/** The attribute with the time when the secret of a client expires, in seconds since 1970. 0: never. */
const secretExpiry = 'client.secret.expiration.time';

/** The attributes of a client as they are stored, for a secret that is new. */
export function attributesOfNewSecret({ attributes }: { attributes: unknown }): Prisma.InputJsonObject {
  const { [secretExpiry]: _, ...others } = members(attributes);
  return others as Prisma.InputJsonObject;
}

/** Whether the secret of a client counts no more at a time (milliseconds since 1970). */
export function isExpiredSecret({ attributes }: Pick<Secrets, 'attributes'>, at: number): boolean {
  const end = numberOf(attributes, secretExpiry, 0);
  return end > 0 && end * 1000 <= at;
}

/** The previous secret of a client, until it expires. */
export const acceptedPrevious = (
  client: Omit<Secrets, 'secret' | 'attributes'>,
  { open }: Pick<Sealer, 'open'>,
  at: number,
): string | undefined =>
  client.previousSecret !== null && client.previousSecretUntil > at
    ? open(client.previousSecret, placeOf(client, 'previousSecret'))
    : undefined;

/** The secrets that a client is accepted with at a time (milliseconds since 1970): its own, and the previous one until that expires. */
export function acceptedSecrets(client: Secrets, { open }: Pick<Sealer, 'open'>, at: number): string[] {
  const own = isExpiredSecret(client, at) ? undefined : openedSecret(client, { open });
  return [own, acceptedPrevious(client, { open }, at)].filter(
    (secret) => secret !== undefined && secret !== '',
  ) as string[];
}

/** The secret that tokens for a client are signed with by HMAC; undefined for a client without one, and for another algorithm. */
export function signingSecret(
  client: Secrets & { publicClient: boolean },
  { sealer, now }: { sealer: Pick<Sealer, 'open'>; now: () => number },
  algorithm: string,
): string | undefined {
  const isKept = algorithm.startsWith('HS') && !client.publicClient;
  return isKept ? acceptedSecrets(client, sealer, now())[0] : undefined;
}

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
