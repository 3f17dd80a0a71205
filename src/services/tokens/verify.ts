import { createHash } from 'node:crypto';
import { askedOf } from '../core/asked-caches.js';
import { members, numberOf } from '../core/json.js';
import { realmSelect } from '../core/realm.js';
import { isRecent } from '../core/recent.js';
import { unauthenticated } from '../core/refusal.js';
import { isAlive } from '../sessions/lifetime.js';
import { isUsable } from '../user-storage/storage-id.js';
import { mayPresent, type Possession } from './binding.js';
import type { Claims } from './claims.js';
import { realmOfIssuer, seconds, type TokenContext } from './context.js';
import { lightweightClaim } from './lightweight.js';
import { findRealmAndClient, findUserById } from './parties.js';
import { isRevoked } from './revocation.js';
import { mayLackSession } from './service-account.js';
import { trusts, unverifiedToken, verifiedToken } from './signature.js';
import { wholeClaims } from './whole-claims.js';

/** The bearer of a valid access token. */
export interface Bearer {
  realmId: string;
  realmName: string;
  userId: string;
  /** `azp` of the token: the client that asked for it */
  clientId: string;
  claims: Claims;
}

export interface BearerVerifier {
  /**
   * The bearer of an access token, RFC 6750. Refuses a token that is not, or no longer, good, and one that is bound to a key or a
   * certificate that the request does not show; `proved` stands for a request that has shown it before.
   */
  verifyBearer(token: string, possession?: Possession | 'proved'): Promise<Bearer>;
  /** Forgets the tokens of one realm, or of all, so that the next use of each is checked again in full. */
  forgetTokens(realmId?: string): void;
  /** Has the next use of each token of this user look whether the user is still there and enabled. */
  recheckUser(userId: string): void;
}

interface Known {
  bearer: Bearer;
  /** id of the row of the client that the token was issued to */
  client: string;
  /** attributes of that client, as they were when it was last seen */
  attributes: unknown;
  kid: string;
  issuedAt: number;
  /** seconds since 1970 */
  expires: number;
  /** milliseconds since 1970: when realm, user and client were last seen to allow the token */
  checkedAt: number;
}

const maxTokens = 20_000;
// How long a disabled user, realm or client may still get in, in milliseconds.
const maxAge = 1000;
// How far the clock of another instance may be ahead, in seconds.
const clockSkew = 30;

/**
 * A verifier that remembers good tokens by their SHA-256 until they expire: a token that is in use costs no signature
 * check, and one statement a second.
 */
export function createBearerVerifier(context: TokenContext): BearerVerifier {
  const known = new Map<string, Known>();
  const asked = askedOf('tokens');
  // users who were changed, with the time of that, in milliseconds since 1970
  const changed = new Map<string, number>();
  const isSure = ({ bearer, checkedAt }: Known) =>
    isRecent(checkedAt, maxAge, context.now()) && (changed.get(bearer.userId) ?? 0) < checkedAt;

  async function recheck(entry: Known): Promise<boolean> {
    const checkedAt = context.now();
    const found = await standing(context, entry);
    if (found === undefined || found.realmId !== entry.bearer.realmId) return false;
    const keys = await context.keyring.realmKeys({ id: found.realmId, name: entry.bearer.realmName });
    if (!trusts(keys, entry.kid)) return false;
    entry.attributes = found.attributes;
    entry.checkedAt = checkedAt;
    return true;
  }

  async function knownBearer(token: string): Promise<Known> {
    const hash = createHash('sha256').update(token).digest('base64');
    const entry = known.get(hash);
    asked(entry !== undefined && isSure(entry));
    if (entry) {
      const good = entry.expires > seconds(context) && (isSure(entry) || (await recheck(entry)));
      // moves it to the end, so that the tokens that are not used go first
      known.delete(hash);
      if (!good) throw unauthenticated();
      known.set(hash, entry);
      return entry;
    }
    const verified = await verify(context, token);
    known.set(hash, verified);
    const [oldest] = known.keys();
    if (known.size > maxTokens && oldest !== undefined) known.delete(oldest);
    return verified;
  }

  return {
    async verifyBearer(token, possession) {
      const { bearer, attributes } = await knownBearer(token);
      if (possession === 'proved') return bearer;
      const presented = { realm: { id: bearer.realmId, name: bearer.realmName }, client: { attributes } };
      if (!(await mayPresent(context, presented, token, bearer.claims, possession))) throw unauthenticated();
      return bearer;
    },
    recheckUser(userId) {
      const now = context.now();
      // in the order of their times: tokens that were seen longer ago are checked again anyhow
      for (const [id, at] of changed) {
        if (isRecent(at, maxAge, now)) break;
        changed.delete(id);
      }
      changed.delete(userId);
      changed.set(userId, now);
    },
    forgetTokens(realmId) {
      if (realmId === undefined) return known.clear();
      for (const [hash, { bearer }] of known) if (bearer.realmId === realmId) known.delete(hash);
    },
  };
}

async function verify(context: TokenContext, token: string): Promise<Known> {
  const checkedAt = context.now();
  // Only says whose keys to try: nothing of it is acted on before the signature is verified.
  const { claims = {}, client } = unverifiedToken(token) ?? {};
  const realmName = realmOfIssuer(claims.iss);
  const { sub, azp } = claims;
  if (realmName === undefined || client === undefined || typeof sub !== 'string' || typeof azp !== 'string')
    throw unauthenticated();
  const at = seconds(context);
  const issuedAt = numberOf(claims, 'iat', 0);
  const expires = numberOf(claims, 'exp', 0);
  if (expires <= at || issuedAt > at + clockSkew || numberOf(claims, 'nbf', 0) > at + clockSkew)
    throw unauthenticated();
  const bearer = { realmId: '', realmName, userId: sub, clientId: azp, claims };
  const found = await standing(context, { bearer, client, issuedAt });
  if (found === undefined) throw unauthenticated();
  const { realmId, attributes } = found;
  const verified = await verifiedToken(context, { id: realmId, name: realmName }, ['access'], token);
  if (!verified || (await isRevoked(context.database.read, claims.jti))) throw unauthenticated();
  const whole = await wholeClaimsOf(context, bearer);
  return {
    bearer: { ...bearer, realmId, claims: whole },
    client,
    attributes,
    kid: verified.kid,
    issuedAt,
    expires,
    checkedAt,
  };
}

/** The claims of a verified token, with those that a lightweight one leaves out. */
async function wholeClaimsOf(context: TokenContext, { realmName, clientId, userId, claims }: Bearer): Promise<Claims> {
  if (claims[lightweightClaim] !== true) return claims;
  const { realm, client } = await findRealmAndClient(context, realmName, clientId);
  const user = await findUserById(context, realm, userId);
  if (!client || !user) throw unauthenticated();
  return wholeClaims(context, { realm, client, user }, claims);
}

/** The id of the token's realm and the attributes of its client, if realm, user, session and client still allow the token: one statement. */
async function standing(
  context: TokenContext,
  { bearer, client: clientRow, issuedAt }: Pick<Known, 'bearer' | 'client' | 'issuedAt'>,
): Promise<{ realmId: string; attributes: unknown } | undefined> {
  const { database } = context;
  const at = seconds(context);
  const { sid } = bearer.claims;
  const realm = await database.read.realm.findFirst({
    where: { name: bearer.realmName },
    select: {
      id: true,
      enabled: true,
      settings: true,
      components: realmSelect.components,
      users: {
        where: { id: bearer.userId },
        select: {
          enabled: true,
          notBefore: true,
          federationLink: true,
          serviceAccountClientId: true,
          sessions: {
            // of a client that was deleted and made again with its id, what came before is not in the session
            where: {
              sid: typeof sid === 'string' ? sid : '',
              clients: { some: { clientId: clientRow, startedAt: { lte: issuedAt } } },
            },
            select: { startedAt: true, lastAccess: true, endsAt: true, offline: true, rememberMe: true },
          },
        },
      },
      // another client may have got the name of one that was deleted
      clients: {
        where: { id: clientRow, clientId: bearer.clientId },
        select: {
          id: true,
          enabled: true,
          notBefore: true,
          serviceAccountsEnabled: true,
          publicClient: true,
          attributes: true,
        },
      },
    },
  });
  const user = realm?.users[0];
  const client = realm?.clients[0];
  if (!realm?.enabled || !user || !isUsable(realm, user) || !client?.enabled) return undefined;
  const settings = members(realm.settings);
  const inSession = user.sessions.some((session) => isAlive(session, settings, at));
  if (typeof sid === 'string' ? !inSession : !mayLackSession(client, user)) return undefined;
  const notBefore = Math.max(numberOf(settings, 'notBefore', 0), user.notBefore, client.notBefore);
  return issuedAt < notBefore ? undefined : { realmId: realm.id, attributes: client.attributes };
}
