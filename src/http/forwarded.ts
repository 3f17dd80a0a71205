import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Networks } from '../config/networks.js';

/**
 * The proxies in front of the server whose X-Forwarded headers are believed: how many there are one behind the other, or
 * their addresses. 0 stands for none.
 */
export type TrustedProxies = number | Networks;

interface Headers {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
}

/** The entries of a list in a header, the last written one at the end. */
const entriesOf = (header: string | string[] | undefined): string[] =>
  (header ?? '')
    .toString()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The address in an entry of X-Forwarded-For, which may have a port; undefined if it has none. */
function addressIn(entry: string): string | undefined {
  const address = /^\[([^\]]+)\](:\d{1,5})?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
  return isIP(address) > 0 ? withoutMapping(address) : undefined;
}

/** IPv4 as such where it is written as IPv6. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

interface Path {
  /** address of the sender, as the outermost trusted proxy saw it */
  address: string;
  /** how many trusted proxies the request came through */
  proxies: number;
}

/**
 * Follows a request back through the trusted proxies: each has added the address that it was sent from at the end of
 * X-Forwarded-For. What stands before that was written by the sender, who may write anything.
 */
function pathOf({ headers, socket }: Headers, trusted: TrustedProxies): Path {
  let address = withoutMapping(socket.remoteAddress ?? '');
  let proxies = 0;
  if (trusted === 0) return { address, proxies };
  const isTrusted = () => (typeof trusted === 'number' ? proxies < trusted : trusted.hasAddress(address));
  const entries = entriesOf(headers['x-forwarded-for']);
  while (isTrusted()) {
    proxies += 1;
    const before = addressIn(entries.pop() ?? '');
    if (before === undefined) break;
    address = before;
  }
  return { address, proxies };
}

/** The address of the sender of a request; behind trusted proxies the one that the outermost of them saw. */
export const senderOf = (message: Headers, trusted: TrustedProxies): string => pathOf(message, trusted).address;

/** What the outermost trusted proxy wrote into a header to which each may add an entry; undefined if there is no such. */
export function forwarded(message: Headers, trusted: TrustedProxies, name: string): string | undefined {
  if (trusted === 0) return undefined;
  const entries = entriesOf(message.headers[name]);
  const { proxies } = pathOf(message, trusted);
  return proxies === 0 ? undefined : entries[Math.max(0, entries.length - proxies)];
}
