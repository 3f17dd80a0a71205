import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import type { Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { idOf, phone, userOfShop, userWithPhone, withShop } from './world.js';

let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;

beforeAll(async () => {
  server = await startServer();
  mailbox = await openMailbox();
  const smtpServer = { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' };
  admin = await withShop(server, { displayName: 'Shop & Co', smtpServer });
});

/** The next notice after so many. */
async function noticeAfter(count: number) {
  await expect.poll(() => mailbox.notices.length, { timeout: 10_000 }).toBe(count + 1);
  return mailbox.notices[count];
}

describe('a notice by mail', () => {
  it('tells the earlier address of a new one, and has no link', async () => {
    const alice = await userOfShop(server, 'alice');
    const profile = { username: 'alice', email: 'new@example.com', firstName: 'Alice', lastName: 'Archer' };
    expect((await alice.send('POST', '/realms/shop/account', profile)).status).toBe(204);
    const mail = await noticeAfter(0);
    expect(mail).toMatchObject({
      recipients: ['alice@example.com'],
      headers: { subject: 'Your account at Shop & Co was changed' },
    });
    expect(mail?.text).toMatch(/"alice" at Shop & Co was changed on .* UTC: the email address was changed/);
    expect(mail?.text).not.toMatch(/https?:|new@example/);
    // the same profile again is no change
    expect((await alice.send('POST', '/realms/shop/account', profile)).status).toBe(204);
  });

  it('tells of a removed device in the language of the user', async () => {
    const id = await idOf(admin, 'bob');
    const bob = await userOfShop(server, 'bob');
    await admin.send('PUT', `/admin/realms/shop/users/${id}`, { credentials: [phone], attributes: { locale: ['de'] } });
    const [, { userCredentials }] = (await bob.send('GET', '/realms/shop/account/credentials')).body;
    const at = `/realms/shop/account/credentials/${userCredentials[0].id}`;
    expect((await bob.send('DELETE', at)).status).toBe(403);
    const proven = await userWithPhone(server, 'bob');
    expect((await proven.send('DELETE', at)).status).toBe(204);
    const mail = await noticeAfter(1);
    expect(mail).toMatchObject({
      recipients: ['bob@example.com'],
      headers: { subject: 'Ihr Konto bei Shop & Co wurde geändert' },
    });
    expect(mail?.text).toContain('Ein Gerät oder Schlüssel für die Anmeldung wurde entfernt');
  });

  it('tells of a new password', async () => {
    const agent = agentOf(server);
    const request = { client_id: 'app', redirect_uri: 'https://app.example/', kc_action: 'UPDATE_PASSWORD' };
    const page = await agent.get(authorizationUrl('shop', request));
    const form = await agent.submit(page, { username: 'erin', password: 'pw-erin' });
    const done = await agent.submit(form, { 'password-new': 'pw-new', 'password-confirm': 'pw-new' });
    expect(done.location).toContain('kc_action_status=success');
    expect(await noticeAfter(2)).toMatchObject({ recipients: ['erin@example.com'] });
  });

  it('that cannot be sent hinders nobody', async () => {
    const settings = { smtpServer: { host: '127.0.0.1', port: '1', from: 'id@shop.example' } };
    expect((await admin.send('PUT', '/admin/realms/shop', settings)).status).toBe(204);
    const alice = await userOfShop(server, 'alice');
    const profile = { username: 'alice', email: 'third@example.com', firstName: 'Alice', lastName: 'Archer' };
    expect((await alice.send('POST', '/realms/shop/account', profile)).status).toBe(204);
    expect(mailbox.notices.length).toBe(3);
  });
});
