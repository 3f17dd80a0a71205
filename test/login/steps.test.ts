import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, noticeOf, token } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

const app = { client_id: 'app', redirect_uri: callback };
const step = (authenticator: string, requirement: string, priority = 10) => ({ authenticator, requirement, priority });
const into = (flowAlias: string, requirement: string, priority = 10) => ({ flowAlias, requirement, priority });
const flow = (alias: string, topLevel: boolean, ...authenticationExecutions: object[]) => ({
  alias,
  providerId: 'basic-flow',
  topLevel,
  builtIn: false,
  authenticationExecutions,
});

/** A realm whose browser flow has these steps, and other flows that they lead to. */
async function realmWith(realm: string, executions: object[], others: object[] = [], more: object = {}): Promise<void> {
  const authenticationFlows = [flow('own', true, ...executions), ...others];
  await importShop(admin, { realm, id: realm, browserFlow: 'own', authenticationFlows, ...more });
}

async function signIn(realm: string, username = 'ann', password = `pw-${username}`) {
  const agent = agentOf(server);
  const page = await agent.get(authorizationUrl(realm, app));
  if (page.status !== 200) return { agent, page, done: page };
  return { agent, page, done: await agent.submit(page, { username, password }) };
}
const errors = async (realm: string): Promise<{ error: string; details: Record<string, string> }[]> =>
  (await admin.send('GET', `/admin/realms/${realm}/events?type=LOGIN_ERROR`)).body;

describe('the browser flow of a realm', () => {
  const password = step('auth-username-password-form', 'REQUIRED', 10);

  it('is refused for a required step that there is not', async () => {
    await realmWith('key', [password, step('auth-spnego', 'REQUIRED', 20)]);
    const { done } = await signIn('key');
    expect([done.status, done.location]).toEqual([400, null]);
    expect(done.text).toContain('auth-spnego');
    expect((await errors('key'))[0]).toMatchObject({ details: { reason: 'auth-spnego' } });
  });

  it('does without an alternative that there is not', async () => {
    await realmWith(
      'ways',
      [
        step('auth-spnego', 'ALTERNATIVE', 10),
        step('identity-provider-redirector', 'ALTERNATIVE', 20),
        into('by key', 'ALTERNATIVE', 25),
        into('by password', 'ALTERNATIVE', 30),
      ],
      [flow('by key', false, step('webauthn-authenticator', 'REQUIRED')), flow('by password', false, password)],
    );
    expect(answerOf((await signIn('ways')).done)).toHaveProperty('code');
  });

  it('lets nobody in where nothing is left, or access is denied', async () => {
    await realmWith('nothing', [step('auth-spnego', 'ALTERNATIVE')]);
    await realmWith('denied', [password, step('deny-access-authenticator', 'REQUIRED', 20)]);
    await realmWith('empty', []);
    expect((await signIn('nothing')).done.status).toBe(400);
    expect((await signIn('denied')).done.status).toBe(400);
    expect((await signIn('empty')).done.status).toBe(400);
  });

  it('demands a condition that there is not', async () => {
    await realmWith(
      'condition',
      [password, into('by role', 'CONDITIONAL', 20)],
      [flow('by role', false, step('conditional-moon', 'REQUIRED', 10), step('auth-otp-form', 'REQUIRED', 20))],
    );
    expect((await signIn('condition')).done.text).toContain('conditional-moon');
  });

  it('has users set up a device that a step requires', async () => {
    await realmWith('device', [password, step('auth-otp-form', 'REQUIRED', 20)]);
    expect((await signIn('device')).done.text).toMatch(/class="qr".*totp-key/s);
    // an address that no QR code has room for
    expect((await admin.send('PUT', '/device', { displayName: 'ü'.repeat(1000) })).status).toBe(204);
    const { text } = (await signIn('device')).done;
    expect(text).toContain('totp-key');
    expect(text).not.toContain('class="qr"');
  });

  it('does not know the session without the step for it', async () => {
    await realmWith('forgetful', [password]);
    const { agent, done } = await signIn('forgetful');
    expect(answerOf(done)).toHaveProperty('code');
    expect((await agent.get(authorizationUrl('forgetful', app))).status).toBe(200);
    const silent = await agent.get(authorizationUrl('forgetful', { ...app, prompt: 'none' }));
    expect(answerOf(silent).error).toBe('login_required');
  });

  it('asks for name and password on pages of their own', async () => {
    await realmWith('slow', [step('auth-username-form', 'REQUIRED', 10), step('auth-password-form', 'REQUIRED', 20)]);
    const agent = agentOf(server);
    const names = await agent.get(authorizationUrl('slow', app));
    expect(names.text).not.toContain('type="password"');
    // an unknown name is not told
    const unknown = await agent.submit(names, { username: 'nobody' });
    expect(unknown.text).toContain('type="password"');
    expect(noticeOf(await agent.submit(unknown, { password: 'x' }))).toBe('Invalid password.');
    const other = agentOf(server);
    const passwords = await other.submit(await other.get(authorizationUrl('slow', app)), { username: 'ann' });
    expect(answerOf(await other.submit(passwords, { password: 'pw-ann' }))).toHaveProperty('code');
  });
});

describe('a realm that protects itself', () => {
  it('keeps out who guesses, whatever comes then', async () => {
    await importShop(admin, {
      realm: 'guarded',
      id: 'guarded',
      bruteForceProtected: true,
      failureFactor: 3,
      quickLoginCheckMilliSeconds: 0,
    });
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn('guarded', 'ann', 'wrong');
    const { done } = await signIn('guarded', 'ann');
    expect([done.status, noticeOf(done)]).toEqual([200, 'Invalid username or password.']);
    expect((await errors('guarded'))[0]).toMatchObject({ error: 'user_temporarily_disabled' });
    expect(answerOf((await signIn('guarded', 'bob')).done)).toHaveProperty('code');
  });
});

describe('users', () => {
  it('get in only while they are enabled, and when their actions are known', async () => {
    await importShop(admin);
    const change = async (username: string, body: object) => {
      const [user] = (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body;
      expect((await admin.send('PUT', `/admin/realms/shop/users/${user.id}`, body)).status).toBe(204);
    };
    const { agent } = await signIn('shop', 'eve');
    await change('eve', { enabled: false });
    expect(noticeOf((await signIn('shop', 'eve')).done)).toMatch(/is disabled/);
    const silent = await agent.get(authorizationUrl('shop', { ...app, prompt: 'none' }));
    expect(answerOf(silent).error).toBe('login_required');
    await change('todo', { requiredActions: ['UPDATE_PASSWORD'] });
    const page = (await signIn('shop', 'todo')).done;
    expect(page.text).toContain('password-new');
  });

  it('log out by ID token, or when they say so', async () => {
    const logout = '/auth/realms/shop/protocol/openid-connect/logout';
    const isIn = async (agent: ReturnType<typeof agentOf>) =>
      answerOf(await agent.get(authorizationUrl('shop', { ...app, prompt: 'none' }))).error === undefined;
    const first = (await signIn('shop')).agent;
    expect((await first.get(`${logout}?redirect_uri=http://evil.example/`)).status).toBe(400);
    expect(await isIn(first)).toBe(true);
    await first.get(`${logout}?redirect_uri=${callback}`);
    expect(await isIn(first)).toBe(true);
    const question = await first.get(`${logout}?redirect_uri=${callback}`);
    const checker = /name="checker" value="([^"]*)"/.exec(question.text)?.[1] ?? '';
    const away = await first.submit(question, { checker, post_logout_redirect_uri: callback });
    expect(away.location).toBe(callback);
    expect(await isIn(first)).toBe(false);

    const { agent: second, done } = await signIn('shop');
    const { code = '' } = answerOf(done);
    const { body } = await token(server, 'shop', { grant_type: 'authorization_code', ...app, code });
    const asked = await second.get(logout);
    expect(asked.text).toContain('Log out?');
    const stranger = { ...asked, text: asked.text.replace(/name="checker" value="[^"]*"/, '') };
    await second.submit(stranger, { checker: 'guessed' });
    expect(await isIn(second)).toBe(true);
    expect((await second.get(`${logout}?id_token_hint=${body.access_token}`)).status).toBe(400);
    const out = await second.get(`${logout}?id_token_hint=${body.id_token}`);
    expect(out.text).toContain('You are logged out');
    expect(await isIn(second)).toBe(false);
    const kept = await token(server, 'shop', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: body.refresh_token as string,
    });
    expect(kept.status).toBe(400);
    expect((await admin.send('GET', '/admin/realms/shop/events?type=LOGOUT')).body.length).toBe(2);
  });
});

describe('the pages for frames', () => {
  it('answer for the origins of a client only', async () => {
    const base = '/auth/realms/shop/protocol/openid-connect';
    await admin.send('POST', '/admin/realms/shop/clients', {
      clientId: 'frames',
      publicClient: true,
      redirectUris: [callback],
      webOrigins: ['+'],
    });
    const agent = agentOf(server);
    const init = (origin: string, client = 'frames') =>
      agent.get(`${base}/login-status-iframe.html/init?client_id=${client}&origin=${encodeURIComponent(origin)}`);
    expect((await init('http://app.example')).status).toBe(204);
    expect((await init('http://evil.example')).status).toBe(403);
    expect((await init('http://app.example', 'nope')).status).toBe(403);
    // the console of the reference server is below the address of the server itself
    expect((await init(new URL(server.url).origin, 'security-admin-console')).status).toBe(204);
    for (const page of ['login-status-iframe.html', '3p-cookies/step1.html', '3p-cookies/step2.html']) {
      const { status, headers } = await agent.get(`${base}/${page}`);
      expect([status, headers.get('x-frame-options')]).toEqual([200, null]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});
