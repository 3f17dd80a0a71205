import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf } from '../login/agent.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { account, type Mailbox, openMailbox, selfSigned } from './mailbox.js';

let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;
let moved = 0;

const realm = 'post';
const sender = { from: 'id@post.example', fromDisplayName: 'Post Öffice', replyTo: 'help@post.example' };

beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startServer({}, () => Date.now() + moved);
  admin = await administrator(server);
  const created = await admin.send('POST', '/', {
    realm,
    displayName: 'Post & Parcel',
    enabled: true,
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    internationalizationEnabled: true,
    supportedLocales: ['en', 'de'],
    localizationTexts: { de: { executeActionsSubject: 'Bitte erledigen' } },
    clients: [{ clientId: 'shop', publicClient: true, redirectUris: ['https://shop.example/*'] }],
    users: [
      {
        username: 'boss',
        email: 'boss@post.example',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['realm-admin'] },
      },
      ...['ann', 'bob', 'eve', 'kim', 'zoe'].map((username) => ({
        username,
        email: `${username}@post.example`,
        enabled: true,
        requiredActions: ['VERIFY_EMAIL'],
      })),
      { username: 'uwe', email: 'uwe@post.example', enabled: true, attributes: { locale: ['de'] } },
    ],
    smtpServer: smtp(mailbox.port),
  });
  expect(created.status).toBe(201);
});

const smtp = (port: number, more: object = {}) => ({ host: '127.0.0.1', port: String(port), ...sender, ...more });
const credentials = { auth: 'true', user: account.user, password: account.password };
const use = async (settings: object) =>
  expect((await admin.send('PUT', `/${realm}`, { smtpServer: settings })).status).toBe(204);
const find = async (username: string) => (await admin.send('GET', `/${realm}/users?username=${username}`)).body[0];
const verify = async (username: string, query = '') =>
  admin.send('PUT', `/${realm}/users/${(await find(username)).id}/send-verify-email${query}`);
/** Opens a link; nothing is done by that. */
const open = async (link: string, method = 'GET') => {
  const answer = await fetch(link, { method });
  return { status: answer.status, page: await answer.text() };
};
/** Opens a link and presses the button on its page. */
const follow = async (link: string) => {
  const agent = agentOf(server);
  const opened = await agent.get(link);
  const { status, text: page } = opened.status === 200 ? await agent.submit(opened, {}) : opened;
  return { status, page };
};
const events = async (type: string) =>
  (await server.database.read.loginEvent.findMany({ where: { type }, orderBy: { time: 'asc' } })).map(
    ({ error, userId, details }) => ({ error, userId, details }),
  );
const failure = { status: 500, body: { errorMessage: 'Failed to send execute actions email' } };

describe('the mail', () => {
  it('arrives in both forms, from the sender that the realm names', async () => {
    await use(smtp(mailbox.port, { envelopeFrom: 'bounces@post.example' }));
    expect((await verify('ann')).status).toBe(204);
    const mail = mailbox.mails.at(-1);
    expect(mail).toMatchObject({ sender: 'bounces@post.example', recipients: ['ann@post.example'], encrypted: false });
    expect(mail?.headers).toMatchObject({
      to: 'ann@post.example',
      subject: 'Verify email',
      'reply-to': 'help@post.example',
    });
    expect(mail?.headers.from).toContain('Post Öffice');
    expect(mail?.text).toContain('an account of Post & Parcel');
    expect(mail?.text).toContain('12 hours');
    expect(mail?.html).toContain('Post &#38; Parcel');
    expect(mail?.html).toContain(mailbox.link().replaceAll('&', '&#38;'));
    expect(await events('SEND_VERIFY_EMAIL')).toMatchObject([{ error: null, details: { email: 'ann@post.example' } }]);
  });

  it('speaks the language of the user, in words that the realm may choose', async () => {
    expect((await verify('uwe')).status).toBe(204);
    expect(mailbox.mails.at(-1)?.headers.subject).toBe('E-Mail-Adresse bestätigen');
    expect(mailbox.mails.at(-1)?.text).toContain('12 Stunden');
    const { id } = await find('uwe');
    const actions = `/${realm}/users/${id}/execute-actions-email`;
    expect((await admin.send('PUT', actions, ['UPDATE_PASSWORD'])).status).toBe(204);
    expect(mailbox.mails.at(-1)?.headers.subject).toBe('Bitte erledigen');
    expect(mailbox.mails.at(-1)?.text).toContain('ein neues Passwort wählen');
  });

  it.each(['PLAIN', 'LOGIN'])('is handed over by AUTH %s', async (method) => {
    const guarded = await openMailbox({ authOptional: false, authMethods: [method] });
    await use(smtp(guarded.port, credentials));
    expect((await verify('ann')).status).toBe(204);
    expect(guarded.mails).toMatchObject([{ method }]);
    await use(smtp(guarded.port, { ...credentials, password: 'wrong' }));
    expect(await verify('ann')).toMatchObject(failure);
    await use(smtp(guarded.port));
    expect(await verify('ann')).toMatchObject(failure);
    expect(guarded.mails).toHaveLength(1);
  });
});

describe('encryption', () => {
  it.each([
    ['from the start', { secure: true }, { ssl: 'true' }],
    ['by STARTTLS', { secure: false, hideSTARTTLS: false }, { starttls: 'true' }],
  ])('%s takes a certificate that is trusted', async (_kind, options, settings) => {
    const { cert, key } = await selfSigned();
    const box = await openMailbox({ ...options, cert, key });
    await use(smtp(box.port, { ...settings, ...credentials }));
    expect(await verify('bob')).toMatchObject(failure);
    expect(box.mails).toHaveLength(0);
    const { databaseUrl } = server.services.config;
    const trusting = await startServer({ databaseUrl, mailAuthorities: cert });
    const there = callerWith(trusting, admin.token);
    expect((await there.send('PUT', `/${realm}/users/${(await find('bob')).id}/send-verify-email`)).status).toBe(204);
    expect(box.mails).toMatchObject([{ encrypted: true, method: 'PLAIN' }]);
    await trusting.close();
  });

  it('is not left out because the mail server has none', async () => {
    const plain = await openMailbox();
    await use(smtp(plain.port, { starttls: 'true' }));
    expect(await verify('bob')).toMatchObject(failure);
    expect(plain.mails).toHaveLength(0);
  });
});

describe('the link', () => {
  beforeAll(() => use(smtp(mailbox.port)));

  it('verifies the address once', async () => {
    const back = encodeURIComponent('https://shop.example/thanks?a=1&b=2');
    expect((await verify('eve', `?client_id=shop&redirect_uri=${back}`)).status).toBe(204);
    const link = mailbox.link();
    for (const method of ['HEAD', 'GET', 'GET']) expect((await open(link, method)).status).toBe(200);
    expect(await find('eve')).toMatchObject({ emailVerified: false, requiredActions: ['VERIFY_EMAIL'] });
    const first = await follow(link);
    expect(first.status).toBe(200);
    expect(first.page).toContain('has been verified');
    expect(first.page).toContain('href="https://shop.example/thanks?a=1&amp;b=2"');
    expect(await find('eve')).toMatchObject({ emailVerified: true, requiredActions: [] });
    const second = await follow(link);
    expect(second.status).toBe(400);
    expect(second.page).toContain('no longer valid');
    const { id } = await find('eve');
    expect((await events('VERIFY_EMAIL')).filter(({ userId }) => userId === id)).toHaveLength(1);
    expect(await events('VERIFY_EMAIL_ERROR')).toMatchObject([{ error: 'expired_code', userId: id }]);
  });

  it('is used by one of many who follow it at once', async () => {
    expect((await verify('kim')).status).toBe(204);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => follow(mailbox.link())));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
  });

  it('is nothing when it was tampered with, is over, or belongs to another address or realm', async () => {
    expect((await verify('zoe')).status).toBe(204);
    const link = mailbox.link();
    expect((await follow(`${link.slice(0, -4)}AAAA`)).status).toBe(400);
    expect((await follow(link.replace(`/realms/${realm}/`, '/realms/master/'))).status).toBe(400);
    expect((await follow(link.replace(/\?key=.*/, ''))).status).toBe(400);
    const { id } = await find('zoe');
    await admin.send('PUT', `/${realm}/users/${id}`, { email: 'other@post.example' });
    expect((await follow(link)).status).toBe(400);
    expect(await find('zoe')).toMatchObject({ emailVerified: false });
  });

  it('is not a token for anything else, and nothing else is a link', async () => {
    const other = await openMailbox();
    await use(smtp(other.port));
    expect((await verify('zoe')).status).toBe(204);
    const key = new URL(other.link()).searchParams.get('key') ?? '';
    expect((await callerWith(server, key).send('GET', `/${realm}/users`)).status).toBe(401);
    const base = other.link().replace(/\?.*/, '');
    expect((await follow(`${base}?key=${admin.token}`)).status).toBe(400);
    await use(smtp(mailbox.port));
  });

  it('of required actions verifies the address and leads to the forms of the rest', async () => {
    const { id } = await find('bob');
    const send = (actions: unknown, query = '') =>
      admin.send('PUT', `/${realm}/users/${id}/execute-actions-email${query}`, actions);
    expect((await send(['VERIFY_EMAIL', 'UPDATE_PASSWORD'], '?lifespan=600')).status).toBe(204);
    expect(mailbox.mails.at(-1)?.text).toContain('confirm the email address, choose a new password');
    expect(mailbox.mails.at(-1)?.text).toContain('10 minutes');
    expect((await open(mailbox.link())).page).toContain('Choose a new password');
    const { status, page } = await follow(mailbox.link());
    expect(status).toBe(200);
    expect(page).toContain('name="password-new"');
    expect(await find('bob')).toMatchObject({ emailVerified: true, requiredActions: [] });
    expect((await follow(mailbox.link())).status).toBe(400);
    expect((await send(['NO_SUCH_ACTION'])).status).toBe(400);
    expect((await send([])).status).toBe(400);
    expect((await send(['VERIFY_EMAIL'], '?lifespan=0')).status).toBe(400);
  });

  it('ends with its time', async () => {
    const { id } = await find('ann');
    expect(
      (await admin.send('PUT', `/${realm}/users/${id}/execute-actions-email?lifespan=60`, ['VERIFY_EMAIL'])).status,
    ).toBe(204);
    const link = mailbox.link();
    moved = 61_000;
    const { status, page } = await follow(link);
    moved = 0;
    expect(status).toBe(400);
    expect(page).toContain('has expired');
    expect(await find('ann')).toMatchObject({ emailVerified: false });
  });
});

describe('a mail server that does not do', () => {
  it('is told of as recorded when nobody listens', async () => {
    await use(smtp(1));
    const before = (await events('SEND_VERIFY_EMAIL_ERROR')).length;
    expect(await verify('ann')).toMatchObject(failure);
    expect((await events('SEND_VERIFY_EMAIL_ERROR')).slice(before)).toMatchObject([{ error: 'email_send_failed' }]);
  });

  it('does not keep the request waiting when it says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    atEndOfFile(() => new Promise<void>((done) => silent.close(() => done())));
    await use(smtp((silent.address() as AddressInfo).port));
    expect(await verify('ann')).toMatchObject(failure);
  }, 30_000);
});

describe('the test of a mail server', () => {
  const test = (caller: Caller, settings: unknown, headers = {}) =>
    caller.send('POST', `/${realm}/testSMTPConnection`, settings, headers);

  it('sends a mail to the administrator, with the stored password for the same server only', async () => {
    const guarded = await openMailbox({ authOptional: false });
    const stranger = await openMailbox({ authOptional: false });
    await use(smtp(guarded.port, credentials));
    const boss = await userOf(server, realm, 'boss', 'pw');
    const masked = { ...credentials, password: '**********' };
    expect((await test(boss, smtp(guarded.port, masked))).status).toBe(204);
    expect(guarded.mails).toMatchObject([{ recipients: ['boss@post.example'], method: 'PLAIN' }]);
    expect(guarded.mails[0]?.headers.subject).toBe('SMTP test message');
    expect((await test(boss, smtp(stranger.port, masked))).status).toBe(400);
    expect((await test(boss, smtp(stranger.port, credentials))).status).toBe(204);
    const form = new URLSearchParams({ config: JSON.stringify(smtp(stranger.port, credentials)) }).toString();
    expect((await test(boss, form, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(204);
    expect(stranger.mails).toHaveLength(2);
    const records = JSON.stringify((await admin.send('GET', `/${realm}/admin-events?max=1000`)).body);
    expect(records).toContain('testSMTPConnection');
    expect(records).not.toContain(account.password);
    expect(await test(boss, smtp(1))).toMatchObject({ status: 500, body: { errorMessage: 'Failed to send email' } });
    expect((await test(admin, smtp(guarded.port))).status).toBe(500);
  });
});

describe('the mutations', () => {
  const run = (caller: Caller, name: string, type: string, input: object) =>
    caller.graphql<Record<string, { userErrors: { code: string; message: string }[] }>>(
      `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code message } } }`,
      { input },
    );
  const idOf = async (username: string) => ({
    realmId: btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`),
    userId: btoa(`User:${(await find(username)).id}`),
  });

  it('send the same mails', async () => {
    await use(smtp(mailbox.port));
    const boss = await userOf(server, realm, 'boss', 'pw');
    const { realmId, userId } = await idOf('ann');
    const before = mailbox.mails.length;
    const results = [
      await run(boss, 'userSendVerifyEmail', 'UserSendVerifyEmailInput', { id: userId }),
      await run(boss, 'userSendActionsEmail', 'UserSendActionsEmailInput', {
        id: userId,
        actions: ['UPDATE_PASSWORD'],
      }),
      await run(boss, 'realmTestSmtp', 'RealmTestSmtpInput', { id: realmId }),
    ];
    for (const { data, errors } of results) {
      expect(errors).toBeUndefined();
      expect(Object.values(data)).toEqual([{ userErrors: [] }]);
    }
    expect(mailbox.mails.slice(before).map(({ headers }) => headers.subject)).toEqual([
      'Verify email',
      'Update Your Account',
      'SMTP test message',
    ]);
    const to = (recipient: string) => run(admin, 'realmTestSmtp', 'RealmTestSmtpInput', { id: realmId, recipient });
    expect((await to('ops@post.example')).data.realmTestSmtp).toEqual({ userErrors: [] });
    expect(mailbox.mails.at(-1)?.recipients).toEqual(['ops@post.example']);
    expect((await to('ops')).data.realmTestSmtp?.userErrors).toMatchObject([
      { code: 'INVALID', message: 'recipient must be an email address' },
    ]);
    await use(smtp(1));
    const failed = await run(boss, 'userSendVerifyEmail', 'UserSendVerifyEmailInput', { id: userId });
    const reason = 'The email was not sent: the mail server cannot be reached (ESOCKET CONN)';
    expect(failed.data.userSendVerifyEmail?.userErrors).toMatchObject([{ message: reason }]);
    await use({});
    const without = await run(boss, 'userSendVerifyEmail', 'UserSendVerifyEmailInput', { id: userId });
    expect(without.data.userSendVerifyEmail?.userErrors[0]?.message).toContain('has no mail server');
  });
});
