import { createSecretKey, type KeyObject } from 'node:crypto';
import type { KeyOwner, Keyring, RealmKey } from '../core/ports.js';
import { compactToken } from './jws.js';
import {
  clientClaim,
  type PublicPurpose,
  purposeKey,
  purposes,
  type ServerPurpose,
  serverAlgorithm,
} from './purpose.js';

interface Signing {
  keyring: Keyring;
}

type Claims = Readonly<Record<string, unknown>>;

/** A token that clients and resource servers verify with the keys of the realm. */
export interface PublicToken {
  purpose: PublicPurpose;
  algorithm: string;
  claims: Claims;
  /** ID of the row of the client that the token is issued to */
  client?: string;
  /** the name of the key, for recipients that use other names than the key set of the realm */
  kid?: (publicKey: KeyObject) => string;
  /** type in the header, `JWT` by default */
  type?: 'at+jwt';
}

/**
 * Signs a JSON Web Token (RFC 7519) with the realm's active key for the algorithm. The claim `typ`, which protocol
 * mappers cannot write, states the purpose of the token. Throws if no key signs with the algorithm.
 */
export async function signPublicToken({ keyring }: Signing, realm: KeyOwner, token: PublicToken): Promise<string> {
  return signedBy(await keyring.signingKey(realm, token.algorithm), token);
}

/**
 * Like `signPublicToken`, but only with an existing key: an anonymous request must not cause the generation of a key.
 * Undefined if there is none.
 */
export async function signWithPresentKey(
  { keyring }: Signing,
  realm: KeyOwner,
  token: PublicToken,
): Promise<string | undefined> {
  const key = await keyring.presentKey(realm, token.algorithm);
  return key && signedBy(key, token);
}

function signedBy(key: RealmKey, signed: PublicToken): Promise<string> {
  const { algorithm, type = 'JWT', kid } = signed;
  const material = key.privateKey ?? key.secret;
  if (!material) throw new Error(`The key for ${algorithm} cannot sign`);
  const name = kid && key.publicKey ? kid(key.publicKey) : key.kid;
  return compactToken({ alg: algorithm, typ: type, kid: name }, wholeClaims(signed), material);
}

/** Signs a token for a client by HMAC with the secret of the client (OpenID Connect Core section 10.1). */
export function signWithSecret(secret: string, token: PublicToken): Promise<string> {
  return compactToken({ alg: token.algorithm, typ: 'JWT' }, wholeClaims(token), createSecretKey(Buffer.from(secret)));
}

/** A token that only this server verifies. */
export interface ServerToken {
  purpose: ServerPurpose;
  claims: Claims;
  /** ID of the row of the client that the token is issued to */
  client?: string;
}

/** Signs a JSON Web Token under the key that the realm has for this purpose alone. */
export async function signServerToken({ keyring }: Signing, realm: KeyOwner, token: ServerToken): Promise<string> {
  const key = await keyring.signingKey(realm, serverAlgorithm);
  if (!key.secret) throw new Error(`The key for ${serverAlgorithm} cannot sign`);
  const header = { alg: serverAlgorithm, typ: 'JWT', kid: key.kid };
  return compactToken(header, wholeClaims(token), purposeKey(key.secret, token.purpose));
}

/** The claims with the purpose of the token and its client. Libraries would refuse unknown members in the header. */
function wholeClaims({ purpose, claims, client }: PublicToken | ServerToken): Claims {
  const { type } = purposes[purpose];
  return {
    ...claims,
    ...(type !== undefined && { typ: type }),
    ...(client !== undefined && { [clientClaim]: client }),
  };
}
