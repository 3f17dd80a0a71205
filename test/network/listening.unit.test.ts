import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { drain } from '../../src/http/listening.js';

it('a server that stops behind a proxy answers what a kept connection sends just after the port was closed', async () => {
  const server = createServer((_, response) => {
    if (!server.listening) response.setHeader('connection', 'close');
    response.end('answered');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  // used once, and kept by the proxy
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  await once(socket, 'data');
  const drained = drain(server, 5, { isBehindProxy: true });
  await expect.poll(() => server.listening, { interval: 1 }).toBe(false);
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  expect(await text(socket)).toContain('answered');
  await drained;
});
