import { beforeAll, describe, expect, it } from 'vitest';
import { type Agent, agentOf, answerOf, authorizationUrl, noticeOf, type Page, token } from '../login/agent.js';
import { type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { idOf, phone, shopRealm, userOfShop, withShop } from './world.js';

// What others try with the pages of an account: pages of other sites, other sessions and users, other realms, and somebody who
// finds an open browser.
let server: TestServer;
let admin: Caller;
let origin: string;
/** milliseconds that the clock of the server is ahead */
let ahead = 0;

const account = '/auth/realms/shop/account';

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + ahead);
  origin = new URL(server.url).origin;
  const users = shopRealm.users.map((user: { credentials: object[] }) => ({ ...user, emailVerified: true }));
  admin = await withShop(server, { users, userManagedAccessAllowed: true });
  const other = JSON.parse(JSON.stringify(shopRealm).replaceAll('default-roles-shop', 'default-roles-other'));
  expect((await admin.send('POST', '/admin/realms', { ...other, realm: 'other' })).status).toBe(201);
});

const browserHeaders = { accept: 'text/html' };

/** Goes where a browser is sent, within the server. */
async function followed(agent: Agent, page: Page): Promise<Page> {
  let at = page;
  for (let turn = 0; turn < 6 && at.location && /^\/|^http:\/\/127\.0\.0\.1/.test(at.location); turn += 1)
    at = await agent.get(at.location);
  return at;
}

/** A browser that is logged in at the account pages. */
async function open(username: string, realm = 'shop'): Promise<Agent> {
  const agent = agentOf(server, browserHeaders);
  const start = await agent.get(`/auth/realms/${realm}/account/`);
  const to = /href="([^"]*protocol\/openid-connect\/auth[^"]*)"/.exec(start.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const form = await agent.get(to);
  const done = await agent.submit(form, { username, password: `pw-${username}` });
  expect((await followed(agent, done)).text).toContain(`signed in as ${username}`);
  return agent;
}

const checkerOf = ({ text }: Page): string => /name="checker" value="([^"]+)"/.exec(text)?.[1] ?? '';
const profile = { email: 'bob@example.com', firstName: 'Robert', lastName: 'Baker' };
const firstName = async (username: string) =>
  (await admin.send('GET', `/admin/realms/shop/users/${await idOf(admin, username)}`)).body.firstName;

/** A form as a browser sends it, with the headers of the page that it is on. */
async function post(agent: Agent, path: string, fields: Record<string, string>, headers: Record<string, string>) {
  const cookie = [...agent.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return fetch(`${server.url}${account}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...browserHeaders, cookie, ...headers },
    body: new URLSearchParams(fields),
  });
}

describe('a form of another page', () => {
  it('changes nothing: it does not know the session', async () => {
    const agent = await open('bob');
    const checker = checkerOf(await agent.get(`${account}/`));
    const other = checkerOf(await (await open('alice')).get(`${account}/`));
    const again = checkerOf(await (await open('bob')).get(`${account}/`));
    for (const [given, headers] of [
      [undefined, {}],
      ['', {}],
      [other, {}],
      [again, {}],
      [`${checker}x`, {}],
      [checker, { origin: 'https://evil.example' }],
      [checker, { 'sec-fetch-site': 'cross-site' }],
      [checker, { 'sec-fetch-site': 'same-site' }],
      [checker, { origin: 'null', 'sec-fetch-site': 'none' }],
    ] as const) {
      const fields = { form: 'profile', ...profile, ...(given !== undefined && { checker: given }) };
      const answer = await post(agent, '/', fields, headers);
      expect([given, headers, answer.status]).toEqual([given, headers, 403]);
      expect(await answer.text()).toContain('This form came from another page');
    }
    expect(await firstName('bob')).toBe('Bob');
    const own = { origin, 'sec-fetch-site': 'same-origin' };
    const done = await post(agent, '/', { form: 'profile', checker, ...profile }, own);
    expect([done.status, await firstName('bob')]).toEqual([303, 'Robert']);
  });

  it('has no effect as a query, nor as another form of the page', async () => {
    const agent = await open('bob');
    const checker = checkerOf(await agent.get(`${account}/`));
    const query = new URLSearchParams({ form: 'profile', checker, ...profile, firstName: 'Queried' });
    expect((await agent.get(`${account}/?${query}`)).status).toBe(200);
    for (const form of ['remove', 'constructor', '__proto__', 'toString', ''])
      expect((await agent.post(`${account}/`, { form, checker })).status).toBe(400);
    expect(await firstName('bob')).toBe('Robert');
  });

  it('is refused without a session, and with the session of another realm', async () => {
    const nobody = await agentOf(server, browserHeaders).post(`${account}/`, { form: 'profile', ...profile });
    expect(nobody.text).toContain('You are not signed in.');
    const elsewhere = await open('alice', 'other');
    const page = await elsewhere.get('/auth/realms/other/account/');
    const answer = await elsewhere.post(`${account}/`, { form: 'profile', checker: checkerOf(page), ...profile });
    expect(answer.text).toContain('You are not signed in.');
    expect(await firstName('alice')).toBe('Alice');
  });

  it('cannot frame a page, nor read it from a cache', async () => {
    await admin.send('PUT', '/admin/realms/shop', {
      browserSecurityHeaders: { contentSecurityPolicy: 'frame-ancestors *', xFrameOptions: '' },
    });
    const { headers } = await (await open('bob')).get(`${account}/sessions`);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('another user', () => {
  it('reaches nothing by IDs', async () => {
    const aliceId = await idOf(admin, 'alice');
    await open('alice');
    await admin.send('PUT', `/admin/realms/shop/users/${aliceId}`, { credentials: [phone] });
    const credentials = (await admin.send('GET', `/admin/realms/shop/users/${aliceId}/credentials`)).body;
    const sessions = (await admin.send('GET', `/admin/realms/shop/users/${aliceId}/sessions`)).body;
    const agent = await open('bob');
    const checker = checkerOf(await agent.get(`${account}/`));
    for (const { id } of credentials) {
      for (const form of ['remove', 'label'])
        expect(noticeOf(await agent.post(`${account}/security`, { form, checker, credential: id, label: 'x' }))).toBe(
          'It is not there any more.',
        );
    }
    for (const { id } of sessions) await agent.post(`${account}/sessions`, { form: 'end', checker, session: id });
    expect((await admin.send('GET', `/admin/realms/shop/users/${aliceId}/credentials`)).body).toEqual(credentials);
    expect((await admin.send('GET', `/admin/realms/shop/users/${aliceId}/sessions`)).body.length).toBe(sessions.length);
  });

  it('without a role sees and changes nothing', async () => {
    const agent = await open('erin');
    // the first page that a user may see takes the place of the profile
    const page = await agent.get(`${account}/`);
    expect(page.location).toContain('/account/applications');
    for (const path of ['security', 'sessions', 'linked-accounts', 'resources', 'activity']) {
      const refused = await agent.get(`${account}/${path}`);
      expect([path, refused.status, noticeOf(refused)]).toEqual([
        path,
        403,
        'You may not do this with your account. Contact an administrator.',
      ]);
    }
    const dave = await open('dave');
    const checker = checkerOf(await dave.get(`${account}/`));
    const fields = { form: 'profile', checker, email: 'dave@example.com', firstName: 'D', lastName: 'D' };
    expect((await dave.post(`${account}/`, fields)).status).toBe(403);
    expect((await dave.post(`${account}/sessions`, { form: 'endOthers', checker })).status).toBe(403);
    expect(await firstName('dave')).toBe('Dave');
  });

  it('in whose name an administrator acts is asked for what stays', async () => {
    const id = await idOf(admin, 'bob');
    const answer = await admin.send('POST', `/admin/realms/shop/users/${id}/impersonation`);
    const agent = agentOf(server, browserHeaders);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      agent.cookies.set(name, value);
    }
    const page = await followed(agent, await agent.get(`${account}/linked-accounts`));
    const unlink = { form: 'unlink', checker: checkerOf(page), provider: 'partner' };
    const refused = await agent.post(`${account}/linked-accounts`, unlink);
    expect([refused.status, noticeOf(refused)]).toEqual([
      403,
      'This can only be changed by the users themselves, and you act for one.',
    ]);
    // nor does a token of the session help
    const redirectUri = 'https://app.example/';
    const back = await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: redirectUri }));
    const { code = '' } = answerOf(back);
    const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: redirectUri, code };
    const caller = callerWith(server, (await token(server, 'shop', form)).body.access_token);
    const api = '/realms/shop/account';
    expect((await caller.send('GET', api)).status).toBe(200);
    const moved = { ...profile, username: 'bob', email: 'administrator@example.com' };
    expect((await caller.send('POST', api, moved)).status).toBe(403);
    expect((await caller.send('DELETE', `${api}/linked-accounts/partner`)).status).toBe(403);
    expect((await caller.send('GET', `${api}/linked-accounts/github?redirectUri=${redirectUri}`)).status).toBe(403);
  });
});

describe('an open browser', () => {
  it('proves anew who its user is before something sensitive changes', async () => {
    const agent = await open('bob');
    const checker = checkerOf(await agent.get(`${account}/`));
    ahead = 301_000;
    const forms = [
      ['/', { form: 'profile', ...profile, email: 'thief@example.com' }],
      ['/security', { form: 'remove', credential: 'any' }],
      ['/linked-accounts', { form: 'link', provider: 'partner' }],
      ['/linked-accounts', { form: 'unlink', provider: 'partner' }],
    ] as const;
    for (const [path, fields] of forms) {
      const sent = await agent.post(account + path, { ...fields, checker });
      expect([path, sent.status]).toEqual([path, 303]);
      expect(sent.location).toContain('prompt=login');
      const login = await agent.get(sent.location ?? '');
      expect(login.text).toContain('name="password"');
    }
    // other fields of the profile are not worth a login
    const named = { form: 'profile', checker, ...profile, firstName: 'Bobby' };
    expect((await agent.post(`${account}/`, named)).location).toContain('notice=accountSaved');
    ahead = 0;
  });

  it('is at the account of the session, and not of a token beside it', async () => {
    const agent = await open('bob');
    const page = await agent.get(`${account}/?code=forged&session_state=x&error_description=<b>`);
    expect(page.location).toBe(`${account}/?error_description=%3Cb%3E`);
    expect((await agent.get(`${account}/?notice=<script>`)).text).not.toContain('<script>');
    expect((await agent.get(`${account}/?notice=constructor`)).status).toBe(200);
    expect((await agent.get(`${account}/nothing`)).status).toBe(404);
    expect((await agent.get(`${account}/sessions/x`)).status).toBe(404);
  });

  it('joins the client of the pages where the session began elsewhere', async () => {
    const agent = agentOf(server, browserHeaders);
    const request = { client_id: 'app', redirect_uri: 'https://app.example/' };
    const form = await agent.get(authorizationUrl('shop', request));
    await agent.submit(form, { username: 'bob', password: 'pw-bob' });
    const page = await agent.get(`${account}/`);
    expect(page.location).toContain('client_id=account');
    expect((await followed(agent, page)).text).toContain('signed in as bob');
  });

  it('is found in a realm whose name begins like its address', async () => {
    expect((await admin.send('POST', '/admin/realms', { realm: 'accounting', enabled: true })).status).toBe(201);
    for (const path of ['', '/', '/sessions']) {
      const page = await agentOf(server, browserHeaders).get(`/auth/realms/accounting/account${path}`);
      expect(page.text, path).toContain('client_id=account');
    }
  });

  it('shows nothing when the client of the pages is switched off', async () => {
    const agent = await open('bob');
    const caller = await userOfShop(server, 'bob');
    const [client] = (await admin.send('GET', '/admin/realms/shop/clients?clientId=account')).body;
    await admin.send('PUT', `/admin/realms/shop/clients/${client.id}`, { enabled: false });
    const page = await agent.get(`${account}/`);
    expect([page.status, noticeOf(page)]).toEqual([404, 'The account pages of this realm are switched off.']);
    for (const path of ['', '/sessions', '/credentials', '/linked-accounts', '/applications', '/resources'])
      expect((await caller.send('GET', `/realms/shop/account${path}`)).status).toBe(404);
    expect((await caller.graphql<{ viewer: object }>('{ viewer { account { roleNames } } }')).data.viewer).toEqual({
      account: null,
    });
    await admin.send('PUT', `/admin/realms/shop/clients/${client.id}`, { enabled: true });
  });
});

describe('the deletion of an account', () => {
  const enable = async (realm: string) => {
    const at = `/admin/realms/${realm}/authentication/required-actions/delete_account`;
    const { body } = await admin.send('GET', at);
    expect((await admin.send('PUT', at, { ...body, enabled: true })).status).toBe(204);
  };

  it('takes the role, the action of the realm, and a login', async () => {
    const begin = async (username: string) => {
      const agent = agentOf(server, browserHeaders);
      const request = { client_id: 'app', redirect_uri: 'https://app.example/', kc_action: 'delete_account' };
      const form = await agent.get(authorizationUrl('shop', request));
      return { agent, page: await agent.submit(form, { username, password: `pw-${username}` }) };
    };
    // the realm does not have it
    expect((await begin('dave')).page.location).toContain('https://app.example/');
    await enable('shop');
    const refused = await begin('dave');
    expect([refused.page.status, noticeOf(refused.page)]).toEqual([
      403,
      'You may not delete your account. Contact an administrator.',
    ]);
    expect(await firstName('dave')).toBe('Dave');
  });

  it('leaves the last administrator of the server', async () => {
    await enable('master');
    const at = '/admin/realms/master';
    const [client] = (await admin.send('GET', `${at}/clients?clientId=account`)).body;
    const role = (await admin.send('GET', `${at}/clients/${client.id}/roles/delete-account`)).body;
    const [user] = (await admin.send('GET', `${at}/users?username=admin&exact=true`)).body;
    const mapping = `${at}/users/${user.id}/role-mappings/clients/${client.id}`;
    expect((await admin.send('POST', mapping, [role])).status).toBe(204);
    const agent = agentOf(server, browserHeaders);
    const start = await agent.get('/auth/realms/master/account/');
    const to = /href="([^"]*openid-connect\/auth[^"]*)"/.exec(start.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const form = await agent.get(`${to}&kc_action=delete_account`);
    const page = await agent.submit(form, { username: 'admin', password: 'admin' });
    expect(page.text).toContain('will be deleted');
    const refused = await agent.submit(page, { confirm: 'true' });
    expect(noticeOf(refused)).toBe('This account cannot be deleted: nobody else administers the server.');
    expect((await admin.send('GET', `${at}/users/${user.id}`)).status).toBe(200);
  });
});
