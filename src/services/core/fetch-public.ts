import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { limit } from '../../config/limits.js';
import { traced, traceHeaders } from '../../telemetry/tracer.js';
import { type Allowed, lookupPublic, requirePublicHost } from './public-address.js';

/** Maximum duration of a request, in milliseconds, and maximum size of a document, in bytes. */
const longestTime = 5_000;
const mostBytes = limit(
  'Keys and files',
  'Document that the server fetches from an address of the input',
  1_048_576,
  'bytes',
  'the address counts as not readable',
);

/** A request to an address from an untrusted source. */
interface OutgoingRequest {
  /** GET by default */
  method?: 'GET' | 'POST';
  headers?: HeadersInit;
  body?: string;
  /** milliseconds until it is given up; default 5 seconds */
  timeout?: number;
  /** ends it earlier */
  signal?: AbortSignal;
  /** whether only the status of the answer is read */
  onlyStatus?: boolean;
  /** overrides the setting: whether addresses inside the operator's network are allowed */
  privateAddresses?: boolean;
}

/** Sends a request to an address from an untrusted source. Rejects if it is not reached or not allowed. */
export type FetchPublic = (url: string | URL, request?: OutgoingRequest) => Promise<Response>;

export interface FetchSettings {
  /** whether addresses inside the operator's network are allowed */
  privateAddresses: boolean;
  /** allowed networks and hosts besides the public internet */
  allowed?: Allowed;
}

/**
 * The only way to addresses that callers name (key sets, metadata, admin addresses, logout, webhooks). It allows http
 * and https without redirects, one megabyte, and a limited time. Addresses inside the operator's network are refused
 * unless they are allowed. A name is resolved once, and the connection goes to the checked address.
 */
export const fetchPublic =
  ({ privateAddresses, allowed }: FetchSettings): FetchPublic =>
  async (url, { method = 'GET', headers = {}, body, timeout = longestTime, signal, ...options } = {}) => {
    const address = new URL(url);
    if (!/^https?:$/.test(address.protocol)) throw new Error('Only http and https are allowed');
    const isOpen = options.privateAddresses ?? privateAddresses;
    if (!isOpen) requirePublicHost(address, allowed);
    const send = address.protocol === 'https:' ? requestHttps : requestHttp;
    const over = AbortSignal.timeout(timeout);
    const exchange = () =>
      new Promise<Response>((done, failed) => {
        const request = send(address, {
          method,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            'user-agent': 'Realmgate',
            ...traceHeaders(),
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
          agent: false,
          signal: signal ? AbortSignal.any([signal, over]) : over,
          ...(!isOpen && { lookup: lookupPublic(allowed) }),
        });
        request.on('error', failed);
        request.once('response', (answer) => {
          if (!options.onlyStatus) return void read(answer).then(done, failed);
          done(new Response(null, { status: statusOf(answer) }));
          answer.destroy();
        });
        request.end(body);
      });
    return traced(
      () => ({ name: method, kind: 'client', attributes: { 'http.request.method': method, ...placeOf(address) } }),
      async (span) => {
        const answer = await exchange();
        span?.set({ 'http.response.status_code': answer.status });
        return answer;
      },
    );
  };

/** The target of a request, for its span. Paths and query strings of addresses can contain secrets. */
const placeOf = ({ protocol, hostname, port }: URL) => ({
  'url.scheme': protocol.slice(0, -1),
  'server.address': hostname,
  'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
});

/** The status of an answer; 502 for a status that a Response cannot have. */
const statusOf = ({ statusCode = 502 }: IncomingMessage): number =>
  statusCode >= 200 && statusCode <= 599 ? statusCode : 502;

async function read(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += (chunk as Buffer).length;
    if (size > mostBytes) throw new Error('The document is too large');
    chunks.push(chunk as Buffer);
  }
  const type = answer.headers['content-type'];
  const status = statusOf(answer);
  return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(Buffer.concat(chunks)), {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}
