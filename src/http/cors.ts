import type { IncomingMessage } from 'node:http';

/** Methods and headers that a page of another origin may use, as the contract answers preflights. */
const adminMethods = 'DELETE, GET, POST, PUT';
const patching = `${adminMethods}, PATCH`;
const requestHeaders =
  'Accept, Access-Control-Request-Headers, Access-Control-Request-Method, Authorization, Content-Type, Origin, X-Requested-With';

export type Headers = Record<string, string>;

const originOf = (message: IncomingMessage): string | undefined => {
  const { origin } = message.headers;
  // "null" stands for pages without an origin, which could be anybody's
  return origin && origin !== 'null' ? origin : undefined;
};

/** The headers of an answer that the sender's page may read, Fetch standard section 3.2. */
const readable = (origin: string): Headers => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  vary: 'Origin',
});

/** Headers of an answer that pages of any origin may read. */
export function openToAll(message: IncomingMessage): Headers {
  const origin = originOf(message);
  return origin === undefined ? {} : readable(origin);
}

/**
 * Headers of an answer that pages of these origins may read; `*` stands for any, and so does undefined: there is no client
 * that could say. `exposed` are the headers that they see besides.
 */
export function openTo(message: IncomingMessage, allowed: readonly string[] | undefined, exposed?: string): Headers {
  const origin = originOf(message);
  if (origin === undefined) return {};
  if (allowed && !allowed.includes('*') && !allowed.includes(origin)) return {};
  return { ...readable(origin), ...(exposed && { 'access-control-expose-headers': exposed }) };
}

/** Headers of the answer to a preflight: any origin may ask, what it may read is decided with the request itself. */
export function preflight(message: IncomingMessage, methods?: string, headers = requestHeaders): Headers {
  const origin = originOf(message);
  // the contract does not know of PATCH: only a page that asks for it hears of it
  const asksForPatch = message.headers['access-control-request-method'] === 'PATCH';
  // nor of proofs (RFC 9449)
  const asksForProof = /\bdpop\b/i.test(String(message.headers['access-control-request-headers'] ?? ''));
  if (origin === undefined) return {};
  return {
    ...readable(origin),
    'access-control-allow-methods': methods ?? (asksForPatch ? patching : adminMethods),
    'access-control-allow-headers': asksForProof ? `${headers}, DPoP` : headers,
    'access-control-max-age': '3600',
  };
}
