import { numberOf } from '../core/json.js';
import { isAlive } from '../sessions/lifetime.js';
import { mayPresent, type Possession } from './binding.js';
import type { Claims } from './claims.js';
import { seconds, type TokenContext } from './context.js';
import { notBeforeOf } from './lifetimes.js';
import { pairwiseSubjects } from './pairwise-subject.js';
import { findRealmAndClient, findUserById, withStorage } from './parties.js';
import { claimsOfNotes, type RequestedClaims } from './requested-claims.js';
import { isRevoked } from './revocation.js';
import { mayLackSession } from './service-account.js';
import { type VerifiedToken, verifiedToken } from './signature.js';
import { type TokenClient, type TokenRealm, type TokenUser, userSelect } from './types.js';
import { wholeClaims } from './whole-claims.js';

/** The purposes of the tokens that clients are given to use at this server. */
export const clientTokens = ['access', 'refresh', 'offline'] as const;

type ClientTokenPurpose = (typeof clientTokens)[number];

/** A token of the realm whose signature, time and notBefore are good. */
export interface KnownToken {
  purpose: ClientTokenPurpose;
  claims: Claims;
  client: TokenClient;
  user: TokenUser;
  /** whether the session that it belongs to goes on; a service account of a client needs none */
  inSession: boolean;
  /** the claims that the client asked for when that session began */
  requested?: RequestedClaims | undefined;
}

/**
 * What an access token of this realm stands for; nothing for one that is not, or no longer, good, or whose user is disabled, and
 * for one that is bound to a key or a certificate that the request does not show. Throws `unauthenticated` with a nonce if the proof
 * of the request needs one.
 */
export async function knownAccessToken(
  context: TokenContext,
  realm: TokenRealm,
  text: string,
  possession?: Possession,
): Promise<KnownToken | undefined> {
  const verified = await verifiedToken(context, realm, ['access'], text);
  const known = verified && (await knownToken(context, realm, verified));
  if (!known || !(await mayPresent(context, { realm, client: known.client }, text, known.claims, possession)))
    return undefined;
  return { ...known, claims: await wholeClaims(context, { ...known, realm }, known.claims) };
}

/** Returns the user, client, and own claims of a verified token. Undefined for a token that is no longer valid. */
export async function knownToken(
  context: TokenContext,
  realm: TokenRealm,
  verified: VerifiedToken<ClientTokenPurpose>,
): Promise<KnownToken | undefined> {
  const at = seconds(context);
  const { claims, purpose } = verified;
  if (numberOf(claims, 'exp', purpose === 'offline' ? Number.POSITIVE_INFINITY : 0) <= at) return undefined;
  const { client } = await findRealmAndClient(context, realm.name, String(claims.azp ?? ''));
  // another client may have got the name of one that was deleted
  if (!client?.enabled || client.id !== verified.client) return undefined;
  const user = await findSubject(context, realm, client, claims);
  if (!user?.enabled || numberOf(claims, 'iat', 0) < notBeforeOf(realm, client, user)) return undefined;
  if (await isRevoked(context.database.read, claims.jti)) return undefined;
  return { purpose, claims, client, user, ...(await partOf(context, realm, { client, user }, verified, at)) };
}

/** The user who is the subject of a token of a client. */
export const findSubject = async (
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  claims: Claims,
): Promise<TokenUser | null> =>
  (await findUserById(context, realm, String(claims.sub ?? ''))) ?? behind(context, realm, client, claims);

/** The user of a token whose subject only its client knows (OpenID Connect Core, section 8.1). */
async function behind(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  { sid, sub }: Claims,
): Promise<TokenUser | null> {
  const user = await userOfSession(context, realm, client, sid);
  return user && pairwiseSubjects(client, user.id).includes(String(sub)) ? user : null;
}

async function userOfSession(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  sid: unknown,
): Promise<TokenUser | null> {
  const account = client.serviceAccount;
  if (typeof sid !== 'string') return account ? findUserById(context, realm, account.id) : null;
  const session = await context.database.read.userSession.findFirst({
    where: { sid, realmId: realm.id },
    select: { user: { select: userSelect } },
  });
  return session ? withStorage(realm, session.user) : null;
}

async function partOf(
  { database }: TokenContext,
  realm: TokenRealm,
  { client, user }: { client: TokenClient; user: TokenUser },
  { claims: { sid, iat }, purpose }: VerifiedToken,
  at: number,
): Promise<Pick<KnownToken, 'inSession' | 'requested'>> {
  if (typeof sid !== 'string') return { inSession: mayLackSession(client, user) };
  const joined = { clientId: client.id, startedAt: { lte: typeof iat === 'number' ? iat : 0 } };
  const sessions = await database.read.userSession.findMany({
    where: { sid, realmId: realm.id, userId: user.id, clients: { some: joined } },
    select: {
      startedAt: true,
      lastAccess: true,
      endsAt: true,
      offline: true,
      rememberMe: true,
      clients: { where: { clientId: client.id }, select: { notes: true } },
    },
  });
  // an access token lives as long as one of both does
  const counting = sessions.filter(({ offline }) => purpose === 'access' || offline === (purpose === 'offline'));
  const session = counting.find((candidate) => isAlive(candidate, realm.settings, at));
  return { inSession: session !== undefined, requested: claimsOfNotes(session?.clients[0]?.notes) };
}
