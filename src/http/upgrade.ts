import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Whether the sender asks for a WebSocket (RFC 6455 section 4.1). */
const asksForWebsocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Hands requests for a WebSocket to `take`. A request for any other protocol is answered as if it had asked for none,
 * which RFC 9110 section 7.8 allows: some clients always ask for HTTP/2.
 */
export function onUpgrade(
  server: Server,
  take: (message: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (message, socket, head) => {
    if (asksForWebsocket(message)) return take(message, socket, head);
    // the server has let go of the connection: it gets it again, with the request as it would have liked it
    socket.unshift(Buffer.concat([withoutUpgrade(message), head]));
    server.emit('connection', socket);
  });
}

function withoutUpgrade({ method, url, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value] = rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Answers a request for a WebSocket that is refused, and closes its connection. `status` has code and reason. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
