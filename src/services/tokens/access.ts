import { isAlive } from '../sessions/lifetime.js';
import type { Claims } from './claims.js';
import { numberOf, realmOfIssuer, seconds, type TokenContext } from './context.js';
import { notBeforeOf } from './lifetimes.js';
import {
  findRealmAndClient,
  findUserById,
  type TokenClient,
  type TokenRealm,
  type TokenUser,
  userSelect,
} from './parties.js';
import { claimsOfNotes, type RequestedClaims } from './requested-claims.js';
import { isRevoked } from './revocation.js';
import { verifiedToken } from './signature.js';

/** A token of the realm whose signature, time and notBefore are good. */
export interface KnownToken {
  claims: Claims;
  client: TokenClient;
  user: TokenUser;
  /** whether the session that it belongs to goes on; a token of a service account has none */
  inSession: boolean;
  /** the claims that the client asked for when that session began */
  requested?: RequestedClaims | undefined;
}

const types = { access: ['Bearer'], any: ['Bearer', 'Refresh', 'Offline'] };

/** What a token of this realm stands for; nothing for one that is not, or no longer, good. */
export async function knownToken(
  context: TokenContext,
  realm: TokenRealm,
  text: string,
  kind: keyof typeof types,
): Promise<KnownToken | undefined> {
  const at = seconds(context);
  const claims = (await verifiedToken(await context.keyring.realmKeys(realm), text))?.claims;
  if (!claims || !types[kind].includes(String(claims.typ)) || realmOfIssuer(claims.iss) !== realm.name)
    return undefined;
  if (numberOf(claims, 'exp', claims.typ === 'Offline' ? Number.POSITIVE_INFINITY : 0) <= at) return undefined;
  const { client } = await findRealmAndClient(context, realm.name, String(claims.azp ?? ''));
  const user =
    (await findUserById(context, realm.id, String(claims.sub ?? ''))) ?? (await behind(context, realm, client, claims));
  if (!client?.enabled || !user || numberOf(claims, 'iat', 0) < notBeforeOf(realm, client, user)) return undefined;
  if (await isRevoked(context.database.read, claims.jti)) return undefined;
  return { claims, client, user, ...(await partOf(context, realm, client, claims, at)) };
}

/** The user of a token whose subject only its client knows (OpenID Connect Core, section 8.1). */
async function behind(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient | undefined,
  { sid }: Claims,
): Promise<TokenUser | null> {
  const account = client?.serviceAccount;
  if (typeof sid !== 'string') return account ? findUserById(context, realm.id, account.id) : null;
  const session = await context.database.read.userSession.findFirst({
    where: { sid, realmId: realm.id },
    select: { user: { select: userSelect } },
  });
  return session?.user ?? null;
}

async function partOf(
  { database }: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  { sid, typ }: Claims,
  at: number,
): Promise<Pick<KnownToken, 'inSession' | 'requested'>> {
  if (typeof sid !== 'string') return { inSession: true };
  const sessions = await database.read.userSession.findMany({
    where: { sid, realmId: realm.id, clients: { some: { clientId: client.id } } },
    select: {
      startedAt: true,
      lastAccess: true,
      offline: true,
      rememberMe: true,
      clients: { where: { clientId: client.id }, select: { notes: true } },
    },
  });
  // an access token lives as long as one of both does
  const counting = sessions.filter(({ offline }) => typ === 'Bearer' || offline === (typ === 'Offline'));
  const session = counting.find((candidate) => isAlive(candidate, realm.settings, at));
  return { inSession: session !== undefined, requested: claimsOfNotes(session?.clients[0]?.notes) };
}
