// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { createFailedAttempts } from '../../src/services/core/failed-attempts.js';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

describe('failed attempts', () => {
  let time = 0;
  const counting = () => createFailedAttempts({ failuresAddress: 10, failuresAccount: 20 }, () => time);
  const ann = { kind: 'user', realm: 'one', name: 'ann' } as const;
  const times = (count: number, work: (index: number) => void) => Array.from({ length: count }, (_, at) => work(at));

  it('are counted for an address, and for a whole network of IPv6 addresses', () => {
    const attempts = counting();
    times(10, (at) => attempts.failed({ address: `2001:db8::${at}` }));
    expect(attempts.wait({ address: '2001:DB8:0:0:ffff::1' })).toBe(30);
    expect(attempts.wait({ address: '2001:0db8:0000::1' })).toBe(30);
    expect(attempts.wait({ address: '2001:db8:0:1::1' })).toBe(0);
    times(10, () => attempts.failed({ address: '192.0.2.1' }));
    expect(attempts.wait({ address: '::ffff:192.0.2.1' })).toBe(30);
    time += 30_000;
    expect(attempts.wait({ address: '192.0.2.1' })).toBe(0);
  });

  it('do not lock an account for addresses that have not failed for it', () => {
    const attempts = counting();
    times(20, (at) => attempts.failed({ address: `198.51.100.${at % 3}`, account: ann }));
    expect(attempts.wait({ address: '198.51.100.1', account: ann })).toBeGreaterThan(0);
    expect(attempts.wait({ address: '198.51.100.1', account: { ...ann, name: 'bob' } })).toBe(0);
    expect(attempts.wait({ address: '203.0.113.1', account: ann })).toBe(0);
    expect(attempts.wait({ address: '203.0.113.1', account: { ...ann, name: ' ＡＮＮ ' } })).toBe(0);
    attempts.failed({ address: '203.0.113.1', account: ann });
    expect(attempts.wait({ address: '203.0.113.1', account: { ...ann, name: ' ＡＮＮ ' } })).toBeGreaterThan(0);
    expect(attempts.wait({ address: '203.0.113.1', account: { ...ann, realm: 'two' } })).toBe(0);
  });

  it('with codes count for the account from wherever they come', () => {
    const attempts = counting();
    const code = { ...ann, kind: 'code' } as const;
    times(4, (at) => attempts.failed({ address: `198.51.100.${at}`, account: code }));
    expect(attempts.wait({ address: '203.0.113.1', account: code })).toBeGreaterThan(0);
    expect(attempts.wait({ address: '203.0.113.1', account: ann })).toBe(0);
  });

  it('need not be counted', () => {
    const attempts = createFailedAttempts({ failuresAddress: 0, failuresAccount: 0 });
    times(1000, () => attempts.failed({ address: '192.0.2.1', account: ann }));
    expect(attempts.wait({ address: '192.0.2.1', account: ann })).toBe(0);
  });
});

describe('a server', () => {
  let server: TestServer;
  const realm = '/auth/realms/shop';

  beforeAll(async () => {
    server = await startServer({ failuresAddress: 12, failuresAccount: 20, trustProxy: 1 });
    const secret = '12345678901234567890';
    const device = {
      type: 'otp',
      secretData: JSON.stringify({ value: secret }),
      credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
    };
    await importShop(await administrator(server), {
      clients: [
        { clientId: 'app', publicClient: true, directAccessGrantsEnabled: true, redirectUris: [callback] },
        { clientId: 'kept', secret: 'right', serviceAccountsEnabled: true },
      ],
      registrationAllowed: true,
      users: ['ann', 'bob', 'carl', 'dora'].map((username) => ({
        username,
        enabled: true,
        email: `${username}@example.org`,
        firstName: 'x',
        lastName: 'y',
        credentials: [{ type: 'password', value: 'right' }, ...(username === 'carl' ? [device] : [])],
      })),
    });
  });

  const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
  const post = async (path: string, address: string, form: Record<string, string>, headers: object = {}) => {
    const options = { method: 'POST', headers: { ...from(address), ...headers }, body: new URLSearchParams(form) };
    const response = await fetch(`${server.url}${realm}/${path}`, options);
    return { status: response.status, wait: response.headers.get('retry-after') };
  };
  const grant = (address: string, username: string, password: string, more: Record<string, string> = {}) =>
    post('protocol/openid-connect/token', address, {
      grant_type: 'password',
      client_id: 'app',
      username,
      password,
      ...more,
    });
  const tooMany = { status: 429, wait: expect.stringMatching(/^\d+$/) };

  it('never counts what succeeds', async () => {
    for (let at = 0; at < 30; at += 1) expect((await grant('192.0.2.1', 'bob', 'right')).status).toBe(200);
  });

  it('limits failures of an address, whatever it tries', async () => {
    const address = '192.0.2.2';
    const basic = `Basic ${Buffer.from('kept:wrong').toString('base64')}`;
    for (let at = 0; at < 3; at += 1) {
      expect((await grant(address, `nobody-${at}`, 'x')).status).toBe(401);
      const form = { grant_type: 'client_credentials', client_id: 'kept', client_secret: 'wrong' };
      expect((await post('protocol/openid-connect/token', address, form)).status).toBe(401);
      expect((await post('protocol/openid-connect/token/introspect', address, { token: 'x', ...form })).status).toBe(
        401,
      );
      const install = await fetch(`${server.url}${realm}/clients-registrations/install/kept`, {
        headers: { ...from(address), authorization: basic },
      });
      expect(install.status).toBe(401);
    }
    expect(await grant(address, 'bob', 'right')).toEqual(tooMany);
    const agent = agentOf(server, from(address));
    const page = await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
    expect((await agent.submit(page, { username: 'bob', password: 'right' })).status).toBe(429);
    expect((await grant('192.0.2.3', 'bob', 'right')).status).toBe(200);
  });

  it('does not count what is no guess', async () => {
    const address = '192.0.2.4';
    for (let at = 0; at < 15; at += 1) {
      const form = { client_id: 'app', grant_type: 'refresh_token', refresh_token: 'x' };
      expect((await post('protocol/openid-connect/token', address, form)).status).toBe(400);
    }
    expect((await grant(address, 'bob', 'right')).status).toBe(200);
  });

  it('limits failures for an account over all addresses, and lets the owner in', async () => {
    let refused = 0;
    for (let at = 0; at < 40; at += 1) {
      const agent = agentOf(server, from(`198.51.100.${at % 8}`));
      const page = await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
      const answer = await agent.submit(page, { username: 'ann', password: 'wrong' });
      if (answer.status === 429) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
    expect(await grant('198.51.100.1', 'Ann', 'right')).toEqual(tooMany);
    expect((await grant('203.0.113.9', 'ann', 'right')).status).toBe(200);
    expect((await grant('198.51.100.1', 'bob', 'right')).status).toBe(200);
  });

  it('limits guesses at one-time codes from wherever they come', async () => {
    const statuses = [];
    for (let at = 0; at < 6; at += 1)
      statuses.push((await grant(`198.51.100.${100 + at}`, 'carl', 'right', { totp: '000000' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    // without the password nobody gets that far
    for (let at = 0; at < 6; at += 1) await grant(`198.51.100.${120 + at}`, 'dora', 'wrong', { totp: '000000' });
    expect((await grant('203.0.113.10', 'dora', 'right', { totp: '000000' })).status).toBe(200);
  });

  it('limits guesses at names and at codes of devices', async () => {
    const agent = agentOf(server, from('192.0.2.7'));
    const statuses = [];
    for (let at = 0; at < 13; at += 1)
      statuses.push((await agent.post(`${realm}/device`, { device_user_code: `BBBB-BBB${at}` })).status);
    // as for one-time codes: a fifth of what an account may have
    expect(statuses.indexOf(429)).toBe(4);
    const other = agentOf(server, from('192.0.2.8'));
    const url = authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }).replace(
      '/auth?',
      '/registrations?',
    );
    let page = await other.get(url);
    const typed = { email: 'ann@example.org', username: 'ann', firstName: 'x', lastName: 'y' };
    const password = { password: 'secret', 'password-confirm': 'secret' };
    const tried = [];
    for (let at = 0; at < 13; at += 1) {
      const answer = await other.submit(page, { ...typed, ...password });
      tried.push(answer.status);
      if (answer.status === 200) page = answer;
    }
    expect(tried.indexOf(429)).toBe(12);
  });
});

describe('a server behind a proxy that it does not trust', () => {
  it('does not take all senders for one', async () => {
    const server = await startServer({ failuresAddress: 5 });
    const send = (password: string) =>
      fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': '203.0.113.1' },
        body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password }),
      });
    for (let at = 0; at < 10; at += 1) expect((await send('wrong')).status).toBe(401);
    expect((await send('admin')).status).toBe(200);
  });
});
