import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from './database.js';

/** Starts a server that answers each request with a JSON document, or with 404 where there is none. Returns its address. */
export async function jsonServer(documentAt: (path: string) => unknown): Promise<string> {
  const listener = createServer(async ({ url = '/' }, response) => {
    const document = await documentAt(url);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  atEndOfFile(() => new Promise<void>((done) => listener.close(() => done())));
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}
