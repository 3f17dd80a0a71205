import type { Config } from '../../config/config.js';
import { isOwnAddress } from '../core/own-address.js';

/** The fields of a client that determine the address of its notifications. */
export interface ManagedClient {
  clientId: string;
  enabled: boolean;
  protocol: string | null;
  rootUrl: string | null;
  adminUrl: string | null;
  attributes: unknown;
  /** when the nodes registered, in seconds since 1970, by their host names */
  registeredNodes: unknown;
  /** seconds; nodes that were silent for longer count no more, unless it is not positive */
  nodeReRegistrationTimeout: number;
}

/** The base URL, settings, and time of a notification. */
export interface Place {
  /** scheme, host and base path of the server as the caller sees it, without a slash at the end */
  baseUrl: string;
  config: Pick<Config, 'publicUrl' | 'hosts'>;
  /** milliseconds since 1970 */
  now(): number;
}

/** Stands in a URL for the host with the adapter's session. */
const hostProperty = /\$\{application\.session\.host\}/g;

/**
 * The admin address of a client, with the root if it is relative. Undefined if there is none, or if its host would come
 * only from the Host header of a request.
 */
export function managementAddress(
  { adminUrl, rootUrl }: Pick<ManagedClient, 'adminUrl' | 'rootUrl'>,
  { baseUrl, config }: Pick<Place, 'baseUrl' | 'config'>,
): string | undefined {
  if (!adminUrl) return undefined;
  if (!adminUrl.startsWith('/')) return adminUrl;
  const isOfServer = !rootUrl || /\$\{auth(Base|Admin)Url\}/.test(rootUrl);
  if (isOfServer && !isOwnAddress(config, baseUrl)) return undefined;
  const root = (rootUrl ?? '')
    .replace(/\$\{authBaseUrl\}/, baseUrl.replace(/\/auth$/, ''))
    .replace(/\$\{authAdminUrl\}/, baseUrl);
  return (root || baseUrl.replace(/^(\w+:\/\/[^/]+).*$/, '$1')) + adminUrl;
}

/** The admin URLs of all nodes of a client; the client's own URL if no node has registered. */
export function managementAddresses(client: ManagedClient, place: Place): string[] {
  const address = managementAddress(client, place);
  if (address === undefined) return [];
  const nodes = livingNodes(client, Math.floor(place.now() / 1000));
  return nodes.length === 0 ? [address] : nodes.map((host) => atHost(address, host));
}

/** The address with the host of a session's adapter in its place. */
export const withHost = (address: string, host: string): string => address.replaceAll(hostProperty, () => host);

/** The host that an adapter stated for its session; undefined if it stated none. */
export function hostOfSession(notes: Readonly<Record<string, unknown>>): string | undefined {
  const host = notes.client_session_host;
  return typeof host === 'string' && /^[\w.:[\]-]+$/.test(host) ? host : undefined;
}

function livingNodes({ registeredNodes, nodeReRegistrationTimeout: timeout }: ManagedClient, at: number): string[] {
  const nodes = Object.entries((registeredNodes ?? {}) as Record<string, number>);
  return nodes.filter(([, registered]) => timeout <= 0 || registered + timeout >= at).map(([host]) => host);
}

function atHost(address: string, host: string): string {
  const named = withHost(address, host);
  if (named !== address || !URL.canParse(address)) return named;
  const url = new URL(address);
  url.hostname = host;
  return url.href;
}
