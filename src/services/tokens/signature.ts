import { compactVerify, decodeProtectedHeader } from 'jose';
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
    const material = key?.publicKey ?? key?.secret;
    if (!key || !material || key.status === 'DISABLED') return undefined;
    const { payload } = await compactVerify(token, material, { algorithms: [key.algorithm] });
    const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
    return typeof claims === 'object' && claims !== null ? { claims: claims as Claims, kid: key.kid } : undefined;
  } catch {
    return undefined;
  }
}
