import { webcrypto } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { thumbprintsOf } from '../keys/metadata.js';
import type { BrokerProvider } from './provider.js';
import { type Upstream, UpstreamFailure } from './provider-context.js';

/** How the realm authenticates as the client of a provider (OpenID Connect Core section 9). */
export async function authenticationOf(
  upstream: Upstream,
  { settings, kind }: BrokerProvider,
): Promise<oauth.ClientAuth> {
  const secret = settings.clientSecret ?? '';
  const method = settings.clientAuthMethod || (kind.usesBasic ? 'client_secret_basic' : 'client_secret_post');
  switch (method) {
    case 'client_secret_basic':
      return secret === '' ? oauth.None() : oauth.ClientSecretBasic(secret);
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(secret);
    case 'private_key_jwt':
      return privateKeyJwt(
        upstream,
        settings.clientAssertionSigningAlg || 'RS256',
        settings.jwtX509HeadersEnabled === 'true',
      );
    default:
      return secret === '' ? oauth.None() : oauth.ClientSecretPost(secret);
  }
}

/** Authentication by the realm's own key. With `namesCertificate` assertions name the certificate of the key, too. */
async function privateKeyJwt(
  { keyring, realm }: Upstream,
  algorithm: string,
  namesCertificate: boolean,
): Promise<oauth.ClientAuth> {
  const { privateKey, kid, certificate } = await keyring.signingKey(realm, algorithm);
  if (!privateKey) throw new UpstreamFailure(`the realm has no key for ${algorithm}`);
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const hash = { name: `SHA-${algorithm.slice(2)}` };
  const kinds: Record<string, webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams> = {
    RS: { name: 'RSASSA-PKCS1-v1_5', hash },
    PS: { name: 'RSA-PSS', hash },
    ES: { name: 'ECDSA', namedCurve: algorithm === 'ES512' ? 'P-521' : `P-${algorithm.slice(2)}` },
  };
  const kind = kinds[algorithm.slice(0, 2)];
  if (!kind) throw new UpstreamFailure(`${algorithm} cannot be used`);
  const key = await webcrypto.subtle.importKey('pkcs8', der, kind, false, ['sign']);
  if (!namesCertificate || certificate === undefined) return oauth.PrivateKeyJwt({ key, kid });
  return oauth.PrivateKeyJwt(
    { key, kid },
    { [oauth.modifyAssertion]: (header) => Object.assign(header, thumbprintsOf(certificate)) },
  );
}
