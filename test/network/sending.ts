import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { atEndOfFile } from '../support/database.js';
import type { TestServer } from '../support/server.js';

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request whose headers, Host among them, are what the caller writes. */
export const sendAs = (
  server: TestServer,
  headers: Record<string, string>,
  { method = 'GET', path, body }: { method?: string; path: string; body?: string },
): Promise<Received> =>
  new Promise((done, failed) => {
    const sent = request({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', failed);
    sent.end(body);
  });

/** Sends the lines of a request as they are; answers with all that comes back until the connection ends. */
export const sendLines = (server: TestServer, ...lines: string[]): Promise<string> =>
  new Promise((done, failed) => {
    const socket = connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', failed);
    socket.on('close', () => done(received));
    socket.write(`${[...lines, '', ''].join('\r\n')}`);
  });

/** A server on this machine that nobody should be led to, with the requests that arrived. */
export async function openInside(status = 200, body = '{}') {
  const heard: { method: string | undefined; path: string | undefined; text: string }[] = [];
  const inside = createServer((message, response) => {
    let text = '';
    message.on('data', (chunk) => {
      text += chunk;
    });
    message.on('end', () => {
      heard.push({ method: message.method, path: message.url, text });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening));
  atEndOfFile(() => {
    inside.closeAllConnections();
    inside.close();
  });
  return { heard, port: (inside.address() as AddressInfo).port };
}
