import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.js';
import type { Identity } from '../../services/login/identity.js';

/** Names of the cookies, as existing tools know them. */
export const names = {
  login: 'AUTH_SESSION_ID',
  identity: 'KEYCLOAK_IDENTITY',
  status: 'KEYCLOAK_SESSION',
  locale: 'KEYCLOAK_LOCALE',
} as const;

/** Where the cookies of a realm's pages go. */
export interface CookieSite {
  realmName: string;
  /** the paths of the realm, of which the first one is that of its pages */
  paths: readonly [string, ...string[]];
  /** whether the browser came by TLS */
  isSecure: boolean;
}

/** The cookies of a realm at a base address. */
export const cookieSite = (
  realmName: string,
  baseUrl: string,
  { addressPrefix: [first, ...others] }: Pick<Config, 'addressPrefix'>,
): CookieSite => {
  const pathBelow = (prefix: string) => `${prefix}/realms/${encodeURIComponent(realmName)}`;
  return { realmName, paths: [pathBelow(first), ...others.map(pathBelow)], isSecure: baseUrl.startsWith('https:') };
};

/** The value of a cookie of a request (RFC 6265 section 4.2). */
export function cookieOf(message: IncomingMessage, name: string): string | undefined {
  for (const part of (message.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = part.split('=');
    if (key.trim() === name) return value.join('=').trim().replace(/^"|"$/g, '') || undefined;
  }
  return undefined;
}

interface Flags {
  /** seconds; nothing for a cookie that ends with the browser */
  maxAge?: number | undefined;
  /** whether scripts may read it */
  isOpen?: boolean;
}

// Pages of other sites that show ours in a frame get the cookies by TLS only, as browsers demand.
const cookie = ({ paths, isSecure }: CookieSite, name: string, value: string, { maxAge, isOpen }: Flags = {}) =>
  paths.map((path) =>
    [
      `${name}=${value}`,
      `Path=${path}/`,
      ...(maxAge !== undefined ? [`Max-Age=${maxAge}`] : []),
      ...(isOpen ? [] : ['HttpOnly']),
      isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax',
    ].join('; '),
  );

/** The cookie that a login is bound to. */
export const loginCookie = (site: CookieSite, browser: string): string[] => cookie(site, names.login, browser);

/** The cookies of a browser with a session: the one that proves it, and the one that the status page compares. */
export const identityCookies = (site: CookieSite, { token, status, maxAge }: Identity): string[] => [
  ...cookie(site, names.identity, token, { maxAge }),
  ...cookie(site, names.status, encodeURIComponent(status), { maxAge, isOpen: true }),
];

/** Takes the cookies of a session away. */
export const noIdentityCookies = (site: CookieSite): string[] => [
  ...cookie(site, names.identity, '', { maxAge: 0 }),
  ...cookie(site, names.status, '', { maxAge: 0, isOpen: true }),
];

/** Remembers the language that a reader chose, for a year. */
export const localeCookie = (site: CookieSite, locale: string): string[] =>
  cookie(site, names.locale, locale, { maxAge: 31_536_000 });
