import { beforeAll, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../src/http/rate-limits.js';
import { startServer, type TestServer } from '../support/server.js';

describe('a limit', () => {
  let time = 0;
  const limits = createRateLimits({ rateLimitAddress: 3, rateLimitClient: 2 }, () => time);

  it('lets the requests of a minute come at once, and the next ones as the minute passes', () => {
    expect([1, 2, 3].map(() => limits.ofAddress('192.0.2.1'))).toEqual([0, 0, 0]);
    expect(limits.ofAddress('192.0.2.1')).toBe(20);
    time += 19_500;
    expect(limits.ofAddress('192.0.2.1')).toBe(1);
    time += 500;
    expect([1, 2].map(() => limits.ofAddress('192.0.2.1'))).toEqual([0, 20]);
  });

  it('is one for each address and each client of a realm', () => {
    expect(limits.ofAddress('192.0.2.2')).toBe(0);
    expect(['a', 'a', 'a', 'b'].map((client) => limits.ofClient('one', client))).toEqual([0, 0, 30, 0]);
    expect(limits.ofClient('two', 'a')).toBe(0);
  });

  it('is one for a whole network of IPv6 addresses, however they are written', () => {
    const same = ['2001:db8::1', '2001:db8:0:0:5:6:7:8', '2001:db8::9:0:0:1', '2001:db8::'];
    expect(same.map((address) => limits.ofAddress(address) > 0)).toEqual([false, false, false, true]);
    expect(limits.ofAddress('2001:db9::1')).toBe(0);
    expect(limits.ofAddress(':'.repeat(100))).toBe(0);
  });

  it('does not have to be', () => {
    const none = createRateLimits({ rateLimitAddress: 0, rateLimitClient: 0 });
    expect(Array.from({ length: 100 }, () => none.ofAddress('192.0.2.1')).every((wait) => wait === 0)).toBe(true);
  });
});

describe('a server with limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ rateLimitAddress: 4, rateLimitClient: 2, trustProxy: 1 });
  });
  const send = async (clientId: string, address: string) => {
    const response = await fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ grant_type: 'password', client_id: clientId, username: 'admin', password: 'admin' }),
    });
    return { status: response.status, wait: response.headers.get('retry-after'), body: await response.json() };
  };

  it('answers in the form of OAuth when to come again, for a client and for an address', async () => {
    expect((await send('admin-cli', '192.0.2.1')).status).toBe(200);
    expect((await send('admin-cli', '192.0.2.2')).status).toBe(200);
    const tooMany = { status: 429, wait: expect.stringMatching(/^\d+$/), body: { error: 'temporarily_unavailable' } };
    expect(await send('admin-cli', '192.0.2.3')).toMatchObject(tooMany);
    const others = [];
    for (const client of ['a', 'b', 'c']) others.push((await send(client, '192.0.2.1')).status);
    expect(others).toEqual([400, 400, 400]);
    expect(await send('d', '192.0.2.1')).toMatchObject(tooMany);
    expect((await send('d', '192.0.2.4')).status).toBe(400);
    // nothing else is limited
    expect((await fetch(`${server.url}/auth/realms/master`)).status).toBe(200);
  });
});
