import { issuerOf } from '../tokens/context.js';

/**
 * The address to which an identity provider sends browsers back. Each provider has its own, so that the answer of one is not taken for
 * that of another (RFC 9700 section 4.4). `baseUrl` has scheme, host, and base path.
 */
export const redirectUri = (baseUrl: string, realmName: string, alias: string): string =>
  `${issuerOf(baseUrl, realmName)}/broker/${encodeURIComponent(alias)}/endpoint`;
