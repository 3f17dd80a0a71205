import { beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';
import { sendLines } from './sending.js';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const path = '/auth/realms/master/.well-known/openid-configuration';
const close = 'Connection: close';

describe('a request that does not say clearly which host it is for', () => {
  it.each([
    ['two Host headers', `GET ${path} HTTP/1.1`, 'Host: id.example', 'Host: evil.example', close],
    ['the same Host header twice', `GET ${path} HTTP/1.1`, 'Host: id.example', 'host: id.example', close],
    ['no Host header', `GET ${path} HTTP/1.1`, close],
    ['a Host header with a path', `GET ${path} HTTP/1.1`, 'Host: id.example/evil', close],
    ['a Host header with a user', `GET ${path} HTTP/1.1`, 'Host: id.example@evil.example', close],
    ['a Host header with two hosts', `GET ${path} HTTP/1.1`, 'Host: id.example, evil.example', close],
    ['an address of another host', `GET http://evil.example${path} HTTP/1.1`, 'Host: id.example', close],
    [
      'a WebSocket with two Host headers',
      'GET /graphql HTTP/1.1',
      'Host: id.example',
      'Host: evil.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
    ],
    [
      'two lengths',
      'POST /graphql HTTP/1.1',
      'Host: id.example',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Content-Length: 3',
      close,
    ],
    [
      'a length and chunks',
      'POST /graphql HTTP/1.1',
      'Host: id.example',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Transfer-Encoding: chunked',
      close,
    ],
  ])('with %s is refused', async (_case, ...lines) => {
    expect(statusOf(await sendLines(server, ...lines))).toBe(400);
  });

  it('ends its connection: what follows is not read as a request', async () => {
    const second = `GET ${path} HTTP/1.1\r\nHost: id.example\r\n${close}\r\n\r\n`;
    const answer = await sendLines(server, `GET ${path} HTTP/1.1`, 'Host: a.example', 'Host: b.example', '', second);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer.toLowerCase()).toContain('connection: close');
  });
});

describe('a request', () => {
  it.each(['id.example', 'id.example:8443', '192.0.2.1', '[2001:db8::1]:8080', 'id_1.internal'])(
    'for %s is answered with addresses of this host',
    async (host) => {
      const answer = await sendLines(server, `GET ${path} HTTP/1.1`, `Host: ${host}`, close);
      expect(statusOf(answer)).toBe(200);
      expect(answer).toContain(`"issuer":"http://${host}/auth/realms/master"`);
    },
  );

  it('may name its host in the first line as well', async () => {
    const answer = await sendLines(server, `GET http://id.example${path} HTTP/1.1`, 'Host: id.example', close);
    expect(statusOf(answer)).toBe(200);
  });
});
