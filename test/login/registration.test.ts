import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, linkOf, noticeOf, token } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, { registrationAllowed: true, passwordPolicy: 'length(6)' });
});

const app = { client_id: 'app', redirect_uri: callback };
const person = {
  username: 'Newt',
  email: 'newt@example.org',
  firstName: 'Newt',
  lastName: 'Comer',
  password: 'long enough',
  'password-confirm': 'long enough',
};
const form = async (agent = agentOf(server), realm = 'shop') => {
  const login = await agent.get(authorizationUrl(realm, app));
  return { agent, page: await agent.get(linkOf(login, 'registration')) };
};
const events = async (type: string): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', `/admin/realms/shop/events?type=${type}`)).body;

describe('a new user', () => {
  it('signs up, is logged in, and can log in from then on', async () => {
    const { agent, page } = await form();
    const done = await agent.submit(page, person);
    expect(answerOf(done)).toHaveProperty('code');
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=newt&exact=true')).body;
    expect(user).toMatchObject({ username: 'newt', email: 'newt@example.org', lastName: 'Comer', enabled: true });
    const details = { username: 'Newt', email: 'newt@example.org', register_method: 'form' };
    expect(await events('REGISTER')).toMatchObject([{ userId: user.id, clientId: 'app', details }]);
    expect(await events('LOGIN')).toMatchObject([{ userId: user.id }]);
    const other = agentOf(server);
    const login = await other.get(authorizationUrl('shop', app));
    expect(answerOf(await other.submit(login, { username: 'newt', password: 'long enough' }))).toHaveProperty('code');
    const start = authorizationUrl('shop', app).replace('/auth?', '/registrations?');
    expect((await agentOf(server).get(start)).text).toContain('Create an account');
  });

  it('does not come into the session of somebody else, whose login stays as old as it is', async () => {
    const agent = agentOf(server);
    const first = await agent.submit(await agent.get(authorizationUrl('shop', app)), {
      username: 'bob',
      password: 'pw-bob',
    });
    const { session_state } = answerOf(first);
    const again = authorizationUrl('shop', { ...app, prompt: 'login' });
    const page = await agent.get(again.replace('/auth?', '/registrations?'));
    const done = await agent.submit(page, { ...person, username: 'guest', email: 'guest@example.org' });
    expect(answerOf(done)).toHaveProperty('code');
    expect(answerOf(done).session_state).not.toBe(session_state);
    const { body } = await token(server, 'shop', {
      grant_type: 'authorization_code',
      ...app,
      code: answerOf(done).code ?? '',
    });
    const [, payload = ''] = (body.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).preferred_username).toBe('guest');
  });

  it('is told what is wrong, and what was typed stays', async () => {
    const { agent, page } = await form();
    let current = page;
    const tries: [Record<string, string>, string][] = [
      [{ username: '' }, 'Please enter your username.'],
      [{ email: 'x' }, 'Please enter a valid email address.'],
      [{ lastName: '' }, 'Please enter your last name.'],
      [{ password: '' }, 'Please enter a password.'],
      [{ 'password-confirm': 'other' }, 'The passwords do not match.'],
      [{ password: 'short', 'password-confirm': 'short' }, 'Invalid password: minimum length 6.'],
      [{ username: 'ann' }, 'The username or email address is taken.'],
      [{ username: 'annie', email: 'ANN@example.org' }, 'The username or email address is taken.'],
    ];
    for (const [change, text] of tries) {
      current = await agent.submit(current, { ...person, username: 'fresh', email: 'fresh@example.org', ...change });
      expect(noticeOf(current)).toBe(text);
      expect(current.text).toContain('value="Newt"');
      expect(current.text).not.toContain('long enough');
    }
    const errors = (await events('REGISTER_ERROR')).map(({ error }) => error);
    expect(new Set(errors)).toEqual(new Set(['invalid_registration', 'username_in_use', 'email_in_use']));
    expect((await admin.send('GET', '/admin/realms/shop/users?username=fresh')).body).toEqual([]);
  });

  it('is one of several who want the name at once', async () => {
    const pages = await Promise.all(Array.from({ length: 4 }, () => form()));
    const same = { ...person, username: 'rush', email: 'rush@example.org' };
    const done = await Promise.all(pages.map(({ agent, page }) => agent.submit(page, same)));
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 302]);
  });

  it('is nobody where the realm does not want that, or wants what there is not', async () => {
    await importShop(admin, { realm: 'closed', id: 'closed' });
    const login = await agentOf(server).get(authorizationUrl('closed', app));
    expect(login.text).not.toContain('/registration');
    const start = authorizationUrl('closed', app).replace('/auth?', '/registrations?');
    expect((await agentOf(server).get(start)).status).toBe(400);
    const step = (authenticator: string, priority: number) => ({ authenticator, requirement: 'REQUIRED', priority });
    const flow = { builtIn: false, topLevel: false };
    await importShop(admin, {
      realm: 'guarded',
      id: 'guarded',
      registrationAllowed: true,
      registrationFlow: 'own',
      authenticationFlows: [
        {
          ...flow,
          alias: 'own',
          providerId: 'basic-flow',
          topLevel: true,
          authenticationExecutions: [{ ...step('registration-page-form', 10), flowAlias: 'own form' }],
        },
        {
          ...flow,
          alias: 'own form',
          providerId: 'form-flow',
          authenticationExecutions: [step('registration-user-creation', 10), step('registration-recaptcha-action', 20)],
        },
      ],
    });
    const { page } = await form(agentOf(server), 'guarded');
    expect([page.status, page.text.includes('registration-recaptcha-action')]).toEqual([400, true]);
  });

  it.each([
    ['registrationAllowed', '/registration', { ...person, username: 'late', email: 'late@example.org' }],
    ['resetPasswordAllowed', '/reset-credentials', { username: 'bob' }],
  ])('is refused a page that was shown before %s was switched off', async (setting, link, typed) => {
    const set = (value: boolean) => admin.send('PUT', '/admin/realms/shop', { [setting]: value });
    expect((await set(true)).status).toBe(204);
    const agent = agentOf(server);
    const page = await agent.get(linkOf(await agent.get(authorizationUrl('shop', app)), link));
    expect((await set(false)).status).toBe(204);
    const refused = await agent.submit(page, typed);
    expect([refused.status, refused.location]).toEqual([400, null]);
    expect((await admin.send('GET', '/admin/realms/shop/users?username=late')).body).toEqual([]);
  });
});
