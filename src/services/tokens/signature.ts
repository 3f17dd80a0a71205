import { createSecretKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { limit } from '../../config/limits.js';
import { acceptedSecrets, secretSelect } from '../clients/secrets.js';
import type { KeyOwner, Keyring, RealmKey } from '../core/ports.js';
import { hasHmac } from '../keys/jws.js';
import {
  clientClaim,
  isServerPurpose,
  issuerClaim,
  type PurposeName,
  purposeKey,
  purposes,
  serverAlgorithm,
} from '../keys/purpose.js';
import type { Claims } from './claims.js';
import { realmOfIssuer, type TokenContext } from './context.js';

const maxLength = limit('Logins and tokens', 'Token', 65_536, 'characters', '401');

/** A token of the realm, good for its purpose. Nothing is said yet about its time. */
export interface VerifiedToken<Name extends PurposeName = PurposeName> {
  purpose: Name;
  claims: Claims;
  kid: string;
  /** id of the row of the client that the token was issued to */
  client: string | undefined;
}

/** Whether the realm still trusts tokens that this key has signed. */
export const trusts = (keys: readonly RealmKey[], kid: string): boolean =>
  keys.some((key) => key.kid === kid && key.use === 'SIG' && key.status !== 'DISABLED');

/** What a token says of itself, before anything of it is verified; nothing for what is no token. */
export function unverifiedToken(token: string): { claims: Claims; client: string | undefined } | undefined {
  if (token.length > maxLength) return undefined;
  try {
    const claims = decodeJwt(token);
    return { claims, client: clientIn(claims) };
  } catch {
    return undefined;
  }
}

/**
 * Verifies a JSON Web Token (RFC 7515 section 5.2) that the realm has issued for one of these purposes, with the realm's
 * keys, active and passive ones. The algorithm is that of the key, never what the token alone claims (RFC 8725 section
 * 3.1). What only this server reads has to be signed under the key of its purpose. Nothing for a bad token.
 */
export async function verifiedToken<Name extends PurposeName>(
  { keyring }: { keyring: Keyring },
  realm: KeyOwner,
  accepted: readonly Name[],
  token: string,
): Promise<VerifiedToken<Name> | undefined> {
  const unverified = unverifiedToken(token);
  const type = unverified?.claims.typ;
  const purpose = accepted.find((name) => purposes[name].type === type);
  if (purpose === undefined || unverified === undefined) return undefined;
  const keys = await keyring.realmKeys(realm);
  try {
    const header = decodeProtectedHeader(token);
    const key = keys.find(({ kid, use, algorithm }) => kid === header.kid && use === 'SIG' && algorithm === header.alg);
    if (!key || key.status === 'DISABLED') return undefined;
    const claims = await signedClaims(token, key, purpose);
    if (!claims || claims.typ !== type || realmOfIssuer(claims[issuerClaim(purpose)]) !== realm.name) return undefined;
    const { [clientClaim]: _, ...own } = claims;
    return { purpose, claims: own, kid: key.kid, client: clientIn(claims) };
  } catch {
    return undefined;
  }
}

/** The id of the row of the client whose secret an ID token says to be signed with. */
export function clientOfSecret(token: string): string | undefined {
  const { client, claims } = unverifiedToken(token) ?? {};
  if (client === undefined || claims?.typ !== purposes.id.type) return undefined;
  return decodeProtectedHeader(token).kid === undefined ? client : undefined;
}

/**
 * As `verifiedToken`, for an ID token that was signed with the secret of its client (OpenID Connect Core section 10.1). The client is
 * that of the claim `azp_id`: one client cannot sign in the name of another.
 */
export async function idTokenOfClient(
  { database, sealer, now }: Pick<TokenContext, 'database' | 'sealer' | 'now'>,
  realm: KeyOwner,
  token: string,
): Promise<Pick<VerifiedToken<'id'>, 'claims' | 'client'> | undefined> {
  const id = clientOfSecret(token);
  if (id === undefined) return undefined;
  const header = decodeProtectedHeader(token);
  const select = { id: true, realmId: true, publicClient: true, ...secretSelect } as const;
  const client = await database.read.client.findFirst({ where: { id, realmId: realm.id }, select });
  const secrets = !client || client.publicClient ? [] : acceptedSecrets(client, sealer, now());
  for (const secret of secrets) {
    const claims = hmacClaims(token, header.alg ?? '', createSecretKey(Buffer.from(secret)));
    if (claims?.typ === purposes.id.type && realmOfIssuer(claims.iss) === realm.name) return { claims, client: id };
  }
  return undefined;
}

const clientIn = ({ [clientClaim]: client }: Claims): string | undefined =>
  typeof client === 'string' ? client : undefined;

function signedClaims(
  token: string,
  key: RealmKey,
  purpose: PurposeName,
): Promise<Claims | undefined> | Claims | undefined {
  const { secret, algorithm } = key;
  if (isServerPurpose(purpose)) {
    if (!secret || algorithm !== serverAlgorithm) return undefined;
    return hmacClaims(token, algorithm, purposeKey(secret, purpose));
  }
  return secret ? hmacClaims(token, algorithm, secret) : publicClaims(token, key);
}

async function publicClaims(token: string, { publicKey, algorithm }: RealmKey): Promise<Claims | undefined> {
  if (!publicKey) return undefined;
  const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] });
  return objectOf(new TextDecoder().decode(payload));
}

function hmacClaims(token: string, algorithm: string, secret: KeyObject): Claims | undefined {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  if (payload === undefined || !hasHmac(token, algorithm, secret)) return undefined;
  return objectOf(Buffer.from(payload, 'base64url').toString('utf8'));
}

function objectOf(json: string): Claims | undefined {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
}
