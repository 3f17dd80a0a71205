import { textsOf } from '../core/json.js';

/** ID of the mapper that gives each sector a separate subject (OpenID Connect Core, section 8.1). */
export const pairwiseMapper = 'oidc-sha256-pairwise-sub-mapper';

/** The reason why pairwise subjects are impossible, and the input that causes it. */
export interface PairwiseFault {
  message: string;
  of: 'sector' | 'redirectUris';
}

/** The redirect URIs of a client, in full. Paths are below its root URL. */
export const redirectAddresses = (redirectUris: unknown, rootUrl: string | null | undefined): string[] =>
  textsOf(redirectUris).map((uri) => (uri.startsWith('/') ? `${rootUrl ?? ''}${uri}` : uri));

const hostOf = (address: string): string | undefined => /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#:]+)/.exec(address)?.[1];

/**
 * Pairwise subjects (OpenID Connect Core, section 8.1) need one host among the redirect URIs, or a sector address that
 * represents several. Paths are relative to `rootUrl`.
 */
export function pairwiseFault(
  sector: string,
  redirectUris: readonly string[],
  rootUrl: string,
): PairwiseFault | undefined {
  if (sector !== '') {
    return hostOf(sector) === undefined ? { message: 'Malformed Sector Identifier URI.', of: 'sector' } : undefined;
  }
  const hosts = new Set(redirectAddresses(redirectUris, rootUrl).flatMap((uri) => hostOf(uri) ?? []));
  if (hosts.size === 0) {
    return { message: 'Client redirect URIs must contain a valid host component.', of: 'redirectUris' };
  }
  if (hosts.size === 1) return undefined;
  const message =
    'Without a configured Sector Identifier URI, client redirect URIs must not contain multiple host components.';
  return { message, of: 'redirectUris' };
}
