import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { addressPrefixes } from '../../src/config/setting-values.js';
import { actionOf, agentOf, linkOf } from '../login/agent.js';
import { admin, startServer, type TestServer } from '../support/server.js';

const start = (names: string): Promise<TestServer> => startServer({ addressPrefix: addressPrefixes.parse(names) });
const discovery = '/realms/master/.well-known/openid-configuration';

/** The administration API at a prefix, as an administrator with a token from there. */
async function callerAt({ url }: TestServer, prefix: string) {
  const response = await fetch(`${url}${prefix}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin }),
  });
  const { access_token: token } = await response.json();
  return (method: string, path: string, body?: object) =>
    fetch(`${url}${prefix}/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** The addresses of a login at the account page, and the paths of the cookies. */
async function loginAt(server: TestServer, prefix: string) {
  const browser = agentOf(server, { accept: 'text/html', 'sec-fetch-site': 'none' });
  const account = await browser.get(`${prefix}/realms/master/account/`);
  const start = linkOf(account, 'protocol/openid-connect/auth');
  const login = await browser.get(start);
  const done = await browser.submit(login, admin);
  let shown = await browser.get(done.location ?? '');
  while (shown.location) shown = await browser.get(shown.location);
  const cookies = [login, done].flatMap(({ headers }) => headers.getSetCookie());
  const paths = cookies.map((line) => /Path=([^;]+)/.exec(line)?.[1]);
  const addresses = [start, actionOf(login), done.location, shown.url].map(
    (to) => new URL(to ?? '', server.url).pathname,
  );
  return { status: shown.status, paths: [...new Set(paths)], addresses, link: linkOf(shown, 'account/') };
}

describe('addresses without a prefix', () => {
  it('are those of realms, of the administration, and of all that the service says', async () => {
    const server = await start('none');
    const { url } = server;
    const found = await (await fetch(url + discovery)).json();
    expect(found.issuer).toBe(`${url}/realms/master`);
    expect(JSON.stringify(found)).not.toContain('/auth/realms');
    const send = await callerAt(server, '');
    const made = await send('POST', '/realms/master/groups', { name: 'new' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toMatch(`${url}/admin/realms/master/groups/`);
    expect((await send('GET', '/serverinfo')).status).toBe(200);
    expect((await send('GET', '/realms/none')).status).toBe(404);
    for (const path of [discovery, '/admin/realms', '/master/roles', ''])
      expect((await fetch(`${url}/auth${path}`)).status, path).toBe(404);
  });

  it('are those of logins, of which the cookies are for the realm', async () => {
    const server = await start('none');
    const seen = await loginAt(server, '');
    expect(seen).toMatchObject({ status: 200, paths: ['/realms/master/'] });
    expect(seen.addresses[0]).toBe('/realms/master/protocol/openid-connect/auth');
    for (const address of [...seen.addresses, seen.link]) expect(address).toMatch(/^\/realms\/master\//);
  });

  it('are the addresses that the scripts of the console and of the explorer use', async () => {
    const { url } = await start('none,auth');
    const headers = { accept: 'text/html' };
    for (const path of ['/console/', '/graphql', '/reference'])
      expect(await (await fetch(url + path, { headers })).text()).toContain('data-address-prefix=""');
    const console = await fetch(`${url}/admin/master/console/?code=x`, { redirect: 'manual' });
    expect(console.headers.get('location')).toBe('/console/master/?code=x');
  });
});

describe('addresses with and without a prefix', () => {
  it.each([
    ['auth,none', '/auth'],
    ['none,auth', ''],
  ])('answer alike, and the first one is that of issuers: %s', async (names, first) => {
    const server = await start(names);
    const { url } = server;
    for (const prefix of ['/auth', '']) {
      expect((await (await fetch(url + prefix + discovery)).json()).issuer).toBe(`${url}${first}/realms/master`);
      const send = await callerAt(server, prefix);
      expect((await send('GET', '/realms/master/roles')).status).toBe(200);
      const { status, paths } = await loginAt(server, prefix);
      expect(status).toBe(200);
      expect([...paths].sort()).toEqual(['/auth/realms/master/', '/realms/master/']);
    }
  });
});

it('proofs of a key and assertions of clients may name either address', async () => {
  const { url } = await start('auth,none');
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const proofFor = (htm: string, htu: string, ath?: string) =>
    new SignJWT({ htm, htu, jti: randomUUID(), ...(ath && { ath }) })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey);
  const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');
  for (const prefix of ['/auth', '']) {
    const address = `${url}${prefix}/realms/master/protocol/openid-connect/token`;
    const answer = await fetch(address, {
      method: 'POST',
      headers: { dpop: await proofFor('POST', address) },
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin }),
    });
    const { token_type: type, access_token: token } = await answer.json();
    expect(type).toBe('DPoP');
    const realms = `${url}${prefix}/admin/realms`;
    const dpop = await proofFor('GET', realms, hashed(token));
    expect((await fetch(realms, { headers: { authorization: `DPoP ${token}`, dpop } })).status).toBe(200);
    const other = await proofFor('GET', `${realms}/master`, hashed(token));
    expect((await fetch(realms, { headers: { authorization: `DPoP ${token}`, dpop: other } })).status).toBe(401);

    const send = await callerAt({ url } as TestServer, prefix);
    const clientId = `robot${prefix.replace('/', '-')}`;
    const secret = 'secret-of-the-robot-0123456789-0123456789';
    const robot = { clientId, secret, serviceAccountsEnabled: true, clientAuthenticatorType: 'client-secret-jwt' };
    expect((await send('POST', '/realms/master/clients', robot)).status).toBe(201);
    const assertion = await new SignJWT({ sub: clientId, iss: clientId, jti: randomUUID() })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(address)
      .setIssuedAt()
      .setExpirationTime('30s')
      .sign(new TextEncoder().encode(secret));
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    expect((await fetch(address, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200);
  }
});

describe('the standard', () => {
  it('is the prefix alone', async () => {
    const { url } = await startServer();
    expect((await (await fetch(`${url}/auth${discovery}`)).json()).issuer).toBe(`${url}/auth/realms/master`);
    for (const path of [discovery, '/admin/realms', '/resources/x']) expect((await fetch(url + path)).status).toBe(404);
    expect(await (await fetch(`${url}/console/`)).text()).not.toContain('data-address-prefix');
  });
});

it.each(['', 'auth,auth', '/auth', 'none,', 'both'])('a prefix is refused: %j', (names) => {
  expect(addressPrefixes.safeParse(names).success).toBe(false);
});
