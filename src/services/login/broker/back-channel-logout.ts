import { compactVerify, decodeJwt } from 'jose';
import { z } from 'zod';
import { type BrokerProvider, providersOfClients } from '../../brokering/provider.js';
import type { Upstream } from '../../brokering/provider-context.js';
import { asymmetric, keysOf } from '../../brokering/provider-keys.js';
import { issuersOf } from '../../brokering/provider-settings.js';
import type { Services } from '../../core/context.js';
import { members } from '../../core/json.js';
import type { RealmRecord } from '../../core/realm.js';
import { storableTime } from '../../core/storable-time.js';
import { inTransaction, inUnitOfWork } from '../../core/unit-of-work.js';
import { storeLoginEvent } from '../../events/login-events.js';
import { concernedBy } from '../../sessions/notifications.js';
import type { ClientKeys } from '../../tokens/types.js';
import { tellClients } from '../other-sessions.js';
import { hashed } from '../state.js';
import { linksTo } from './link-store.js';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const mostLength = 20_000;
/** How far clocks may differ, in seconds. */
const skew = 60;

/** Claims of a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). The subject is required here. */
const LogoutClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  iat: z.number(),
  jti: z.string(),
  exp: z.number().optional(),
  sid: z.string().optional(),
  nonce: z.undefined().optional(),
  events: z.record(z.string(), z.unknown()),
});
type LogoutClaims = z.infer<typeof LogoutClaims>;

/** The process, and the request with the logout token. */
interface Site {
  services: Services;
  publishedKeys: (url: string) => ClientKeys;
  baseUrl: string;
  ipAddress: string;
}

/**
 * Ends the sessions of a user that began at an identity provider, at the provider's request: all of them, or the one that
 * `sid` names. Returns false for a token that no enabled provider of the realm has signed for its client.
 */
export async function logoutByProvider(site: Site, realm: RealmRecord, token: string): Promise<boolean> {
  if (token.length > mostLength) return false;
  let claims: LogoutClaims;
  try {
    claims = LogoutClaims.parse(decodeJwt(token));
  } catch {
    return false;
  }
  if (!Object.hasOwn(claims.events, event)) return false;
  const providers = await signersOf(site, realm, claims, token);
  if (providers.length === 0 || !(await isNew(site, realm, claims))) return false;
  for (const provider of providers) await endSessions(site, realm, provider, claims);
  return true;
}

/** The providers that have signed a logout token, several if they stand for the same one; it must be meant for their client, and be new. */
async function signersOf(
  { services, publishedKeys }: Site,
  realm: RealmRecord,
  claims: LogoutClaims,
  token: string,
): Promise<BrokerProvider[]> {
  const now = services.now() / 1000;
  if (claims.iat > now + skew || now > endOf(claims) + skew) return [];
  const upstream: Upstream = { ...services, publishedKeys, realm };
  const signers: BrokerProvider[] = [];
  for (const provider of await providersOfClients(services, realm.id, [claims.aud].flat())) {
    if (!provider.kind.isOpenId || !issuersOf(provider).includes(claims.iss)) continue;
    try {
      await compactVerify(token, keysOf(upstream, provider), { algorithms: asymmetric });
      signers.push(provider);
    } catch {
      // another provider may have the same issuer and client
    }
  }
  return signers;
}

/** Whether a token was not received before. */
async function isNew(
  { services: { database } }: Site,
  { id: realmId }: RealmRecord,
  { iss, jti, iat, exp }: LogoutClaims,
): Promise<boolean> {
  const id = hashed(`logout token ${realmId} ${iss} ${jti}`);
  const expiresAt = storableTime(endOf({ iat, exp }) + skew);
  const row = { id, realmId, purpose: 'logout token', payload: '', expiresAt };
  return (await inTransaction(database, (tx) => tx.insertNew('OneTimeToken', [row]))) > 0;
}

/** Seconds since 1970 until which a logout token counts. One without an end does so for ten minutes. */
const endOf = ({ iat, exp }: Pick<LogoutClaims, 'iat' | 'exp'>): number => exp ?? iat + 600;

async function endSessions(
  { services, baseUrl, ipAddress }: Site,
  realm: RealmRecord,
  { alias }: BrokerProvider,
  { sub, sid }: LogoutClaims,
): Promise<void> {
  const { read } = services.database;
  const users = (await linksTo(read, realm.id, { alias, id: sub })).map(({ userId }) => userId);
  if (users.length === 0) return;
  const sessions = await read.userSession.findMany({
    where: { userId: { in: users }, realmId: realm.id, offline: false },
    select: { sid: true, userId: true, notes: true },
  });
  const ended = sessions.filter(({ notes }) => {
    const { identity_provider, FEDERATED_SESSION } = members(notes);
    return identity_provider === alias && (sid === undefined || FEDERATED_SESSION === sid);
  });
  if (ended.length === 0) return;
  const where = {
    sid: { in: ended.map((one) => one.sid) },
    userId: { in: users },
    offline: false,
    realmId: realm.id,
  };
  const concerned = await inUnitOfWork(services, async ({ tx, changed }) => {
    const parts = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    const touches = [`sessions:${realm.id}`, ...users.map((id) => `user:${id}`)];
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
    for (const { sid: sessionId, userId } of ended) {
      const details = { identity_provider: alias };
      await storeLoginEvent(tx, services, realm, { type: 'LOGOUT', userId, sessionId, ipAddress, details });
    }
    return parts;
  });
  await tellClients({ services, realm, browser: { baseUrl } }, concerned);
}
