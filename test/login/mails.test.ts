import { beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, linkOf, noticeOf, type Page } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, {
    resetPasswordAllowed: true,
    smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
  });
});

const app = { client_id: 'app', redirect_uri: callback };
const events = async (type: string): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', `/admin/realms/shop/events?type=${type}&max=100`)).body;
const userOf = async (username: string) =>
  (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body[0];
const change = async (username: string, body: object) =>
  expect((await admin.send('PUT', `/admin/realms/shop/users/${(await userOf(username)).id}`, body)).status).toBe(204);

/** The link of the next mail, which goes out behind the answer. */
async function nextLink(before: number): Promise<string> {
  const deadline = Date.now() + 10_000;
  while (mailbox.mails.length === before && Date.now() < deadline) await new Promise((done) => setTimeout(done, 10));
  expect(mailbox.mails.length).toBe(before + 1);
  return mailbox.link();
}

async function forget(username: string, agent = agentOf(server)) {
  const before = mailbox.mails.length;
  const login = await agent.get(authorizationUrl('shop', { ...app, state: 's' }));
  const page = await agent.get(linkOf(login, 'reset-credentials'));
  return { agent, before, answer: await agent.submit(page, { username }) };
}
const passwords = (password: string) => ({ 'password-new': password, 'password-confirm': password });

describe('a forgotten password', () => {
  it('is replaced by way of a mail, and the login goes on in the same browser', async () => {
    const { agent, answer, before } = await forget('ann');
    expect(noticeOf(answer)).toMatch(/has been sent/);
    const link = await nextLink(before);
    const opened = await agent.get(link);
    // opening it is not using it
    expect((await agent.get(link)).status).toBe(200);
    expect((await userOf('ann')).emailVerified).toBe(false);
    const form = await agent.submit(opened, {});
    expect(form.text).toContain('name="password-new"');
    const done = await agent.submit(form, passwords('new-ann'));
    expect(answerOf(done)).toMatchObject({ state: 's', code: expect.any(String) });
    expect((await agent.get(link)).status).toBe(400);
    expect(await userOf('ann')).toMatchObject({ emailVerified: true });
    const details = { username: 'ann', email: 'ann@example.org' };
    expect(await events('SEND_RESET_PASSWORD')).toMatchObject([{ clientId: 'app', details }]);
    expect(await events('UPDATE_PASSWORD')).toHaveLength(1);
    expect((await events('LOGIN')).length).toBe(1);
    expect(await events('EXECUTE_ACTION_TOKEN_ERROR')).toMatchObject([
      { error: 'expired_code', details: { action: 'reset-credentials' } },
    ]);
  });

  it('is replaced in another browser, which is not logged in by that', async () => {
    const { agent, before } = await forget('bob@example.org');
    const link = await nextLink(before);
    const other = agentOf(server);
    const form = await other.submit(await other.get(link), {});
    const done = await other.submit(form, passwords('new-bob'));
    expect([done.status, done.location]).toEqual([200, null]);
    expect(done.text).toContain('Your account has been updated.');
    for (const browser of [agent, other]) {
      const silent = await browser.get(authorizationUrl('shop', { ...app, prompt: 'none' }));
      expect(answerOf(silent).error).toBe('login_required');
    }
    const page = await other.get(authorizationUrl('shop', app));
    expect(answerOf(await other.submit(page, { username: 'bob', password: 'new-bob' }))).toHaveProperty('code');
  });

  it('of nobody, of somebody disabled or without an address looks the same', async () => {
    await change('eve', { enabled: false });
    const plain = ({ text }: Page) => text.replace(/(tab_id|session_code)=[\w-]+/g, '').replaceAll(/(nobody|eve)/g, '');
    const unknown = await forget('nobody');
    const disabled = await forget('eve');
    const known = await forget('carl');
    await nextLink(known.before);
    expect(plain(unknown.answer)).toBe(plain(disabled.answer));
    expect(plain(unknown.answer)).toBe(plain(known.answer).replaceAll('carl', ''));
    const errors = (await events('RESET_PASSWORD_ERROR')).map(({ error }) => error);
    expect(errors.toSorted()).toEqual(['user_disabled', 'user_not_found']);
  });

  it('asks only for whom one may ask', async () => {
    const agent = agentOf(server);
    const login = await agent.get(authorizationUrl('shop', app));
    const page = await agent.get(linkOf(login, 'reset-credentials'));
    expect(noticeOf(await agent.submit(page, { username: ' ' }))).toBe('Please enter your username.');
    const back = await agent.get(linkOf(page, 'restart'));
    expect(back.text).toContain('name="password"');
    await admin.send('PUT', '/admin/realms/shop', { resetPasswordAllowed: false });
    const closed = agentOf(server);
    const without = await closed.get(authorizationUrl('shop', app));
    expect(without.text).not.toContain('reset-credentials');
    const address = linkOf(login, 'reset-credentials').replace(/tab_id=[\w-]+/, '');
    const tab = /tab_id=[\w-]+/.exec(without.text)?.[0] ?? '';
    expect((await closed.get(`${address}&${tab}`)).status).toBe(400);
    await admin.send('PUT', '/admin/realms/shop', { resetPasswordAllowed: true });
  });
});

describe('an address that has to be confirmed', () => {
  it('is confirmed by a link, and the login goes on', async () => {
    await change('dora', { requiredActions: ['VERIFY_EMAIL'] });
    const agent = agentOf(server);
    const before = mailbox.mails.length;
    const login = await agent.get(authorizationUrl('shop', app));
    const asked = await agent.submit(login, { username: 'dora', password: 'pw-dora' });
    expect(asked.text).toContain('dora@example.org');
    await nextLink(before);
    // once for each page that is shown anew is too often
    expect((await agent.get(asked.url)).status).toBe(200);
    expect(mailbox.mails.length).toBe(before + 1);
    const current = await agent.submit(await agent.get(asked.url), { resend: 'true' });
    expect(noticeOf(current)).toMatch(/has been sent/);
    expect((await agent.submit(current, { continue: 'true' })).text).toContain('dora@example.org');
    const link = await nextLink(before + 1);
    const done = await agent.submit(await agent.get(link), {});
    expect(answerOf(done)).toHaveProperty('code');
    expect(await userOf('dora')).toMatchObject({ emailVerified: true, requiredActions: [] });
    expect((await events('SEND_VERIFY_EMAIL')).length).toBe(2);
    expect(await events('VERIFY_EMAIL')).toMatchObject([{ clientId: 'app' }]);
  });

  it('is confirmed elsewhere, and the login goes on where it was', async () => {
    await change('carl', { emailVerified: false, requiredActions: ['VERIFY_EMAIL'] });
    const agent = agentOf(server);
    const before = mailbox.mails.length;
    const login = await agent.get(authorizationUrl('shop', app));
    const asked = await agent.submit(login, { username: 'carl', password: 'pw-carl' });
    const phone = agentOf(server);
    const told = await phone.submit(await phone.get(await nextLink(before)), {});
    expect(told.text).toContain('Your email address has been verified.');
    const done = await agent.submit(asked, { continue: 'true' });
    expect(answerOf(done)).toHaveProperty('code');
  });
});

describe('a link to actions', () => {
  it('leads through their forms, once, and back to the application', async () => {
    const { id } = await userOf('todo');
    await change('todo', { requiredActions: [] });
    const query = `client_id=app&redirect_uri=${encodeURIComponent(callback)}`;
    const actions = ['UPDATE_PROFILE', 'UPDATE_PASSWORD'];
    const before = mailbox.mails.length;
    const path = `/admin/realms/shop/users/${id}/execute-actions-email?${query}`;
    expect((await admin.send('PUT', path, actions)).status).toBe(204);
    const link = await nextLink(before);
    const agent = agentOf(server);
    const opened = await agent.get(link);
    expect(opened.text).toContain('Choose a new password');
    // the button of another browser's page does nothing here
    expect((await agentOf(server).submit(opened, {})).status).toBe(400);
    const first = await agent.submit(opened, {});
    expect(first.text).toContain('name="password-new"');
    const second = await agent.submit(first, passwords('new-todo'));
    const profile = { email: 'todo@example.org', firstName: 'To', lastName: 'Do' };
    const done = await agent.submit(second, profile);
    expect(done.text).toContain('Your account has been updated.');
    expect(done.text).toContain(`href="${callback}"`);
    expect((await agent.get(link)).status).toBe(400);
    expect(await userOf('todo')).toMatchObject({ firstName: 'To', emailVerified: true });
    const silent = await agent.get(authorizationUrl('shop', { ...app, prompt: 'none' }));
    expect(answerOf(silent).error).toBe('login_required');
  });
});
