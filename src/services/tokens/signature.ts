import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { hasHmac } from '../keys/jws.js';
import type { RealmKey } from '../keys/material.js';
import type { Claims } from './claims.js';

const maxLength = 65_536;

/** A token whose signature is good. Nothing is said yet about its time, issuer and purpose. */
export interface VerifiedToken {
  claims: Claims;
  kid: string;
}

/** Whether the realm still trusts tokens that this key has signed. */
export const trusts = (keys: readonly RealmKey[], kid: string): boolean =>
  keys.some((key) => key.kid === kid && key.use === 'SIG' && key.status !== 'DISABLED');

/**
 * Verifies a signed JSON Web Token (RFC 7515 section 5.2) against the realm's keys, active and passive ones.
 * The algorithm is that of the key, never what the token alone claims (RFC 8725 section 3.1). Nothing for a bad token.
 */
export async function verifiedToken(keys: readonly RealmKey[], token: string): Promise<VerifiedToken | undefined> {
  if (token.length > maxLength) return undefined;
  try {
    const { kid, alg } = decodeProtectedHeader(token);
    const key = keys.find(
      (candidate) => candidate.kid === kid && candidate.use === 'SIG' && candidate.algorithm === alg,
    );
    if (!key || key.status === 'DISABLED') return undefined;
    const claims = key.secret ? hmacClaims(token, key.algorithm, key.secret) : await signedClaims(token, key);
    return typeof claims === 'object' && claims !== null ? { claims: claims as Claims, kid: key.kid } : undefined;
  } catch {
    return undefined;
  }
}

async function signedClaims(token: string, { publicKey, algorithm }: RealmKey): Promise<unknown> {
  if (!publicKey) return undefined;
  const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] });
  return JSON.parse(new TextDecoder().decode(payload));
}

function hmacClaims(token: string, algorithm: string, secret: KeyObject): unknown {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  if (payload === undefined || !hasHmac(token, algorithm, secret)) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}
