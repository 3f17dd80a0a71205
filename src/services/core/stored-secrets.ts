import { userStorage } from './realm.js';
import { invalid } from './refusal.js';

/** A setting on the wire: a text, or a list of texts. */
type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Destination {
  /** settings with a secret */
  secrets: readonly string[];
  /** settings that determine the destination of the secret, its account, and its protection on the way */
  places: readonly string[];
}

/** The destination settings of each kind of stored secret. */
const destinations = {
  mailServer: { secrets: ['password'], places: ['host', 'port', 'ssl', 'starttls', 'user'] },
  directory: { secrets: ['bindCredential'], places: ['connectionUrl', 'startTls', 'bindDn', 'referral'] },
  keyStore: { secrets: ['keystorePassword', 'keyPassword'], places: ['keystore'] },
  identityProvider: {
    secrets: ['clientSecret'],
    places: ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'logoutUrl', 'baseUrl', 'apiUrl'],
  },
} as const satisfies Record<string, Destination>;

export type SecretKind = keyof typeof destinations;

/** The kind of the secrets that a component sends to another system; undefined if it sends none. */
export function secretKindOf(providerType: unknown, providerId: unknown): SecretKind | undefined {
  if (providerType === userStorage) return 'directory';
  return providerId === 'java-keystore' ? 'keyStore' : undefined;
}

/**
 * A setting in the form in which it is compared. A missing setting has the same effect as `false`, or `ignore` for
 * referrals.
 */
function comparable(value: Values[string]): string {
  const text = [value ?? []].flat().join(' ').trim().replace(/\s+/g, ' ');
  return /^(false|ignore)$/i.test(text) ? '' : text;
}

/** The first setting by which the destination of a stored secret differs between `before` and `after`. */
export const changedPlace = (kind: SecretKind, before: Values, after: Values): string | undefined =>
  destinations[kind].places.find((name) => comparable(before[name]) !== comparable(after[name]));

/**
 * Whether the destination of a secret differs from all earlier states of its settings; an earlier destination was
 * allowed before.
 */
export const isMoved = (kind: SecretKind, next: Values, earlier: readonly Values[]): boolean =>
  destinations[kind].secrets.some(
    (name) =>
      next[name] !== undefined &&
      !earlier.some(
        (state) => comparable(state[name]) === comparable(next[name]) && changedPlace(kind, state, next) === undefined,
      ),
  );

/**
 * Refuses to send a stored secret to another destination: somebody who changes the address without knowing the secret
 * could read it there. `kept` tells which secrets stay as they are stored, because they were left out or sent as a
 * mask.
 */
export function requireSameDestination(
  kind: SecretKind,
  { before, after, kept }: { before: Values; after: Values; kept: (secret: string) => boolean },
  field = 'config',
): void {
  const secret = destinations[kind].secrets.find(kept);
  if (secret === undefined) return;
  const changed = changedPlace(kind, before, after);
  if (changed === undefined) return;
  throw invalid(`${secret} must be sent again, because ${changed} has changed`, `${field}.${secret}`, {
    code: 'SECRET_REQUIRED',
  });
}
