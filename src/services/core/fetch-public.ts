import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookupPublic, namesPrivateHost, PrivateAddress } from './public-address.js';

/** Longest that a document may take, in milliseconds, and be, in bytes. */
const timeout = 5_000;
const mostBytes = 1_048_576;

/** Gets a document by an address that somebody else has named. Rejects where it is not reached, or may not be. */
export type FetchPublic = (url: string | URL, init?: { headers?: HeadersInit }) => Promise<Response>;

/**
 * A GET for addresses that callers name (key sets, metadata): http and https only, no redirects, one megabyte and five
 * seconds at most, and unless `privateAddresses` nothing inside of the operator's own network.
 */
export const fetchPublic =
  ({ privateAddresses }: { privateAddresses: boolean }): FetchPublic =>
  (url, { headers = {} } = {}) =>
    new Promise((done, failed) => {
      const address = new URL(url);
      if (!/^https?:$/.test(address.protocol)) throw new Error('Only http and https are followed');
      if (!privateAddresses && namesPrivateHost(address)) throw new PrivateAddress();
      const send = address.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send(address, {
        headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'Realmgate' },
        agent: false,
        signal: AbortSignal.timeout(timeout),
        ...(!privateAddresses && { lookup: lookupPublic }),
      });
      request.on('error', failed);
      request.once('response', (answer) => read(answer).then(done, failed));
      request.end();
    });

async function read(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += (chunk as Buffer).length;
    if (size > mostBytes) throw new Error('The document is too large');
    chunks.push(chunk as Buffer);
  }
  const type = answer.headers['content-type'];
  return new Response(new Uint8Array(Buffer.concat(chunks)), {
    status: answer.statusCode ?? 502,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}
