import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Answer } from './answer.js';
import { protectiveHeaders } from './protective-headers.js';

/** Status in logs and metrics of an answer whose receiver has closed the connection. */
export const gone: Answer = { status: 499 };

/** Whether an answer without a body states its length, RFC 9110 section 8.6. */
const hasLength = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;

/** Sends an answer: with its length where that is known, in chunks where it is a stream. */
export function send(response: ServerResponse, answer: Answer, headOnly = false): void {
  if (response.headersSent || response.destroyed) return;
  const headers = protectiveHeaders(answer);
  if (answer.cookies) headers['set-cookie'] = answer.cookies;
  let bytes: string | Buffer | undefined;
  if (answer.body !== undefined) {
    const raw = answer.type !== undefined;
    bytes = raw ? (answer.body as string | Buffer) : JSON.stringify(answer.body);
    headers['content-type'] = answer.type ?? 'application/json';
    headers['content-length'] = Buffer.byteLength(bytes);
  }
  if (answer.stream && !headOnly) {
    response.writeHead(answer.status, { ...headers, 'content-type': answer.type ?? 'application/json' });
    // half of a text must not look like all of it: what fails on the way ends the connection
    pipeline(Readable.from(answer.stream), response, () => undefined);
    return;
  }
  // clients that wait for the end of an answer keep their connection until they know it
  if (bytes === undefined && !answer.stream && hasLength(answer.status)) headers['content-length'] = 0;
  response.writeHead(answer.status, headers);
  if (headOnly || bytes === undefined) response.end();
  else response.end(bytes);
}
