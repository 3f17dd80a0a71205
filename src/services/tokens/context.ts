import type { RemoteJWKSet } from 'jose';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/db.js';
import type { PublishedMetadata } from '../brokering/provider-context.js';
import type { ChangeFeed } from '../core/feed.js';
import type { FetchPublic } from '../core/fetch-public.js';
import type { Keyring, PeopleRead, SessionTouches } from '../core/ports.js';
import type { ScopedCache } from '../core/scoped-cache.js';
import type { Sealer } from '../core/seal.js';
import type { Parties, SessionInUse } from './types.js';

/** What issuing and verifying tokens needs of the process. */
export interface TokenContext {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly keyring: Keyring;
  readonly touches: SessionTouches;
  /** when people of directories are read again; without it they are not */
  readonly peopleRead?: PeopleRead;
  /** remembers realms and clients; without it they are read each time */
  readonly parties?: ScopedCache<Parties>;
  /** remembers sessions that are refreshed, with their users; without it they are read each time */
  readonly sessionsInUse?: ScopedCache<SessionInUse | undefined>;
  /** the keys that a client publishes at an address */
  readonly publishedKeys: (url: string) => RemoteJWKSet;
  /** the certificates in the metadata that a SAML provider publishes at an address */
  readonly publishedMetadata: PublishedMetadata;
  /** sends requests to addresses that clients name */
  readonly fetchPublic: FetchPublic;
  readonly config: Pick<Config, 'publicUrl' | 'hosts' | 'cibaChannelUrl'>;
  /** where units of work publish their changes */
  readonly feed: Pick<ChangeFeed, 'announce' | 'retract' | 'publish'>;
  newId(): string;
  /** milliseconds since 1970 */
  now(): number;
}

/** The present time in seconds since 1970, as tokens have it. */
export const seconds = ({ now }: Pick<TokenContext, 'now'>): number => Math.floor(now() / 1000);

/** The issuer of a realm's tokens. `baseUrl` has scheme, host and base path, without a slash at the end. */
export const issuerOf = (baseUrl: string, realmName: string): string =>
  `${baseUrl}/realms/${encodeURIComponent(realmName)}`;

/** The realm that an issuer names, under whatever host; nothing if it names none. */
export function realmOfIssuer(issuer: unknown): string | undefined {
  const name = typeof issuer === 'string' ? /\/realms\/([^/?#]+)$/.exec(issuer)?.[1] : undefined;
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
