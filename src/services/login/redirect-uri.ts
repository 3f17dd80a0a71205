import { textsOf } from '../tokens/context.js';

/** What a client says of where its users may be sent. */
export interface RedirectClient {
  clientId: string;
  rootUrl: string | null;
  redirectUris: unknown;
}

/** Where the server is, and whether the client belongs to the realm that administers the others. */
export interface RedirectPlace {
  /** scheme, host and base path, without a slash at the end */
  baseUrl: string;
  isMaster: boolean;
}

const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1)):\d+(?=[/?]|$)/;

/**
 * Texts that browsers read otherwise than the comparison does: what leads out of a path, what hides the host, fragments,
 * and schemes that run as scripts.
 */
function isTreacherous(uri: string): boolean {
  if (uri.length > 4000 || /[\s\\#]/.test(uri) || [...uri].some((character) => character < ' ')) return true;
  if (/^(javascript|data|vbscript|blob|file|about):/i.test(uri) || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return true;
  const [beforeQuery = ''] = uri.split('?');
  if (/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(beforeQuery)) return true;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(uri)?.[1];
  return authority?.includes('@') === true || (/^https?:/i.test(uri) && !URL.canParse(uri));
}

/** The addresses that a client has registered, in full; a star at the end stays. */
function registered(client: RedirectClient, { baseUrl, isMaster }: RedirectPlace): string[] {
  const root = rootOf(client, baseUrl);
  const listed = textsOf(client.redirectUris).map((uri) => (uri.startsWith('/') ? `${root}${uri}` : uri));
  // the GraphQL explorer logs in as the console of the server itself
  const own = isMaster && client.clientId === consoleClient ? [explorerAddress(baseUrl)] : [];
  return [...listed, ...own];
}

/** The client as which the server's own pages log in. */
export const consoleClient = 'security-admin-console';

/** Where the GraphQL explorer is. */
export const explorerAddress = (baseUrl: string): string => `${baseUrl.replace(/\/auth$/, '')}/graphql`;

/** The root address of a client; built-in ones name the server itself by a placeholder. */
export function rootOf({ rootUrl }: Pick<RedirectClient, 'rootUrl'>, baseUrl: string): string {
  const root = (rootUrl ?? '').replace(/^\$\{(authBaseUrl|authAdminUrl)\}/, baseUrl);
  return (root === '' ? new URL(baseUrl).origin : root).replace(/\/$/, '');
}

/** The address of clients without one, which show the code to the user; a client has to have registered it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

function matches(pattern: string, uri: string): boolean {
  if (!pattern.endsWith('*') || pattern.includes('?')) return pattern === uri;
  const [beforeQuery = ''] = uri.split('?');
  const start = pattern.slice(0, -1);
  return (
    beforeQuery.startsWith(start) || (start.length > 1 && start.endsWith('/') && beforeQuery === start.slice(0, -1))
  );
}

/**
 * Whether a client may have its users sent to the address: one that it has registered, letter by letter (RFC 6749 section
 * 3.1.2.3), or below a star at the end of one. Of a loopback address the port does not count (RFC 8252 section 7.3).
 */
export function allowsRedirect(client: RedirectClient, uri: string, place: RedirectPlace): boolean {
  if (isTreacherous(uri)) return false;
  const patterns = registered(client, place);
  const candidates = loopback.test(uri) ? [uri, uri.replace(loopback, '$1')] : [uri];
  return candidates.some((candidate) => patterns.some((pattern) => matches(pattern, candidate)));
}

/** The one address of a client that has no other, for requests of OAuth 2.0 that name none. */
export function onlyRedirect(client: RedirectClient, place: RedirectPlace): string | undefined {
  const [only, ...others] = registered(client, place);
  return only === undefined || others.length > 0 || only.endsWith('*') ? undefined : only;
}
