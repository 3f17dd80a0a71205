import { members } from '../core/json.js';
import type { KeyOwner } from '../core/ports.js';
import { Refusal } from '../core/refusal.js';
import { signServerToken } from '../keys/sign.js';
import { issuerOf, seconds, type TokenContext } from './context.js';
import { unverifiedToken, verifiedToken } from './signature.js';

/** Seconds that a nonce is good for. */
const lifespan = 300;

type Context = Pick<TokenContext, 'keyring' | 'now'>;

/** Whether the proofs of a client must contain a nonce of the server (RFC 9449 section 8). */
export const needsNonce = ({ attributes }: { attributes: unknown }): boolean =>
  members(attributes)['dpop.nonce.required'] === 'true';

/**
 * The header with a new nonce for proofs. The realm signs its time, so that all instances accept it and none stores it: a nonce that
 * was given out costs nothing.
 */
export async function nonceHeader(context: Context, realm: KeyOwner): Promise<Record<string, string>> {
  const claims = { iss: issuerOf('', realm.name), exp: seconds(context) + lifespan };
  return { 'dpop-nonce': await signServerToken(context, realm, { purpose: 'dpopNonce', claims }) };
}

/** Whether a proof says that it has a nonce. Nothing of it is verified. */
export const hasNonce = (proof: string): boolean => unverifiedToken(proof)?.claims.nonce !== undefined;

/** Whether the realm has given out this nonce, at most five minutes ago. */
export async function isFreshNonce(context: Context, realm: KeyOwner, nonce: string): Promise<boolean> {
  const verified = await verifiedToken(context, realm, ['dpopNonce'], nonce);
  return typeof verified?.claims.exp === 'number' && verified.claims.exp > seconds(context);
}

/** The refusal of a proof without a nonce of the server, with one to try again with (RFC 9449 section 8). */
export async function nonceWanted(context: Context, realm: KeyOwner): Promise<Refusal> {
  const text = 'DPoP proof must contain the nonce of the header DPoP-Nonce';
  return new Refusal('invalid', text, {
    body: { error: useNonce, error_description: text },
    event: useNonce,
    headers: await nonceHeader(context, realm),
  });
}

/** As `nonceWanted`, for a request to a resource (RFC 9449 section 9). */
export const nonceWantedByResource = ({ message, details: { headers } }: Refusal): Refusal =>
  new Refusal('unauthenticated', message, {
    headers: { ...headers, 'www-authenticate': `DPoP error="${useNonce}", error_description="${message}"` },
  });

/** Whether an error is the refusal of a proof for its nonce. */
export const isNonceWanted = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.details.event === useNonce;

const useNonce = 'use_dpop_nonce';
