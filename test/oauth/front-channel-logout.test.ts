import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { callback, discover, realm } from './relying-party.js';

let server: TestServer;
let admin: Caller;
let app: string;
const asked: string[] = [];

const url = 'frontchannel.logout.url';

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const listener = createServer((message, response) => {
    asked.push(message.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<script>if (top !== self) try { top.location = "/stolen" } catch {}</script>');
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  atEndOfFile(() => new Promise<void>((done) => listener.close(() => done())));
  app = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const client = (clientId: string, attributes: object, more: object = {}) => ({
    clientId,
    publicClient: true,
    frontchannelLogout: true,
    redirectUris: [callback, `${app}/*`],
    attributes,
    ...more,
  });
  await importShop(admin, {
    clients: [
      client('framed', { [url]: `${app}/framed?a=1` }),
      client('without session', { [url]: `${app}/plain`, 'frontchannel.logout.session.required': 'false' }),
      client('switched off', { [url]: `${app}/off` }, { frontchannelLogout: false }),
      client('disabled later', { [url]: `${app}/disabled` }),
      client('of nobody', { [url]: `${app}/nobody` }),
      client('without url', {}),
      client('odd host', { [url]: 'https://odd.example;sandbox/x' }),
    ],
  });
});

/** A browser with a session that has these clients in it, and the ID token of the first. */
async function session(...clients: string[]) {
  const agent = agentOf(server);
  let hint = '';
  for (const client_id of clients) {
    const page = await agent.get(authorizationUrl(realm, { client_id, redirect_uri: callback }));
    const answer = page.location ? page : await agent.submit(page, { username: 'ann', password: 'pw-ann' });
    const { code = '' } = answerOf(answer);
    const form = { grant_type: 'authorization_code', code, client_id, redirect_uri: callback };
    hint ||= (await token(server, realm, form)).body.id_token ?? '';
  }
  return { agent, hint, sid: String(decodeJwt(hint).sid) };
}

const logoutOf = (hint: string, more: Record<string, string> = {}) =>
  `/auth/realms/${realm}/protocol/openid-connect/logout?${new URLSearchParams({ id_token_hint: hint, ...more })}`;
const framesOf = (text: string) =>
  [...text.matchAll(/<iframe src="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? '';

describe('a logout with clients of the front channel', () => {
  it('is advertised, and loads their addresses with issuer and session', async () => {
    const metadata = (await discover(server, 'framed')).serverMetadata();
    expect(metadata).toMatchObject({
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    });
    const { agent, hint, sid } = await session('framed', 'without session', 'switched off', 'without url');
    const to = { post_logout_redirect_uri: callback, state: 'bye' };
    const page = await agent.get(logoutOf(hint, to));
    expect(page.status).toBe(200);
    const iss = `${server.url}/auth/realms/${realm}`;
    expect(framesOf(page.text)).toEqual([`${app}/framed?${new URLSearchParams({ a: '1', iss, sid })}`, `${app}/plain`]);
    expect(page.text).toContain(`id="next" href="${callback}?state=bye"`);
    expect(policyOf(page.headers)).toContain(`frame-src ${app};`.replace(';', ''));
    expect(policyOf(page.headers)).not.toContain("frame-src 'self'");
    expect(policyOf(page.headers)).toContain("frame-ancestors 'self'");
    expect(agent.cookies.has('KEYCLOAK_IDENTITY')).toBe(false);
    // the session is over: there is nothing to be loaded again
    expect(framesOf((await agent.get(logoutOf(hint))).text)).toEqual([]);
  });

  it('shows that it is done where nothing follows, after the question as well', async () => {
    const { agent } = await session('framed');
    const question = await agent.get(`/auth/realms/${realm}/protocol/openid-connect/logout`);
    expect(framesOf(question.text)).toEqual([]);
    const checker = /name="checker" value="([^"]*)"/.exec(question.text)?.[1] ?? '';
    const done = await agent.submit(question, { checker });
    expect(framesOf(done.text)).toHaveLength(1);
    expect(done.text).toContain('You may close this window.');
    expect(done.text).not.toContain('<script>');
  });

  it('loads nothing of other clients, other sessions, or other pages', async () => {
    const { agent, hint } = await session('without url');
    const page = await agent.get(logoutOf(hint, { post_logout_redirect_uri: callback }));
    expect([page.status, page.location]).toEqual([302, callback]);
    const [, other] = [await session('framed'), await session('disabled later')];
    const [{ id, ...client }] = (await admin.send('GET', `/admin/realms/${realm}/clients?clientId=disabled later`))
      .body;
    await admin.send('PUT', `/admin/realms/${realm}/clients/${id}`, { ...client, enabled: false });
    expect(framesOf((await other.agent.get(logoutOf(other.hint))).text)).toEqual([]);
    const odd = await session('framed', 'odd host');
    const framed = await odd.agent.get(logoutOf(odd.hint));
    expect(framesOf(framed.text)).toHaveLength(1);
    expect(policyOf(framed.headers)).not.toContain('sandbox');
    const login = await agentOf(server).get(authorizationUrl(realm, { client_id: 'framed', redirect_uri: callback }));
    expect(policyOf(login.headers)).not.toContain(app);
    const forged = await agentOf(server).get(logoutOf('not.a.token'));
    expect(forged.status).toBe(400);
  });

  it.each(['javascript:alert(1)', '/relative', 'data:text/html,x', 'no address', 'https://app.example/ onload=x'])(
    'is refused an address that a page must not load: %s',
    async (address) => {
      const [{ id, ...client }] = (await admin.send('GET', `/admin/realms/${realm}/clients?clientId=of nobody`)).body;
      const attributes = { ...client.attributes, [url]: address };
      const { status, body } = await admin.send('PUT', `/admin/realms/${realm}/clients/${id}`, {
        ...client,
        attributes,
      });
      expect([status, body.error_description]).toEqual([400, expect.stringContaining('Front-channel logout URL')]);
    },
  );

  it.skipIf(!hasBrowser)('goes on in a browser once the frames are loaded, which cannot leave it', async () => {
    const browser = await startBrowser();
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(
        server.url +
          authorizationUrl(realm, { client_id: 'framed', redirect_uri: `${app}/start`, response_mode: 'query' }),
      );
      await page.getByLabel('Username or email').fill('ann');
      await page.getByLabel('Password').fill('pw-ann');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/start\?/);
      const code = new URL(page.url()).searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, client_id: 'framed', redirect_uri: `${app}/start` };
      const { body } = await token(server, realm, form);
      asked.length = 0;
      await page.goto(server.url + logoutOf(body.id_token ?? '', { post_logout_redirect_uri: `${app}/end` }));
      await page.waitForURL(/\/end$/);
      expect(asked.filter((path) => path.startsWith('/framed?a=1&iss='))).toHaveLength(1);
      expect(asked).not.toContain('/stolen');
    } finally {
      await browser.close();
    }
  });
});
