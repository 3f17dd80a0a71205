import { limit } from '../../config/limits.js';
import { textsOf } from '../core/json.js';

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

const mostLength = limit('Logins and tokens', 'Redirect URI', 4000, 'characters', 'the address is not valid');
const isScript = /^(javascript|data|vbscript|blob|file|about):/i;
/** An address with a host in it, and no path between the scheme and the host. */
const hasHost = /^https?:\/\/[^/?]/i;

/** The address without its fragment. */
export const withoutFragment = (uri: string): string => uri.replace(/#.*$/s, '');

/** The part of an address that says where it leads, decoded until nothing in it is encoded; nothing for a broken one. */
function decoded(path: string): string | undefined {
  let text = path;
  for (let round = 0; round < 5; round += 1) {
    let next: string;
    try {
      next = decodeURIComponent(text);
    } catch {
      // a percent sign that stands for itself after the first round
      return round === 0 ? undefined : text;
    }
    if (next === text) return text;
    text = next;
  }
  return undefined;
}

/** A segment that leads to itself or upwards, for servers that cut path parameters off too. */
const isDots = (segment: string): boolean => /^\s*\.{1,2}\s*(;|$)/.test(segment);

/**
 * Texts that browsers and servers read otherwise than the comparison does: what leads out of a path in any encoding, what
 * hides the host, and schemes that run as scripts.
 */
function isTreacherous(uri: string): boolean {
  if (uri.length > mostLength || /[\s\\]|\p{Cc}/u.test(uri)) return true;
  if (isScript.test(uri) || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return true;
  const [beforeQuery = ''] = uri.split('?');
  const plain = decoded(beforeQuery);
  if (plain === undefined || /\\|\p{Cc}/u.test(plain) || plain.split('/').some(isDots)) return true;
  const authority = /^[a-z][a-z0-9+.-]*:\/*([^/?]*)/i.exec(beforeQuery)?.[1] ?? '';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(uri) && (decoded(authority) ?? '@').includes('@')) return true;
  return /^https?:/i.test(uri) && (!hasHost.test(uri) || !URL.canParse(uri));
}

/** The addresses that a client has registered, in full; a star at the end stays. */
function registered(client: RedirectClient, { baseUrl, isMaster }: RedirectPlace): string[] {
  const listed = textsOf(client.redirectUris).map((uri) =>
    uri.startsWith('/') ? `${rootOf(client, baseUrl)}${uri}` : uri,
  );
  // the GraphQL explorer and the REST reference log in as the console of the server itself
  const own = isMaster && client.clientId === consoleClient ? ownPages(baseUrl) : [];
  return [...listed, ...own];
}

/** The client as which the server's own pages log in. */
const consoleClient = 'security-admin-console';

/** Where the GraphQL explorer and the REST reference are. */
function ownPages(baseUrl: string): string[] {
  const root = baseUrl.replace(/\/auth$/, '');
  return [`${root}/graphql`, `${root}/reference/*`];
}

/** The root address of a client; built-in ones name the server itself by a placeholder. */
export function rootOf({ rootUrl }: Pick<RedirectClient, 'rootUrl'>, baseUrl: string): string {
  const root = (rootUrl ?? '').replace(/^\$\{(authBaseUrl|authAdminUrl)\}/, baseUrl);
  return (root === '' ? new URL(baseUrl).origin : root).replace(/\/$/, '');
}

/** The address of clients without one, which show the code to the user; a client has to have registered it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** What may follow a host to which a star was added: a port and a path, but no more of the host. */
const endOfHost = /^(:\d*)?([/?]|$)/;

/** An address that is compared with those that clients have registered, without its fragment. */
interface Candidate {
  uri: string;
  beforeQuery: string;
}

const candidateOf = (uri: string): Candidate => ({ uri, beforeQuery: uri.replace(/\?.*$/s, '') });

function matches(pattern: string, { uri, beforeQuery }: Candidate): boolean {
  if (!pattern.endsWith('*') || pattern.includes('?')) return pattern === uri;
  const start = pattern.slice(0, -1);
  // a star for everything stands for every page, not for every program
  if (start === '') return hasHost.test(uri);
  if (beforeQuery === start.slice(0, -1) && start.endsWith('/')) return true;
  if (!beforeQuery.startsWith(start)) return false;
  const host = /^https?:\/\/([^/]+)$/i.exec(start)?.[1];
  if (host === undefined) return true;
  return endOfHost.test(host.endsWith(':') ? `:${beforeQuery.slice(start.length)}` : beforeQuery.slice(start.length));
}

/**
 * Whether a client may have its users sent to the address: one that it has registered, letter by letter (RFC 6749 section
 * 3.1.2.3), or below a star at the end of one. Of a loopback address the port does not count (RFC 8252 section 7.3). The
 * fragment, which adapters in browsers send along, is not compared; see `withoutAnswer` and `withFragment`. The address is
 * analysed once, however many clients are asked about.
 */
export function redirectCheck(uri: string, place: RedirectPlace): (client: RedirectClient) => boolean {
  const plain = withoutFragment(uri);
  if (uri.length > mostLength || isTreacherous(plain)) return () => false;
  const forms = loopback.test(plain) ? [plain, plain.replace(loopback, '$1')] : [plain];
  const candidates = forms.map(candidateOf);
  return (client) =>
    registered(client, place).some((pattern) => candidates.some((candidate) => matches(pattern, candidate)));
}

/** Whether a client may have its users sent to the address, see `redirectCheck`. */
export const allowsRedirect = (client: RedirectClient, uri: string, place: RedirectPlace): boolean =>
  redirectCheck(uri, place)(client);

/** The one address of a client that has no other, for requests of OAuth 2.0 that name none. */
export function onlyRedirect(client: RedirectClient, place: RedirectPlace): string | undefined {
  const [only, ...others] = registered(client, place);
  return only === undefined || others.length > 0 || only.endsWith('*') ? undefined : only;
}

/** Parameters by which a client is told how a login or logout ended: nobody else may put them into its address. */
const ofAnswers = new Set([
  'code',
  'state',
  'session_state',
  'error',
  'error_description',
  'error_uri',
  'id_token',
  'access_token',
  'token_type',
  'expires_in',
  'iss',
  'response',
  'kc_action_status',
]);

const nameOf = (part: string): string => (new URLSearchParams(part).keys().next().value ?? '').toLowerCase();

/** A fragment of an address, such as the route of an application; empty where a part of it stands for an answer. */
function routeOf(address: string): string {
  const route = address.slice(withoutFragment(address).length);
  return route.split(/[#/?&;]/).some((piece) => ofAnswers.has(nameOf(piece))) ? '' : route;
}

/**
 * An address that answers go to, without parameters in its query or fragment that stand for an answer. A wildcard, or the
 * fragment that is not compared, would let anybody put them there.
 */
export function withoutAnswer(address: string): string {
  const [path = '', ...rest] = withoutFragment(address).split('?');
  const query = rest
    .join('?')
    .split('&')
    .map((part) =>
      part
        .split(';')
        .filter((piece) => !ofAnswers.has(nameOf(piece)))
        .join(';'),
    )
    .filter((part) => part !== '');
  return `${path}${query.length === 0 ? '' : `?${query.join('&')}`}${routeOf(address)}`;
}

/** An address with further parameters in its query, and its fragment after them. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString();
  if (query === '') return address;
  const plain = withoutFragment(address);
  return `${plain}${plain.includes('?') ? '&' : '?'}${query}${address.slice(plain.length)}`;
}

/** An address with parameters as its fragment, in place of the one that it has. */
export const withFragment = (address: string, parameters: Record<string, string>): string =>
  `${withoutFragment(address)}#${new URLSearchParams(parameters).toString()}`;
