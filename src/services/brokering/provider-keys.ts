import { createPublicKey, type KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { pemBytes } from '../keys/pem.js';
import type { ClientKeys } from '../tokens/types.js';
import type { BrokerProvider } from './provider.js';
import { type Upstream, UpstreamFailure } from './provider-context.js';
import { addressOf, isOn } from './provider-settings.js';

/** Algorithms of tokens that a provider signs with a key of its own. */
export const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Verifies a token of the provider with its keys, unless the administrator relies on TLS (OpenID Connect Core section 3.1.3.7, point 6). */
export async function verifySignature(upstream: Upstream, provider: BrokerProvider, token: string): Promise<void> {
  const { settings, kind } = provider;
  if (kind.jwksUrl === undefined && !isOn(settings.validateSignature)) return;
  const key = keysOf(upstream, provider);
  await compactVerify(token, key, { algorithms: asymmetric });
}

/** The keys of a provider. Throws `UpstreamFailure` if it has none. */
export function keysOf({ publishedKeys }: Pick<Upstream, 'publishedKeys'>, provider: BrokerProvider): ClientKeys {
  const { settings, kind } = provider;
  const url = addressOf(provider, 'jwksUrl');
  if (url !== undefined && (kind.jwksUrl !== undefined || isOn(settings.useJwksUrl))) return publishedKeys(url);
  const pem = settings.publicKeySignatureVerifier;
  if (!pem) throw new UpstreamFailure('the provider has no keys to verify its tokens with');
  const publicKey: KeyObject = createPublicKey({ key: pemBytes(pem), format: 'der', type: 'spki' });
  const keyId = settings.publicKeySignatureVerifierKeyId?.trim();
  return async ({ kid }) => {
    if (keyId && kid !== keyId) throw new UpstreamFailure('the token is signed with another key');
    return publicKey;
  };
}
