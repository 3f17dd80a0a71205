// @both-databases
import { existsSync, readdirSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { head, isOpenAtServer, rawClient } from './socket.js';

const megabyte = 1024 * 1024;
const path = '/auth/master/users';

let server: TestServer;
let caller: Caller;

beforeAll(async () => {
  server = await startServer({ clientTimeout: 1 });
  caller = await administrator(server);
});

describe('a slow client', () => {
  const bytes = 50_000;
  it.each([
    ['its header', () => 'GET /auth/master/users HTTP/1.1\r\nhost: local'],
    ['the beginning of a small body', () => `${head('POST', path, caller.token, 100)}{`],
    ['the rest of a large body', () => `${head('POST', path, caller.token, bytes)}{${' '.repeat(bytes / 2)}`],
  ])('that does not send %s is told so and cut off', async (_, text) => {
    const client = await rawClient(server, text());
    await expect.poll(client.ended, { timeout: 15_000 }).toBe(true);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that sends a byte now and then is cut off as well', async () => {
    const client = await rawClient(server, `${head('POST', path, caller.token, 1000)}{`);
    const trickle = setInterval(() => void (client.ended() || client.socket.write(' ')), 200);
    await expect.poll(client.ended, { timeout: 15_000 }).toBe(true);
    clearInterval(trickle);
  });

  it.skipIf(!existsSync('/proc/net/tcp'))('that does not read its answer is cut off', async () => {
    // the editor of the explorer has megabytes; four times that is more than a socket takes in
    const sizeOf = (name: string) => statSync(`dist/explorer/${name}`).size;
    const [editor = ''] = readdirSync('dist/explorer').sort((one, other) => sizeOf(other) - sizeOf(one));
    const address = `/assets/explorer/${editor}`;
    const request = `GET ${address} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(4);
    const client = await rawClient(server, '');
    client.socket.pause();
    client.socket.write(request);
    const port = client.socket.localPort ?? 0;
    expect(isOpenAtServer(server, port)).toBe(true);
    await expect.poll(() => isOpenAtServer(server, port), { timeout: 20_000 }).toBe(false);
    client.socket.resume();
    await expect.poll(client.ended, { timeout: 15_000 }).toBe(true);
    const whole = await (await fetch(`${server.url}${address}`)).text();
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
    expect(client.received().length).toBeLessThan(4 * whole.length);
  });
});

describe('a large body without a token', () => {
  it.each([
    ['a write', '/auth/master/users', 'application/json', 401],
    ['an import', '/auth/admin/realms', 'application/json', 401],
    ['GraphQL', '/graphql', 'application/json', 401],
    ['a token request', '/auth/realms/master/protocol/openid-connect/token', 'application/x-www-form-urlencoded', 413],
  ])('is refused before it has come: %s', async (_, target, type, status) => {
    const start = ' '.repeat(20_000);
    const client = await rawClient(server, head('POST', target, '', 200 * megabyte, type) + start);
    await expect.poll(client.received, { timeout: 15_000 }).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    client.socket.destroy();
  });
});
