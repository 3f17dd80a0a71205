import { compactVerify, decodeJwt } from 'jose';
import { z } from 'zod';
import { type BrokerProvider, providersOfClients } from '../../brokering/provider.js';
import { asymmetric, keysOf } from '../../brokering/provider-keys.js';
import { issuersOf } from '../../brokering/provider-settings.js';
import type { RealmRecord } from '../../core/realm.js';
import { storableTime } from '../../core/storable-time.js';
import { inTransaction } from '../../core/unit-of-work.js';
import type { ClientKeys } from '../../tokens/types.js';
import { hashed } from '../state.js';
import { endSessionsOf, type ProviderSite } from './end-sessions.js';

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
interface Site extends ProviderSite {
  publishedKeys: (url: string) => ClientKeys;
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
  const { sub: subject, sid } = claims;
  const isMeant = ({ FEDERATED_SESSION }: Readonly<Record<string, unknown>>) =>
    sid === undefined || FEDERATED_SESSION === sid;
  for (const provider of providers) await endSessionsOf(site, realm, provider, { subject, isMeant });
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
  const signers: BrokerProvider[] = [];
  for (const provider of await providersOfClients(services, realm.id, [claims.aud].flat())) {
    if (!provider.kind.isOpenId || !issuersOf(provider).includes(claims.iss)) continue;
    try {
      await compactVerify(token, keysOf({ publishedKeys }, provider), { algorithms: asymmetric });
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
