import { connect as connectSocket, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely, rootCertificates, type TLSSocket } from 'node:tls';
import { Client } from 'ldapts';
import { type SpanStart, traced } from '../../telemetry/tracer.js';
import { bound, type Meter } from './bounded-socket.js';
import type { Directory } from './directory.js';
import { LdapFault, ldapFault, resultCodes } from './fault.js';

let authorities: string | undefined;

/** The connection of a client: its socket, and the TLS socket within it if TLS was started later. */
interface Line {
  url: string;
  meter: Meter;
  sockets: Socket[];
}

const lines = new WeakMap<Client, Line>();

/** Makes directories trust these authorities (PEM), besides the well-known ones. */
export function trustAuthorities(pem: string | undefined): void {
  authorities = pem;
}

const tlsOptions = (host: string, { usesAuthorities }: Directory): ConnectionOptions => ({
  host,
  ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
  ...(authorities !== undefined && usesAuthorities && { ca: [...rootCertificates, authorities] }),
});

/** The host in the URL of a directory. Throws for an invalid URL. */
function hostOf(url: string): string {
  if (!/^ldaps?:\/\/./i.test(url) || !URL.canParse(url)) throw new LdapFault('the URL of the directory is not valid');
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * A client for one connection only. The library would otherwise reconnect on its own, without the login. In the middle
 * of a paged search, the rest of the results would then be missing.
 */
function clientOf(url: string, directory: Directory): Client {
  const line: Line = { url, meter: { bytes: 0, messages: 0 }, sockets: [] };
  const kept = <S extends Socket | TLSSocket>(socket: S): S => {
    line.sockets.push(socket);
    bound(socket, line.meter);
    return socket;
  };
  const once = <S extends Socket | TLSSocket>(open: () => S): S => {
    if (line.sockets.length > 0) throw new LdapFault('the directory closed the connection');
    const socket = kept(open());
    socket.unref();
    return socket;
  };
  const host = hostOf(url);
  const plain = (port: number, name: string) => once(() => connectSocket(port, name));
  const secure = (first: number | ConnectionOptions, name: string, options: ConnectionOptions) =>
    typeof first === 'number' ? once(() => connectSecurely(first, name, options)) : kept(connectSecurely(first));
  const client = new Client({
    url: url.replace(/(?<!\/)\/+$/, ''),
    connectTimeout: directory.connectTimeout,
    timeout: directory.readTimeout,
    strictDN: false,
    // with these options the client would use TLS under ldap:// as well
    ...(/^ldaps:/i.test(url) && { tlsOptions: tlsOptions(host, directory) }),
    // the types want every form of `connect`; the client calls these with a port and a host, or with options
    createConnection: plain as unknown as typeof connectSocket,
    createSecureConnection: secure as unknown as typeof connectSecurely,
  });
  lines.set(client, line);
  return client;
}

/** Closes a connection in any state. */
export const close = (client: Client): void => void client.unbind().catch(() => undefined);

/**
 * Whether a connection can still be used: the library does not notice the end of a connection that was upgraded to TLS.
 */
export const isOpen = (client: Client): boolean =>
  client.isConnected && lines.get(client)?.sockets.every(({ destroyed, readable }) => !destroyed && readable) === true;

/** Counts the answer to the next request from its first byte on. */
export function expectAnswer(client: Client): void {
  const line = lines.get(client);
  if (line) Object.assign(line.meter, { bytes: 0, messages: 0 });
}

/** Upgrades to TLS. If the directory refuses, or does not answer in time, it cannot be reached with its settings. */
async function secured(client: Client, url: string, directory: Directory): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // the library waits for TLS as long as the connection is open
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LdapFault('the directory did not respond in time'));
      for (const socket of lines.get(client)?.sockets ?? []) socket.destroy();
    }, directory.connectTimeout);
  });
  try {
    await Promise.race([client.startTLS(tlsOptions(hostOf(url), directory)), tooLate]);
  } catch (error) {
    const { message } = ldapFault(error);
    throw new LdapFault(`StartTLS failed: ${message}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs requests to the server at this address in a span. */
const tracedAt = <T>(name: string, url: string, work: () => Promise<T>): Promise<T> =>
  traced(
    () => ({
      name: `LDAP ${name}`,
      kind: 'client',
      attributes: { 'network.protocol.name': 'ldap', ...addressOf(url) },
    }),
    work,
  );

function addressOf(url: string): SpanStart['attributes'] {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'ldaps:' ? 636 : 389) };
}

/** Runs a request over this connection in a span. */
export const tracedRequest = <T>(name: string, client: Client, work: () => Promise<T>): Promise<T> =>
  tracedAt(name, lines.get(client)?.url ?? '', work);

/** A connection for this DN and password. Throws `LdapFault`. */
async function opened(url: string, directory: Directory, dn?: string, password?: string): Promise<Client> {
  const client = clientOf(url, directory);
  try {
    if (directory.startTls && !/^ldaps:/i.test(url)) await secured(client, url, directory);
    // an empty password would be an anonymous login, which the directory accepts (RFC 4513, 5.1.2)
    if (dn !== undefined && !password) throw new LdapFault('a password is required', resultCodes.invalidCredentials);
    await client.bind(dn ?? '', password ?? '');
    return client;
  } catch (error) {
    close(client);
    throw ldapFault(error);
  }
}

/** Connects to the first of the directory's URLs that answers, as the given entry or as the storage itself. */
export async function connect(
  directory: Directory,
  as: { dn: string; password: string } | undefined = undefined,
): Promise<Client> {
  let fault = new LdapFault('the storage has no URL of a directory');
  const dn = as?.dn ?? directory.bindDn;
  for (const url of directory.urls) {
    try {
      return await tracedAt('bind', url, () => opened(url, directory, dn, as ? as.password : directory.bindCredential));
    } catch (error) {
      fault = ldapFault(error);
      // the other servers would refuse this as well
      if (fault.code !== undefined) throw fault;
    }
  }
  throw fault;
}
