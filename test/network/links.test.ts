import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { linkOf } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { openInside, sendAs } from './sending.js';

let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;
let userId: string;
const evil = 'evil.example';

beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startServer({ fetchPrivateAddresses: true });
  admin = await administrator(server);
  const smtpServer = { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' };
  await importShop(admin, { resetPasswordAllowed: true, eventsEnabled: true, adminEventsEnabled: true, smtpServer });
  userId = (await admin.send('GET', '/admin/realms/shop/users?username=ann&exact=true')).body[0].id;
});

const asked = (host: string, path: string, body?: unknown, at: TestServer = server) =>
  sendAs(
    at,
    { host, authorization: `Bearer ${admin.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    { method: 'PUT', path: `/auth/admin/realms/shop/users/${userId}/${path}`, body: JSON.stringify(body) },
  );
const writes = () => server.database.read.adminEvent.count();

describe('a link in a mail', () => {
  it.each([
    ['send-verify-email', undefined],
    ['execute-actions-email', ['UPDATE_PASSWORD']],
  ])('of %s does not follow a Host header that nobody configured', async (path, body) => {
    const [mails, events] = [mailbox.mails.length, await writes()];
    for (const host of [evil, `${evil}:8080`, '203.0.113.7', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      const { status, text } = await asked(host, path, body);
      expect([host, status]).toEqual([host, 400]);
      expect(JSON.parse(text).errorMessage).toMatch(/requires the setting PUBLIC_URL or HOSTS/);
    }
    expect([mailbox.mails.length, await writes()]).toEqual([mails, events]);
  });

  it('is not sent over GraphQL either', async () => {
    const mails = mailbox.mails.length;
    const id = Buffer.from(`User:${userId}`).toString('base64');
    const query = `mutation { userSendVerifyEmail(input: { id: "${id}" }) { userErrors { code message } } }`;
    const headers = { host: evil, authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
    const { text } = await sendAs(server, headers, {
      method: 'POST',
      path: '/graphql',
      body: JSON.stringify({ query }),
    });
    expect(text).toContain('PUBLIC_URL');
    expect(mailbox.mails).toHaveLength(mails);
  });

  it('for a new password is refused alike for those who exist and those who do not', async () => {
    const mails = mailbox.mails.length;
    const pages = [];
    for (const username of ['ann', 'nobody-at-all']) {
      const cookies = new Map<string, string>();
      const visit = async (path: string, form?: Record<string, string>) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const headers = { host: evil, cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
        const body = form && new URLSearchParams(form).toString();
        const answer = await sendAs(server, headers, { method: form ? 'POST' : 'GET', path, ...(body && { body }) });
        for (const set of answer.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        return answer;
      };
      const query = new URLSearchParams({ client_id: 'app', redirect_uri: callback, response_type: 'code' });
      const login = await visit(`/auth/realms/shop/protocol/openid-connect/auth?${query}`);
      const page = await visit(linkOf({ text: login.text } as never, 'reset-credentials'));
      const action = /action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#38;', '&') ?? '';
      const { status, text } = await visit(action, { username });
      expect(text).toContain('PUBLIC_URL');
      // each request has a reference of its own
      pages.push(`${status} ${text.replace(/(Reference: )[\w-]{36}/, '$1')}`);
    }
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).toMatch(/^400/);
    expect(mailbox.mails).toHaveLength(mails);
  });

  it.each(['localhost:9000', '127.0.0.1', '10.1.2.3', '[::1]:9000', '192.168.1.1', 'id.localhost'])(
    'is made for %s, which is not a public host',
    async (host) => {
      expect((await asked(host, 'send-verify-email')).status).toBe(204);
      expect(new URL(mailbox.link()).host).toBe(host);
    },
  );

  it('is made for the hosts of HOSTS', async () => {
    const { databaseUrl } = server.services.config;
    const { hosts } = readConfig({ HOSTS: 'id.example, login.example' });
    const listed = await startServer({ databaseUrl, hosts });
    for (const [host, status] of [
      ['id.example:8443', 204],
      ['LOGIN.example', 204],
      ['sub.id.example', 400],
      [evil, 400],
    ] as const) {
      expect([host, (await asked(host, 'send-verify-email', undefined, listed)).status]).toEqual([host, status]);
    }
    await listed.close();
  });

  it('follows PUBLIC_URL, whatever the Host header says', async () => {
    const { databaseUrl } = server.services.config;
    const configured = await startServer({ databaseUrl, publicUrl: 'https://id.example/sso' });
    // the token is of another issuer now, which is of the same realm
    expect((await asked(evil, 'send-verify-email', undefined, configured)).status).toBe(204);
    expect(mailbox.link()).toMatch(/^https:\/\/id\.example\/sso\/auth\/realms\/shop\//);
    await configured.close();
  });
});

describe('a relative admin address', () => {
  it('is not below a host that only the Host header names', async () => {
    const inside = await openInside();
    const client = { clientId: 'of-this-server', adminUrl: '/k', enabled: true };
    expect((await admin.send('POST', '/admin/realms/shop/clients', client)).status).toBe(201);
    const push = (host: string) =>
      sendAs(
        server,
        { host, authorization: `Bearer ${admin.token}` },
        { method: 'POST', path: '/auth/admin/realms/shop/push-revocation' },
      );
    // a name that leads to the listener, as one of the attacker's would
    const { text } = await push(`ip6-localhost.evil.example:${inside.port}`);
    expect(text).not.toContain('evil.example');
    const { text: own } = await push(`127.0.0.1:${inside.port}`);
    expect(JSON.parse(own).successRequests).toContain(`http://127.0.0.1:${inside.port}/k`);
    expect(inside.heard).toHaveLength(1);
  });
});
