import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { sendAs } from './sending.js';

/** A login that fails from behind proxies; answers the address that it is recorded with. */
async function recorded(trustProxy: string, forwardedFor: string | undefined): Promise<string | null | undefined> {
  const server = await startServer({ trustProxy: readConfig({ TRUST_PROXY: trustProxy }).trustProxy });
  const admin = await administrator(server);
  expect((await admin.send('PUT', '/master', { eventsEnabled: true })).status).toBe(204);
  const answer = await sendAs(
    server,
    {
      host: 'localhost',
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-proto': 'https',
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
    {
      method: 'POST',
      path: '/auth/realms/master/protocol/openid-connect/token',
      body: 'grant_type=password&client_id=admin-cli&username=nobody&password=wrong',
    },
  );
  expect(answer.status).toBe(401);
  const event = await server.database.read.loginEvent.findFirst({ where: { type: 'LOGIN_ERROR' } });
  await server.close();
  return event?.ipAddress;
}

const [own, sender, proxy, made] = ['127.0.0.1', '203.0.113.7', '198.51.100.1', '10.0.0.1'];

describe('the address of a sender', () => {
  it.each<[string, string | undefined, string, string]>([
    ['false', sender, own, 'is that of the connection if there is no proxy'],
    ['true', undefined, own, 'is that of the connection if the proxy writes none'],
    ['true', sender, sender, 'is what the one proxy wrote'],
    ['true', `${made}, ${sender}`, sender, 'is what the one proxy wrote, not what the sender wrote before'],
    ['1', `${made}, ${sender}:4711`, sender, 'may come with a port'],
    ['2', `${made}, ${sender}, ${proxy}`, sender, 'is what the outer of two proxies wrote'],
    ['2', `${made}, ${made}, ${sender}, ${proxy}`, sender, 'is that however much the sender wrote before'],
    ['2', sender, sender, 'is the first if there are fewer proxies than expected'],
    [`127.0.0.0/8,${proxy}`, `${made}, ${sender}, ${proxy}`, sender, 'is the last that is no proxy'],
    [proxy, `${made}, ${sender}`, own, 'is that of the connection if that is no proxy'],
    ['127.0.0.1', `${made}, unknown`, own, 'is the last known one before what is no address'],
    ['1', `${sender}, [2001:db8::7]:4711`, '2001:db8::7', 'may be IPv6 with a port'],
  ])('behind TRUST_PROXY=%s, with %s, is %s: it %s', async (trusted, header, expected, _why) => {
    expect(await recorded(trusted, header)).toBe(expected);
  });

  it.each(['yes', '-1', 'proxy.example', '10.0.0.0/33', '10.0.0.1;10.0.0.2'])(
    'cannot be had by TRUST_PROXY=%s',
    (text) => {
      expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/TRUST_PROXY must be/);
    },
  );
});

describe('the host and the scheme that a proxy forwards', () => {
  const issuerOf = async (trustProxy: string, headers: Record<string, string>) => {
    const server = await startServer({ trustProxy: readConfig({ TRUST_PROXY: trustProxy }).trustProxy });
    const path = '/auth/realms/master/.well-known/openid-configuration';
    const { text } = await sendAs(server, { host: 'inner.example', ...headers }, { path });
    await server.close();
    return new URL((JSON.parse(text) as { issuer: string }).issuer).origin;
  };

  it.each([
    ['false', 'id.example', 'https', 'http://inner.example'],
    ['true', 'id.example', 'https', 'https://id.example'],
    ['1', 'evil.example, id.example', 'http, https', 'https://id.example'],
    ['1', 'evil.example/path', 'https', 'https://inner.example'],
    ['192.0.2.1', 'id.example', 'https', 'http://inner.example'],
  ])('with TRUST_PROXY=%s, host %s and scheme %s make %s', async (trusted, host, scheme, origin) => {
    const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': scheme, 'x-forwarded-for': '203.0.113.7' };
    expect(await issuerOf(trusted, headers)).toBe(origin);
  });
});
