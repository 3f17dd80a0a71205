import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, noticeOf, pkce, token } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin);
});

const app = { client_id: 'app', redirect_uri: callback };
const login = async (username: string, more: Record<string, string> = {}, agent = agentOf(server)) => {
  const page = await agent.get(authorizationUrl('shop', { ...app, state: 's1', ...more }));
  return { agent, page, done: await agent.submit(page, { username, password: `pw-${username}` }) };
};
const exchange = (code: string | undefined, more: Record<string, string> = {}) =>
  token(server, 'shop', { grant_type: 'authorization_code', ...app, code: code ?? '', ...more });
const events = async (type: string): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', `/admin/realms/shop/events?type=${type}&max=100`)).body;

describe('the authorization code flow', () => {
  it('leads through the page to tokens, and keeps the events', async () => {
    const { verifier, challenge } = pkce();
    const asked = { code_challenge: challenge, code_challenge_method: 'S256', nonce: 'n1', scope: 'openid email' };
    const { done } = await login('ann', asked);
    expect(done.status).toBe(302);
    expect(done.location).toMatch(/^http:\/\/app\.example\/callback\?state=s1&/);
    const { code, session_state: session } = answerOf(done);
    const { status, body } = await exchange(code, { code_verifier: verifier });
    expect(status).toBe(200);
    expect(body.session_state).toBe(session);
    const id = decodeJwt(body.id_token as string);
    expect(id).toMatchObject({ nonce: 'n1', aud: 'app', acr: '1', auth_time: expect.any(Number), sid: session });
    const again = await token(server, 'shop', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: body.refresh_token as string,
    });
    expect(decodeJwt(again.body.id_token as string)).toMatchObject({ nonce: 'n1', auth_time: id.auth_time });
    const [event] = await events('LOGIN');
    expect(event).toMatchObject({
      clientId: 'app',
      sessionId: session,
      details: {
        auth_method: 'openid-connect',
        auth_type: 'code',
        redirect_uri: callback,
        consent: 'no_consent_required',
        code_id: session,
        username: 'ann',
      },
    });
    expect((await events('CODE_TO_TOKEN'))[0]).toMatchObject({ clientId: 'app', details: { code_id: session } });
  });

  it('answers in the mode that the client asks for', async () => {
    const fragment = await login('ann', { response_mode: 'fragment' });
    expect(fragment.done.location).toMatch(/^http:\/\/app\.example\/callback#state=s1&session_state=[^&]+&code=/);
    const { done } = await login('ann', { response_mode: 'form_post', state: '"><b>x' });
    expect(done.status).toBe(200);
    expect(done.text).toContain(`action="${callback}"`);
    expect(done.text).toContain('name="state" value="&quot;&gt;&lt;b&gt;x"');
    expect(done.text).toMatch(/name="code" value="[\w-]{43}"/);
  });

  it('lets a second client into the session without asking, and on demand asks again', async () => {
    const { agent, done } = await login('ann');
    const first = answerOf(done);
    const second = await agent.get(authorizationUrl('shop', { ...app, client_id: 'second', prompt: 'none' }));
    expect(answerOf(second)).toMatchObject({ session_state: first.session_state, code: expect.any(String) });
    const { body } = await exchange(answerOf(second).code, { client_id: 'second' });
    expect(decodeJwt(body.id_token as string).acr).toBe('0');
    for (const more of [{ prompt: 'login' }, { max_age: '0' }] as Record<string, string>[]) {
      const page = await agent.get(authorizationUrl('shop', { ...app, ...more }));
      expect(noticeOf(page)).toBe('Please sign in again to continue.');
      expect(page.text).toContain('value="ann"');
      expect((await agent.submit(page, { username: 'bob', password: 'pw-bob' })).status).toBe(400);
      const again = await agent.get(authorizationUrl('shop', { ...app, ...more }));
      const right = await agent.submit(again, { username: 'ann', password: 'pw-ann' });
      expect(answerOf(right).session_state).toBe(first.session_state);
    }
  });

  it('tells the client when there is nobody to ask', async () => {
    const page = await agentOf(server).get(authorizationUrl('shop', { ...app, prompt: 'none', state: 'x' }));
    expect(answerOf(page)).toEqual({ error: 'login_required', state: 'x', iss: `${server.url}/auth/realms/shop` });
  });

  it('knows no session that was ended', async () => {
    const { agent, done } = await login('bob');
    const sid = answerOf(done).session_state;
    expect((await admin.send('DELETE', `/admin/realms/shop/sessions/${sid}`)).status).toBe(204);
    const page = await agent.get(authorizationUrl('shop', { ...app, prompt: 'none' }));
    expect(answerOf(page).error).toBe('login_required');
    expect((await exchange(answerOf(done).code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('issues offline tokens', async () => {
    const { done } = await login('ann', { scope: 'openid offline_access' });
    const { body } = await exchange(answerOf(done).code);
    expect(body).toHaveProperty('refresh_token');
    expect(decodeJwt(body.refresh_token as string).typ).toBe('Offline');
    const again = await token(server, 'shop', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: body.refresh_token as string,
    });
    expect(again.status).toBe(200);
  });
});

describe('bad requests', () => {
  const tries: [string, Record<string, string>, number, string][] = [
    ['no client', { client_id: '' }, 400, 'Missing parameter: client_id'],
    ['an unknown client', { client_id: 'nope' }, 400, 'The client was not found.'],
    ['a disabled client', { client_id: 'off' }, 400, 'The client is disabled.'],
    ['a bearer-only client', { client_id: 'bearer' }, 403, 'Bearer-only'],
    ...[
      'http://evil.example/callback',
      `${callback}/more`,
      `${callback}?x=1`,
      'http://app.example/Callback',
      'https://app.example/callback',
      'http://app.example:81/callback',
      'http://app.example@evil.example/callback',
      'http://other.example/app/../evil',
      'http://other.example/app/%2e%2e/evil',
      'http://other.example/app/..%5cevil',
      'http://other.example.evil.example/app/x',
      'http://other.example/application',
      'javascript:alert(1)',
      '//evil.example/',
      '/callback',
      'http://localhost:80@evil.example/cb',
      '',
    ].map((uri): [string, Record<string, string>, number, string] => [
      `the address ${uri}`,
      { redirect_uri: uri },
      400,
      'Invalid parameter: redirect_uri',
    ]),
  ];
  it.each(tries)('are told on a page: %s', async (_, change, status, text) => {
    const page = await agentOf(server).get(authorizationUrl('shop', { ...app, ...change }));
    expect([page.status, page.location]).toEqual([status, null]);
    expect(page.text).toContain(text);
  });

  it.each([
    'http://other.example/app/x?y=1',
    'http://other.example/app',
    `${callback}#x`,
    'http://localhost:4711/cb',
    'http://localhost/cb',
  ])('are not those to %s', async (redirect_uri) => {
    expect((await agentOf(server).get(authorizationUrl('shop', { ...app, redirect_uri }))).status).toBe(200);
  });

  it.each([
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['another response type', { response_type: 'smoke' }, 'unsupported_response_type'],
    ['the same type twice', { response_type: 'code code' }, 'unsupported_response_type'],
    ['an unknown mode', { response_mode: 'smoke' }, 'invalid_request'],
    ['an unknown scope', { scope: 'openid nope' }, 'invalid_scope'],
    ['a client without the flow', { client_id: 'direct' }, 'unauthorized_client'],
    ['a request object that is none', { request: 'x' }, 'invalid_request_object'],
    ['the address of a request object', { request_uri: 'http://127.0.0.1/x' }, 'invalid_request_uri'],
    ['no PKCE where it is demanded', { client_id: 'strict' }, 'invalid_request'],
    [
      'plain PKCE where S256 is demanded',
      { client_id: 'strict', code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a bad challenge', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ['a method alone', { code_challenge_method: 'S256' }, 'invalid_request'],
  ])('are told to the client: %s', async (_, change: Record<string, string>, error) => {
    const page = await agentOf(server).get(authorizationUrl('shop', { ...app, state: 'x', ...change }));
    expect(answerOf(page)).toMatchObject({ error, state: 'x' });
  });

  it('know relative addresses, unknown realms, and keep events', async () => {
    const relative = { client_id: 'relative', redirect_uri: 'http://root.example/in/x' };
    expect((await agentOf(server).get(authorizationUrl('shop', relative))).status).toBe(200);
    expect((await agentOf(server).get(authorizationUrl('nowhere', app))).status).toBe(404);
    const errors = (await events('LOGIN_ERROR')).map(({ error }) => error);
    expect(errors).toEqual(expect.arrayContaining(['client_not_found', 'invalid_redirect_uri', 'not_logged_in']));
  });
});

describe('codes', () => {
  it('count once; a second use ends what came of the first', async () => {
    const { done } = await login('ann');
    const { code } = answerOf(done);
    const { body } = await exchange(code);
    expect((await exchange(code)).body).toEqual({ error: 'invalid_grant', error_description: 'Code not valid' });
    const refreshed = await token(server, 'shop', {
      grant_type: 'refresh_token',
      client_id: 'app',
      refresh_token: body.refresh_token as string,
    });
    expect(refreshed.body.error).toBe('invalid_grant');
  });

  it('are bound to client, address and verifier', async () => {
    const { verifier, challenge } = pkce();
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' };
    const attempt = async (more: Record<string, string>, start: Record<string, string> = asked) =>
      (await exchange(answerOf((await login('ann', start)).done).code, more)).body;
    expect(await attempt({})).toMatchObject({ error_description: 'PKCE code verifier not specified' });
    expect(await attempt({ code_verifier: 'x' })).toMatchObject({ error_description: 'PKCE invalid code verifier' });
    expect(await attempt({ code_verifier: pkce().verifier })).toMatchObject({
      error: 'invalid_grant',
      error_description: 'PKCE verification failed',
    });
    // the challenge was lost on the way
    expect(await attempt({ code_verifier: verifier }, {})).toMatchObject({ error: 'invalid_grant' });
    expect(await attempt({ client_id: 'second', code_verifier: verifier })).toMatchObject({
      error_description: 'Auth error',
    });
    expect(await attempt({ redirect_uri: 'http://other.example/app/x', code_verifier: verifier })).toMatchObject({
      error_description: 'Incorrect redirect_uri',
    });
    expect(await attempt({ code_verifier: verifier })).toMatchObject({ token_type: 'Bearer' });
  });

  it('count once when they come at the same moment', async () => {
    const { code } = answerOf((await login('ann')).done);
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('the pages', () => {
  it('answer alike to a wrong password and an unknown user', async () => {
    const { page, agent } = await login('ann', { prompt: 'login' });
    for (const [username, password] of [
      ['ann', 'x'],
      ['nobody', 'x'],
      ['ann', ''],
    ] as const) {
      const fresh = await agentOf(server).get(authorizationUrl('shop', app));
      expect(fresh.status).toBe(200);
      const other = agentOf(server);
      const shown = await other.get(authorizationUrl('shop', app));
      const wrong = await other.submit(shown, { username, password });
      expect([wrong.status, noticeOf(wrong)]).toEqual([200, 'Invalid username or password.']);
      expect(wrong.text).not.toContain('pw-');
    }
    expect(page.status).toBe(200);
    expect(agent.cookies.has('KEYCLOAK_IDENTITY')).toBe(true);
  });

  it('take a form only from the browser that was shown it, and once', async () => {
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl('shop', app));
    const right = { username: 'bob', password: 'pw-bob' };
    const stranger = agentOf(server);
    expect((await stranger.submit(page, right)).status).toBe(400);
    await stranger.get(authorizationUrl('shop', app));
    expect((await stranger.submit(page, right)).status).toBe(400);
    const tampered = { ...page, text: page.text.replace(/session_code=[\w-]+/, 'session_code=guessed') };
    const refused = await agent.submit(tampered, right);
    expect(noticeOf(refused)).toBe('The page has expired. Please try again.');
    // that has made the first page old
    expect(noticeOf(await agent.submit(page, right))).toBe('The page has expired. Please try again.');
    const current = await agent.submit(page, right);
    const done = await agent.submit(current, right);
    expect(done.status).toBe(302);
    expect((await agent.submit(current, right)).status).toBe(400);
  });

  it('are safe to show', async () => {
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl('shop', { ...app, login_hint: '"><script>alert(1)</script>' }));
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('Shop &amp; Co');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*script-src 'none'.*frame-ancestors 'self'/,
    );
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const [cookie] = page.headers.getSetCookie();
    expect(cookie).toMatch(/^AUTH_SESSION_ID=[\w-]{43}; Path=\/auth\/realms\/shop\/; HttpOnly; SameSite=Lax$/);
  });

  it('speak the language of the reader, with the texts of the realm', async () => {
    const german = agentOf(server, { 'accept-language': 'fr;q=0.5, de-AT, en;q=0.3' });
    const page = await german.get(authorizationUrl('shop', app));
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Bei Ihrem Konto anmelden');
    expect(noticeOf(await german.submit(page, { username: 'ann', password: 'x' }))).toMatch(/^Ungültiger Benutzername/);
    const realm = await server.database.read.realm.findFirst({ where: { name: 'shop' }, select: { id: true } });
    const text = { locale: 'de', key: 'loginAccountTitle', value: 'Willkommen <hier>' };
    const data = [{ realmId: realm?.id as string, ...text }];
    await server.database.transaction((tx) => tx.localizationText.createMany({ data }));
    expect((await german.get(authorizationUrl('shop', app))).text).toContain('Willkommen &lt;hier&gt;');
    const asked = await agentOf(server).get(authorizationUrl('shop', { ...app, ui_locales: 'de' }));
    expect(asked.text).toContain('<html lang="de">');
  });

  it('remember whom they are asked to', async () => {
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl('shop', app));
    const done = await agent.submit(page, { username: 'ann', password: 'pw-ann', rememberMe: 'on' });
    const identity = done.headers.getSetCookie().find((line) => line.startsWith('KEYCLOAK_IDENTITY='));
    expect(identity).toMatch(/; Max-Age=\d+; HttpOnly/);
  });
});
