import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import type { Answer } from './answer.js';
import { forwarded } from './forwarded.js';

/** A host name, an IPv4 address or an IPv6 address in brackets, with a port if there is one (RFC 9110 section 7.2). */
const host = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

const isHost = (text: string | undefined): text is string => text !== undefined && host.test(text);

/** The host that the sender of a request asked for, with its port; undefined if it named none. */
export function hostOf(message: IncomingMessage, { trustProxy }: Pick<Config, 'trustProxy'>): string | undefined {
  const named = forwarded(message, trustProxy, 'x-forwarded-host');
  return isHost(named) ? named : message.headers.host || undefined;
}

const countOf = ({ rawHeaders }: IncomingMessage, name: string): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count;
};

/**
 * Why it is not clear which host a request is for: then it is refused, as the server and a proxy before it could differ
 * (RFC 9112 section 3.2). Undefined if it is clear. An address with a host in the first line becomes one without it.
 */
export function hostObjection(message: IncomingMessage): string | undefined {
  if (countOf(message, 'host') > 1) return 'The request must have only one Host header';
  const named = message.headers.host;
  if (named !== undefined && named !== '' && !host.test(named)) return 'The Host header must be a host name';
  const url = message.url ?? '/';
  if (url.startsWith('/') || url === '*') return undefined;
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (authority.toLowerCase() !== named?.toLowerCase()) return 'The Host header must match the host of the URL';
  message.url = rest.startsWith('/') ? rest : `/${rest}`;
  return undefined;
}

/** The answer to such a request; no further one is read from its connection. */
export const unclearHost = (reason: string): Answer => ({
  status: 400,
  headers: { connection: 'close' },
  body: { error: 'invalid_request', error_description: reason },
});
