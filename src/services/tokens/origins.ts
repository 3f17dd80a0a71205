import { textsOf } from '../core/json.js';
import { rootOf } from '../login/redirect-uri.js';
import type { TokenClient } from './types.js';

/**
 * The origins that may read answers meant for the client; `+` stands for those of its redirect addresses. Relative addresses
 * are below the root address of the client, or below the server itself. `baseUrl` has no slash at the end.
 */
export function allowedOrigins(
  client: Pick<TokenClient, 'webOrigins' | 'redirectUris' | 'rootUrl'>,
  baseUrl: string,
): string[] {
  const listed = textsOf(client.webOrigins);
  if (!listed.includes('+')) return listed;
  const redirects = textsOf(client.redirectUris).flatMap((uri) => {
    const address = uri.startsWith('/') ? rootOf(client, baseUrl) : uri;
    const origin = /^https?:\/\/[^/*?#]+/i.exec(address)?.[0];
    return origin ? [origin] : [];
  });
  return [...new Set([...listed.filter((origin) => origin !== '+'), ...redirects])];
}
