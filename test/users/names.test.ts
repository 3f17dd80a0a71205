// @both-databases
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lookAlikes, storedUsername, usernameFault } from '../../src/services/users/usernames.js';
import { agentOf, answerOf, authorizationUrl, noticeOf } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, { registrationAllowed: true, editUsernameAllowed: true });
});
beforeEach(async () => {
  admin = await administrator(server);
});

const create = (user: object, caller = admin) => caller.send('POST', '/shop/users', { enabled: true, ...user });
const stored = async (location: string | null) =>
  (await admin.send('GET', `/shop/users/${location?.split('/').at(-1)}`)).body;

const invisible = [
  'a\u200bnn',
  'ann\u200d',
  'a\u00adnn',
  'ann\u202egpj',
  '\u2066ann',
  'a\u0007nn',
  'a\nnn',
  'an\u2028n',
  'a\u3164n',
  'a\ufe0fn',
  'a\u{e0041}n',
  'a\u2800n',
];
/** Cyrillic, Greek and Armenian letters among or instead of Latin ones. */
const disguised = ['\u0430nn', 'b\u043eb', 'c\u0430rl', 'd\u03bfra', 'ev\u0435', 'b\u0585b'];
const several = [
  'a@b.example, c@d.example',
  'a@b.example,c@d.example',
  'a@b.example;c@d.example',
  'a@b.example c@d.example',
  'a@b.example\nc@d.example',
  'a@b.example\r\nBcc: c@d.example',
  'Ann <a@b.example>',
  '"a@b.example"@c.example',
  'a@b.example(c@d.example)',
  'list:a@b.example;',
  'a@b@c.example',
  'a@b .example',
  'a@b.example\u2028c',
  'a\u200b@b.example',
];

describe('user names', () => {
  it.each(invisible)('have no invisible characters: %j', async (username) => {
    expect(usernameFault(storedUsername(username))).toContain('invisible');
    const { status, body } = await create({ username });
    expect([status, body.errorMessage]).toEqual([400, 'User name must not contain invisible or control characters']);
    const imported = await admin.send('POST', '/', { realm: 'seen', users: [{ username }] });
    expect(imported.status).toBe(400);
  });

  it.each(disguised)('are not those of others in letters that look alike: %j', async (username) => {
    expect((await create({ username })).status).toBe(400);
  });

  it('are compared in one form, by whatever way they come', async () => {
    for (const username of ['\uff21nn', ' ann', 'ANN ', 'a\u2003'.replace('a\u2003', '\u2003ann'), 'ａｎｎ']) {
      expect((await create({ username })).status).toBe(409);
    }
    const { headers, status } = await create({ username: '  \uff2aürgen  \u00a0Mu\u0308ller ' });
    expect(status).toBe(201);
    const user = await stored(headers.get('location'));
    expect(user.username).toBe('jürgen müller');
    expect((await create({ username: 'Jürgen Müller' })).status).toBe(409);
    const change = (username: string) => admin.send('PUT', `/shop/users/${user.id}`, { username });
    expect((await change('\uff22ob')).status).toBe(409);
    expect((await change('b\u043eb')).status).toBe(400);
    expect((await change('b\u200bob')).status).toBe(400);
    const partial = { ifResourceExists: 'FAIL', users: [{ username: '\uff22OB', enabled: true }] };
    expect((await admin.send('POST', '/shop/partialImport', partial)).status).toBe(409);
    const twice = { realm: 'twice', users: [{ username: 'ann' }, { username: '\uff41nn ' }] };
    expect((await admin.send('POST', '/', twice)).status).toBe(409);
  });

  it('of one script collide with those of another that look the same', async () => {
    expect(lookAlikes('coco')).toContain('\u0441\u043e\u0441\u043e');
    expect((await create({ username: '\u0441\u043e\u0441\u043e' })).status).toBe(201);
    expect((await create({ username: 'coco' })).status).toBe(409);
    expect((await create({ username: 'pop' })).status).toBe(201);
    expect((await create({ username: '\u0440\u043e\u0440' })).status).toBe(409);
    const file = { ifResourceExists: 'SKIP', users: [{ username: '\u0440\u043e\u0440', enabled: true }] };
    expect((await admin.send('POST', '/shop/partialImport', file)).status).toBe(409);
    for (const username of [
      'иван',
      'иван_petrov',
      'jürgen.ñ.日本',
      'αβγ-team',
      'Ümit',
      'a/b?c#d<e>"f"',
      '王小明',
      'محمد',
    ])
      expect([username, (await create({ username })).status]).toEqual([username, 201]);
  });

  it('are found in the form in which they are typed', async () => {
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
    const done = await agent.submit(page, { username: ' \uff22\uff2f\uff22 ', password: 'pw-bob' });
    expect(answerOf(done)).toHaveProperty('code');
    const { body } = await admin.send('GET', `/shop/users?exact=true&username=${encodeURIComponent('\uff22ob')}`);
    expect(body).toMatchObject([{ username: 'bob' }]);
  });

  it('that were stored before are found and kept', async () => {
    const { headers } = await create({ username: 'legacy', credentials: [{ type: 'password', value: 'pw' }] });
    const id = headers.get('location')?.split('/').at(-1) ?? '';
    const { database } = server;
    await database.transaction((tx) => tx.user.updateMany({ where: { id }, data: { username: 'ﬁnn' } }));
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
    const done = await agent.submit(page, { username: 'ﬁnn', password: 'pw' });
    expect(answerOf(done)).toHaveProperty('code');
    expect((await admin.send('PUT', `/shop/users/${id}`, { firstName: 'F' })).status).toBe(204);
  });
});

describe('an e-mail address', () => {
  it.each(several)('is one address for users: %j', async (email) => {
    const { status, body } = await create({ username: 'mailed', email });
    expect([status, body.errorMessage]).toEqual([400, expect.stringContaining('must be a single email address')]);
    const [bob] = (await admin.send('GET', '/shop/users?username=bob&exact=true')).body;
    expect((await admin.send('PUT', `/shop/users/${bob.id}`, { email })).status).toBe(400);
    const imported = await admin.send('POST', '/', { realm: 'mailed', users: [{ username: 'a', email }] });
    expect(imported.status).toBe(400);
  });

  it.each(several)('is one address for the sender of mails: %j', async (address) => {
    for (const field of ['from', 'replyTo', 'envelopeFrom']) {
      const smtpServer = { host: 'mail.example', from: 'a@b.example', [field]: address };
      expect((await admin.send('PUT', '/shop', { smtpServer })).status).toBe(400);
      expect((await admin.send('POST', '/', { realm: 'sender', smtpServer })).status).toBe(400);
    }
    const named = { host: 'mail.example', from: 'a@b.example', fromDisplayName: 'x\r\nBcc: c@d.example' };
    expect((await admin.send('PUT', '/shop', { smtpServer: named })).status).toBe(400);
  });

  it('of whoever registers is one address, and the name is one that others can tell apart', async () => {
    const agent = agentOf(server);
    const url = authorizationUrl('shop', { client_id: 'app', redirect_uri: callback });
    let page = await agent.get(url.replace('/auth?', '/registrations?'));
    const typed = { username: 'newcomer', email: 'new@b.example', firstName: 'x', lastName: 'y' };
    const password = { password: 'long enough', 'password-confirm': 'long enough' };
    for (const email of several) {
      page = await agent.submit(page, { ...typed, email, ...password });
      expect(noticeOf(page)).toContain('email');
    }
    for (const username of ['b\u200bob', 'b\u043eb', 'bo\u202eb']) {
      page = await agent.submit(page, { ...typed, username, ...password });
      expect(noticeOf(page)).toContain('characters');
    }
    page = await agent.submit(page, { ...typed, username: '\uff22ob', ...password });
    expect(noticeOf(page)).toContain('taken');
    expect(answerOf(await agent.submit(page, { ...typed, ...password }))).toHaveProperty('code');
  });

  it('is trimmed, and may be any one', async () => {
    for (const [index, email] of [" o'neil+x@b.example ", 'jürgen@bücher.example', 'a.b_c@sub.b.example'].entries()) {
      const { headers, status } = await create({ username: `fine-${index}`, email });
      expect(status).toBe(201);
      expect((await stored(headers.get('location'))).email).toBe(email.trim());
    }
  });

  it('is not the user name of somebody else, by whatever way it comes', async () => {
    expect((await create({ username: 'dora@corp.example' })).status).toBe(201);
    const shadow = { username: 'shadow', email: 'Dora@corp.example', enabled: true };
    expect((await create(shadow)).status).toBe(409);
    for (const ifResourceExists of ['FAIL', 'SKIP', 'OVERWRITE']) {
      const file = { ifResourceExists, users: [shadow] };
      const { status } = await admin.send('POST', '/shop/partialImport', file);
      expect([ifResourceExists, status]).toEqual([ifResourceExists, 409]);
    }
    const own = { username: 'dora@corp.example', email: 'dora@corp.example', enabled: true };
    const again = { ifResourceExists: 'OVERWRITE', users: [own] };
    expect((await admin.send('POST', '/shop/partialImport', again)).body).toMatchObject({ overwritten: 1 });
  });
});
