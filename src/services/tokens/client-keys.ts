import { createPublicKey, X509Certificate } from 'node:crypto';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type RemoteJWKSet } from 'jose';
import type { FetchPublic } from '../core/fetch-public.js';
import { members } from '../core/json.js';
import { pemBytes } from '../keys/pem.js';
import type { ClientKeys, TokenClient } from './types.js';

/** Most key sets of clients that are remembered. */
const mostSets = 500;
/** How long a key set is good for, and the least time between two requests for it, in milliseconds. */
const ages = { cacheMaxAge: 600_000, cooldownDuration: 10_000, timeoutDuration: 5_000 };

/** The key sets that clients publish, by address; asked for again when a token names a key that is not in them. */
export function publishedKeys(fetchPublic: FetchPublic): (url: string) => RemoteJWKSet {
  const sets = new Map<string, RemoteJWKSet>();
  return (url) => {
    const known = sets.get(url);
    if (known) return known;
    const oldest = sets.keys().next().value;
    if (sets.size >= mostSets && oldest !== undefined) sets.delete(oldest);
    const fetched = createRemoteJWKSet(new URL(url), {
      ...ages,
      [customFetch]: (address, { headers }) => fetchPublic(address, { headers }),
    });
    sets.set(url, fetched);
    return fetched;
  };
}

/** What a verification with one of these secrets yields. Throws what it fails of with the last one. */
export async function byAnySecret<T>(
  [secret = '', ...others]: readonly string[],
  verify: (key: Uint8Array) => Promise<T>,
): Promise<T> {
  try {
    return await verify(new TextEncoder().encode(secret));
  } catch (error) {
    if (others.length === 0) throw error;
    return byAnySecret(others, verify);
  }
}

/** The value of a setting of a client; nothing for one that is not set. */
export const settingText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * The keys that a client has registered for what it signs: the address of a key set, a key set, a certificate or a public
 * key, in this order as in the reference. Nothing where there is none; throws for one that cannot be read.
 */
export function keysOfClient(
  { attributes }: Pick<TokenClient, 'attributes'>,
  published: (url: string) => ClientKeys,
): ClientKeys | undefined {
  const own = members(attributes);
  const url = settingText(own['jwks.url']);
  if (own['use.jwks.url'] === 'true' && url) return published(url);
  const set = settingText(own['jwks.string']);
  if (own['use.jwks.string'] === 'true' && set) return createLocalJWKSet(JSON.parse(set) as JSONWebKeySet);
  const certificate = settingText(own['jwt.credential.certificate']);
  if (certificate) {
    const { publicKey } = new X509Certificate(pemBytes(certificate));
    return async () => publicKey;
  }
  const key = settingText(own['jwt.credential.public.key']);
  if (!key) return undefined;
  const publicKey = createPublicKey({ key: pemBytes(key), format: 'der', type: 'spki' });
  return async () => publicKey;
}
