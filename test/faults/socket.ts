import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { atEndOfFile } from '../support/database.js';
import type { TestServer } from '../support/server.js';

/** A client that sends and reads no faster than the test wants. */
export interface RawClient {
  socket: Socket;
  /** what has come back so far */
  received(): string;
  /** whether the server has ended the connection */
  ended(): boolean;
}

/** Connects to the server and sends `text`. */
export async function rawClient(server: TestServer, text: string): Promise<RawClient> {
  const socket = connect(server.port, '127.0.0.1');
  atEndOfFile(() => void socket.destroy());
  let received = '';
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('end', end).on('close', end).on('error', end);
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received, ended: () => ended };
}

/** The head of a request with a JSON body of so many bytes. */
export const head = (method: string, path: string, token: string, bytes: number, type = 'application/json'): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(bytes > 0 ? [`content-type: ${type}`, `content-length: ${bytes}`] : []),
    '\r\n',
  ].join('\r\n');

/** Whether the server's end of the client's connection is open, whatever the client has read. Linux only. */
export function isOpenAtServer(server: TestServer, clientPort: number): boolean {
  const hex = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6'].some((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .some(
        ([, local = '', remote = '', state]) =>
          local.endsWith(hex(server.port)) && remote.endsWith(hex(clientPort)) && state === '01',
      ),
  );
}
