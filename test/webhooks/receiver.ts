import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from '../support/database.js';

/** One request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  received: Received[];
  /** what the next ones are answered with; `silence` leaves them without an answer */
  answer: number | 'silence' | 'redirect';
  typesOf(): string[];
}

/** A server that webhooks can be sent to. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: 204,
    typesOf: () => receiver.received.map(({ message }) => message.type),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receiver.received.push({ headers: request.headers, body, message: JSON.parse(body) });
      if (receiver.answer === 'silence') return;
      if (receiver.answer === 'redirect') response.writeHead(307, { location: '/elsewhere' });
      else response.writeHead(receiver.answer);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEndOfFile(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** The signature that a receiver expects, computed as the Standard Webhooks specification says. */
export function expectedSignature(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
