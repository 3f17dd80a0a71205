import { beforeAll, describe, expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, token } from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
const wild = 'http://wild.example/app/';

beforeAll(async () => {
  server = await startServer();
  const open = (clientId: string, ...redirectUris: string[]) => ({ clientId, publicClient: true, redirectUris });
  const clients = [
    open('wild', `${wild}*`, 'https://secure.example/*'),
    open('host', 'http://host.example*', 'http://port.example:*', 'com.example.app:/back/*'),
    open('any', '*'),
    open('exact', `${callback}?tenant=1`),
  ];
  await importShop(await administrator(server), { clients });
});

const ask = (client_id: string, redirect_uri: string, more: Record<string, string> = {}) =>
  agentOf(server).get(authorizationUrl('shop', { client_id, redirect_uri, ...more }));
const refusal = async (client: string, uri: string) => {
  const page = await ask(client, uri, { prompt: 'none' });
  return {
    status: page.status,
    location: page.location,
    isTold: page.text.includes('Invalid parameter: redirect_uri'),
  };
};
const refused = { status: 400, location: null, isTold: true };

describe('an address below a star', () => {
  const dots = ['..', '.', '..;', '..;x=1', '.;', '%2e%2e', '%252e%252e', '.%2e', '%2E.', '..%3b', '%25252e.', '..%20'];
  const slashes = ['/', '%2f', '%252F', '%5c', '%255C', '%25252f'];
  const ways = dots.flatMap((up) => slashes.map((slash) => `${wild}x${slash}${up}${slash}evil`));
  it.each([...ways, ...dots.map((up) => wild + up), ...dots.map((up) => `${wild}${up}/evil`)])(
    'does not lead out of it: %s',
    async (uri) => {
      expect(await refusal('wild', uri)).toEqual(refused);
    },
  );

  it.each([
    `${wild}\\evil`,
    `${wild}%5cevil`,
    `${wild}%00`,
    `${wild}%250d%250aSet-Cookie:x`,
    `${wild}%`,
    'http://wild.example\\@evil.example/app/',
    'http://wild.example@evil.example/app/x',
    'http://wild.example%40evil.example/app/x',
    'http://evil.example#@wild.example/app/x',
    'http:///wild.example/app/x',
    'http:wild.example/app/x',
    'http:/wild.example/app/x',
    'https://wild.example/app/x',
    'HTTP://evil.example/app/x',
    'http://secure.example/x',
    ` ${wild}x`,
    `${wild}x\ty`,
  ])('is not %s', async (uri) => {
    expect(await refusal('wild', uri)).toEqual(refused);
  });

  it.each([
    ['host', 'http://host.example.evil.example/'],
    ['host', 'http://host.examples/'],
    ['host', 'http://host.example@evil.example/'],
    ['host', 'http://host.example%2eevil.example/'],
    ['host', 'http://port.example:80@evil.example/'],
    ['host', 'http://port.example:x@evil.example/'],
    ['host', 'com.example.app:/back/../steal'],
    ['any', 'javascript:alert(1)'],
    ['any', 'data:text/html,x'],
    ['any', 'com.evil.app:/back'],
    ['any', 'http:evil.example'],
  ])('is none of another host or program: %s %s', async (client, uri) => {
    expect(await refusal(client, uri)).toEqual(refused);
  });

  it.each([
    ['wild', `${wild}a..b/...c/x;y=1`],
    ['wild', `${wild}a%2Fb/%C3%A9%20x?next=../y`],
    ['host', 'http://host.example'],
    ['host', 'http://host.example:81/x'],
    ['host', 'http://port.example:81/x'],
    ['host', 'com.example.app:/back/x'],
    ['any', 'https://elsewhere.example/x'],
  ])('is one: %s %s', async (client, uri) => {
    const { location } = await ask(client, uri, { prompt: 'none' });
    expect(location?.startsWith(uri)).toBe(true);
    expect(answerOf({ location } as never).error).toBe('login_required');
  });
});

describe('what a client is told', () => {
  const planted = [
    'code=evil',
    'state=evil',
    'session_state=evil',
    'error=evil',
    'error_description=evil',
    'response=evil',
    'id_token=evil',
    'access_token=evil',
    'iss=evil',
    'C%6Fde=evil',
    'x=1;code=evil',
  ];

  it.each(planted)('is not in the query of its address before: %s', async (query) => {
    for (const response_mode of ['query', 'fragment']) {
      const { location } = await ask('wild', `${wild}cb?a=1&${query}&b=%2F`, {
        prompt: 'none',
        state: 'mine',
        response_mode,
      });
      expect(location).not.toContain('evil');
      expect(location).toContain(`${wild}cb?a=1&`);
      expect(location).toContain('b=%2F');
      expect(location).toContain('state=mine');
    }
    const posted = await ask('wild', `${wild}cb?${query}`, { prompt: 'none', response_mode: 'form_post' });
    expect(posted.text).not.toContain('evil');
  });

  it('keeps a query that the client has registered', async () => {
    const { location } = await ask('exact', `${callback}?tenant=1`, { prompt: 'none', state: 'mine' });
    expect(location).toContain(`${callback}?tenant=1&error=login_required`);
  });

  it('comes without a fragment that stands for an answer, and the code is for the address as it was sent', async () => {
    const agent = agentOf(server);
    const redirect_uri = `${wild}spa?x=1#/orders/7&code=evil`;
    const page = await agent.get(
      authorizationUrl('shop', { client_id: 'wild', redirect_uri, response_mode: 'fragment', state: 'mine' }),
    );
    const { location } = await agent.submit(page, { username: 'ann', password: 'pw-ann' });
    const [address, fragment] = (location ?? '').split('#');
    expect(address).toBe(`${wild}spa?x=1`);
    const code = new URLSearchParams(fragment).get('code') ?? '';
    expect(code.length).toBeGreaterThan(20);
    const form = { grant_type: 'authorization_code', client_id: 'wild', code, redirect_uri };
    expect((await token(server, 'shop', form)).status).toBe(200);
    const silent = await agent.get(authorizationUrl('shop', { client_id: 'wild', redirect_uri, prompt: 'none' }));
    expect(silent.location).toMatch(/^http:\/\/wild\.example\/app\/spa\?x=1&session_state=[^#]*$/);
  });
});

describe('the fragment of an address', () => {
  it.each(['#/orders/7', '#!/orders?sort=code', '#top', '#'])(
    'stays behind an answer in the query: %s',
    async (route) => {
      const { location } = await ask('wild', `${wild}spa?x=1${route}`, { prompt: 'none', state: 'mine' });
      expect(location).toMatch(/^http:\/\/wild\.example\/app\/spa\?x=1&error=login_required&[^#]*state=mine/);
      expect(location?.slice(location.indexOf('#'))).toBe(route);
    },
  );

  it.each(['#code=evil', '#/orders&code=evil', '#/?access_token=evil', '#/orders;C%6Fde=evil', '#a#state=evil'])(
    'does not stay where it stands for an answer: %s',
    async (route) => {
      for (const response_mode of ['query', 'fragment']) {
        const { location } = await ask('wild', `${wild}spa${route}`, { prompt: 'none', response_mode });
        expect(location).not.toContain('evil');
        expect(location).toContain('login_required');
      }
    },
  );

  it('gives way to an answer in the fragment, and to one that is posted', async () => {
    const sent = { prompt: 'none', state: 'mine' };
    const front = await ask('wild', `${wild}spa#/orders`, { ...sent, response_mode: 'fragment' });
    expect(front.location).toMatch(/^http:\/\/wild\.example\/app\/spa#error=login_required/);
    expect(front.location).not.toContain('orders');
    const posted = await ask('wild', `${wild}spa#/orders`, { ...sent, response_mode: 'form_post' });
    expect(posted.text).not.toContain('orders');
  });
});

describe('a logout by a link', () => {
  const logout = '/auth/realms/shop/protocol/openid-connect/logout';
  const isIn = async (agent: ReturnType<typeof agentOf>) => {
    const url = authorizationUrl('shop', { client_id: 'wild', redirect_uri: `${wild}x`, prompt: 'none' });
    return answerOf(await agent.get(url)).error === undefined;
  };
  async function signedIn(username = 'ann') {
    const agent = agentOf(server);
    const asked = { client_id: 'wild', redirect_uri: `${wild}x` };
    const done = await agent.submit(await agent.get(authorizationUrl('shop', asked)), {
      username,
      password: `pw-${username}`,
    });
    const { code = '' } = answerOf(done);
    const { body } = await token(server, 'shop', { grant_type: 'authorization_code', ...asked, code });
    return { agent, idToken: body.id_token ?? '' };
  }

  it('asks first unless it brings an ID token of the session', async () => {
    const { agent } = await signedIn();
    const other = await signedIn('bob');
    const address = encodeURIComponent(`${wild}out#/x`);
    const links = [
      '',
      `?redirect_uri=${address}`,
      `?post_logout_redirect_uri=${address}&client_id=wild`,
      `?post_logout_redirect_uri=${address}&id_token_hint=${other.idToken}`,
    ];
    for (const link of links) {
      const page = await agent.get(logout + link);
      expect([page.status, page.location]).toEqual([200, null]);
      expect(page.text).toContain('Log out?');
      expect(await isIn(agent)).toBe(true);
    }
    expect(await isIn(other.agent)).toBe(true);
  });

  it('goes on to the address of the client after the question, which no other page can answer', async () => {
    const { agent } = await signedIn();
    const query = new URLSearchParams({
      client_id: 'wild',
      post_logout_redirect_uri: `${wild}out?code=evil#/x`,
      state: 's "<',
    });
    const asked = async () => {
      const page = await agent.get(`${logout}?${query}`);
      const found = page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
      const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
      return { page, fields: Object.fromEntries([...found].map(([, name = '', value = '']) => [name, plain(value)])) };
    };
    const first = await asked();
    const guessed = await agent.submit(first.page, { ...first.fields, checker: 'guessed' });
    expect(guessed.text).toContain('Log out?');
    const evil = { post_logout_redirect_uri: 'http://evil.example/' };
    const elsewhere = await agent.submit(first.page, { ...first.fields, ...evil });
    expect([elsewhere.status, elsewhere.location]).toEqual([400, null]);
    expect(await isIn(agent)).toBe(true);
    const { page, fields } = await asked();
    const out = await agent.submit(page, fields);
    expect(out.location).toBe(`${wild}out?state=s+%22%3C`);
    expect(await isIn(agent)).toBe(false);
  });

  it('needs no question with an ID token of the session', async () => {
    const { agent, idToken } = await signedIn();
    const address = encodeURIComponent(`${wild}out`);
    const out = await agent.get(`${logout}?post_logout_redirect_uri=${address}&id_token_hint=${idToken}&state=1`);
    expect(out.location).toBe(`${wild}out?state=1`);
    expect(await isIn(agent)).toBe(false);
  });
});
