import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose';
import { z } from 'zod';
import { members } from '../core/json.js';
import type { KeyOwner } from '../core/ports.js';
import { Refusal } from '../core/refusal.js';
import { inTransaction } from '../core/unit-of-work.js';
import { withoutPrefix } from '../core/without-prefix.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { issuerOf, seconds, type TokenContext } from './context.js';
import { isFreshNonce, isNonceWanted, needsNonce, nonceWanted, nonceWantedByResource } from './dpop-nonce.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

/** Signature algorithms of proofs: secrets cannot prove anything to others. */
export const proofAlgorithms = asymmetricAlgorithms;
/** Seconds that a proof is good for, and by which clocks may differ. */
const lifespan = 60;
const skew = 10;

/** Public keys of proofs. Larger RSA keys would take too long to verify with. */
const ProofKey = z.union([
  z.object({ kty: z.literal('RSA'), n: z.string().max(683), e: z.string().max(6) }),
  z.object({ kty: z.literal('EC'), crv: z.enum(['P-256', 'P-384', 'P-521']), x: z.string(), y: z.string() }),
]);
const ProofClaims = z.object({
  jti: z.string().min(1),
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  ath: z.string().optional(),
  nonce: z.string().optional(),
});

/** A proof of possession as a request brings it, with the request that it has to be for. */
export interface Proof {
  /** the header `DPoP`; several of them are one text with commas, which is no token */
  text: string;
  method: string;
  /** address of the request; its query does not count */
  url: string;
}

type Context = Pick<TokenContext, 'database' | 'keyring' | 'now'>;

const refused = (reason: string) => oauthError(400, 'invalid_dpop_proof', `DPoP proof ${reason}`);

/**
 * The thumbprint (RFC 7638) of the key that a proof was made with, after all of RFC 9449 section 4.3 was checked. `accessToken` is
 * the one that is presented with it. Each proof counts once, on every instance. Throws `invalid_dpop_proof`, and `use_dpop_nonce` for a
 * nonce that is not one of the realm, or is missing where the client must send one.
 */
async function thumbprintOf(
  context: Context,
  realm: KeyOwner,
  client: Presented['client'],
  { text, method, url }: Proof,
  accessToken?: string,
): Promise<string> {
  const now = seconds(context);
  const { claims, thumbprint } = await verified(text, now);
  if (claims.htm !== method) throw refused('is for another method');
  if (!URL.canParse(claims.htu) || placeOf(claims.htu) !== placeOf(url)) throw refused('is for another address');
  if (claims.iat > now + skew || claims.iat < now - lifespan) throw refused('is not active');
  if (accessToken !== undefined && claims.ath !== hashOf(accessToken)) throw refused('is for another access token');
  const { nonce } = claims;
  const isGood = nonce === undefined ? !needsNonce(client) : await isFreshNonce(context, realm, nonce);
  if (!isGood) throw await nonceWanted(context, realm);
  const id = `proof:${hashOf(`${thumbprint} ${claims.jti}`)}`;
  const row = { id, realmId: realm.id, purpose: 'dpop proof', expiresAt: now + lifespan + skew + 1 };
  const stored = await inTransaction(context.database, (tx) => tx.insertNew('OneTimeToken', [row]));
  if (stored === 0) throw refused('has already been used');
  return thumbprint;
}

async function verified(
  text: string,
  now: number,
): Promise<{ claims: z.infer<typeof ProofClaims>; thumbprint: string }> {
  try {
    const key = ProofKey.parse(decodeProtectedHeader(text).jwk);
    const { payload } = await jwtVerify(text, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...proofAlgorithms],
      currentDate: new Date(now * 1000),
      clockTolerance: skew,
    });
    return { claims: ProofClaims.parse(payload), thumbprint: await calculateJwkThumbprint(key) };
  } catch {
    throw refused('cannot be verified');
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An address without what does not count, in normal form. */
function placeOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return withoutPrefix(`${origin}${pathname}`);
}

/** What a request to an endpoint for clients says of its key. */
interface ClientRequest {
  baseUrl: string;
  /** the header `DPoP` */
  proof?: string | undefined;
}

/**
 * The thumbprint of the key that the tokens of an answer are bound to: that of the proof of the request, which some clients have to
 * send (`dpop.bound.access.tokens`). Throws `invalid_dpop_proof`.
 */
export async function keyOfRequest(
  context: Context,
  realm: KeyOwner,
  client: Pick<TokenClient, 'attributes'>,
  { baseUrl, proof }: ClientRequest,
  endpoint = 'token',
): Promise<string | undefined> {
  if (proof === undefined) {
    if (isKeyBound(client)) throw refused('is missing');
    return undefined;
  }
  const url = `${issuerOf(baseUrl, realm.name)}/protocol/openid-connect/${endpoint}`;
  return thumbprintOf(context, realm, client, { text: proof, method: 'POST', url });
}

/** Whether a client gets only tokens that are bound to a key. */
export const isKeyBound = ({ attributes }: Pick<TokenClient, 'attributes'>): boolean =>
  members(attributes)['dpop.bound.access.tokens'] === 'true';

/** The thumbprint of the key that a token is bound to, RFC 9449 section 6.1. */
export function boundKey(claims: Readonly<Record<string, unknown>>): string | undefined {
  const { jkt } = members(claims.cnf);
  return typeof jkt === 'string' ? jkt : undefined;
}

/** The realm and the client of an access token that is presented. */
export interface Presented {
  realm: KeyOwner;
  client: { attributes: unknown };
}

/**
 * Whether the proof of a request allows it to use an access token: one of the key that the token is bound to, or, for a token without
 * a key, none (RFC 9449 section 7.1). Throws `unauthenticated` with a nonce if the proof needs one.
 */
export async function mayPresentWithProof(
  context: Context,
  { realm, client }: Presented,
  token: string,
  claims: Readonly<Record<string, unknown>>,
  proof: Proof | undefined,
): Promise<boolean> {
  const key = boundKey(claims);
  if (key === undefined || proof === undefined) return key === undefined && proof === undefined;
  try {
    return (await thumbprintOf(context, realm, client, proof, token)) === key;
  } catch (error) {
    if (isNonceWanted(error)) throw nonceWantedByResource(error);
    if (error instanceof Refusal) return false;
    throw error;
  }
}
