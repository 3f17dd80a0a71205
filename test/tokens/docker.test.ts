import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// What `docker login` and `docker push` send to the address that a registry names, and what the registry checks of the answer.
let server: TestServer;
let admin: Caller;

const password = [{ type: 'password', value: 'pw' }];
const basic = (user: string, secret = 'pw') => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
async function ask(query: string, authorization: string | undefined = basic('ann'), realm = 'shop') {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/docker-v2/auth?${query}`, {
    headers: authorization ? { authorization } : {},
  });
  // biome-ignore lint/suspicious/noExplicitAny: the answers of two kinds
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
const push = 'service=registry&scope=repository:team/app:push,pull&scope=repository:host.example:5000/x:pull';

/** The key that a registry trusts, from the certificate in the files for its installation. */
async function trusted(): Promise<X509Certificate> {
  const { body } = await admin.send('GET', '/shop/keys');
  const { certificate } = (body.keys as { kid: string; certificate: string }[]).find(
    ({ kid }) => kid === body.active.RS256,
  ) as { certificate: string };
  return new X509Certificate(Buffer.from(certificate, 'base64'));
}

/** The key ID of libtrust, by which registries find the key of a token. */
function libtrustId(certificate: X509Certificate): string {
  const der = createPublicKey(certificate.publicKey.export({ format: 'pem', type: 'spki' })).export({
    format: 'der',
    type: 'spki',
  });
  const bytes = createHash('sha256').update(der).digest().subarray(0, 30);
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  const base32 = bits.replace(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five, 2)));
  return base32.replace(/(.{4})(?!$)/g, '$1:');
}

beforeAll(async () => {
  const allowAll = { name: 'all', protocol: 'docker-v2', protocolMapper: 'docker-v2-allow-all-mapper', config: {} };
  ({ server, admin } = await startWithRealm({
    realm: 'shop',
    enabled: true,
    eventsEnabled: true,
    bruteForceProtected: true,
    failureFactor: 5,
    clients: [
      { clientId: 'registry', protocol: 'docker-v2', protocolMappers: [allowAll] },
      { clientId: 'closed', protocol: 'docker-v2' },
      { clientId: 'off', protocol: 'docker-v2', enabled: false },
      { clientId: 'both', protocol: 'docker-v2', publicClient: true, directAccessGrantsEnabled: true },
      { clientId: 'web', publicClient: true, redirectUris: ['http://app.example'] },
    ],
    users: [
      { username: 'ann', enabled: true, credentials: password },
      { username: 'gone', enabled: false, credentials: password },
      { username: 'new', enabled: true, credentials: password, requiredActions: ['UPDATE_PASSWORD'] },
      { username: 'eve', enabled: true, credentials: password },
    ],
  }));
});

describe('a token of a Docker registry', () => {
  it('grants what is asked for, under a key that registries know', async () => {
    const { status, body } = await ask(push);
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), expires_in: 300, issued_at: expect.stringMatching(/Z$/) });
    const certificate = await trusted();
    expect(decodeProtectedHeader(body.token)).toMatchObject({ alg: 'RS256', typ: 'JWT', kid: libtrustId(certificate) });
    const issuer = `${server.url}/auth/realms/shop`;
    const { payload } = await jwtVerify(body.token, certificate.publicKey, { issuer, audience: 'registry' });
    expect(payload).toMatchObject({
      sub: 'ann',
      nbf: payload.iat,
      access: [
        { type: 'repository', name: 'team/app', actions: ['push', 'pull'] },
        { type: 'repository', name: 'host.example:5000/x', actions: ['pull'] },
      ],
    });
    const { body: events } = await admin.send('GET', '/shop/events?type=LOGIN');
    expect(events[0]).toMatchObject({ clientId: 'registry', details: { auth_method: 'docker-v2', username: 'ann' } });
  });

  it('grants nothing by itself, and a login asks for nothing', async () => {
    expect(decodeJwt((await ask(push.replace('registry', 'closed'))).body.token).access).toEqual([]);
    expect(decodeJwt((await ask('service=registry&account=ann')).body.token).access).toEqual([]);
    for (const odd of ['', ':', 'a:', ':b:c', 'a:b', 'x::y']) {
      expect(decodeJwt((await ask(`service=registry&scope=${odd}`)).body.token).access).toEqual([]);
    }
  });

  it('is no token for anything else', async () => {
    const { body } = await ask(push);
    expect((await callerWith(server, body.token).send('GET', '/shop/users')).status).toBe(401);
    const headers = { authorization: `Bearer ${body.token}` };
    const info = await fetch(`${server.url}/auth/realms/shop/protocol/openid-connect/userinfo`, { headers });
    expect(info.status).toBe(401);
    // the flow of registries asks for less than that of other clients
    const form = { grant_type: 'password', client_id: 'both', username: 'ann', password: 'pw' };
    const at = `${server.url}/auth/realms/shop/protocol/openid-connect/token`;
    const answer = await fetch(at, { method: 'POST', body: new URLSearchParams(form) });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, 'unauthorized_client']);
  });

  it.each([
    ['without a password', 'service=registry', '', 401, 'UNAUTHORIZED'],
    ['with a wrong password', push, basic('ann', 'wrong'), 401, 'UNAUTHORIZED'],
    ['for an unknown user', push, basic('nobody'), 401, 'UNAUTHORIZED'],
    ['for a disabled user', push, basic('gone'), 401, 'UNAUTHORIZED'],
    ['for a user who has to act first', push, basic('new'), 401, 'UNAUTHORIZED'],
    ['for another kind of client', 'service=web', basic('ann'), 400, 'UNSUPPORTED'],
    ['for a disabled client', 'service=off', basic('ann'), 400, 'UNSUPPORTED'],
    ['without a client', '', basic('ann'), 400, 'UNSUPPORTED'],
    ['for more than a few things', `service=registry&${'scope=a:b:c&'.repeat(101)}`, basic('ann'), 400, 'UNSUPPORTED'],
  ])('is refused %s', async (_, query, authorization, expected, code) => {
    const { status, body, headers } = await ask(query, authorization);
    expect([status, body.errors[0].code]).toEqual([expected, code]);
    if (status === 401) expect(headers.get('www-authenticate')).toBe('Basic realm="shop"');
  });

  it('is refused after failed logins', async () => {
    for (let count = 0; count < 6; count += 1) await ask(push, basic('eve', 'wrong'));
    expect((await ask(push, basic('eve'))).status).toBe(401);
  });

  it('follows the flow of the realm', async () => {
    await admin.send('POST', '/shop/authentication/flows/docker%20auth/copy', { newName: 'own' });
    const executions = '/shop/authentication/flows/own/executions';
    const [execution] = (await admin.send('GET', executions)).body;
    await admin.send('PUT', executions, { ...execution, requirement: 'DISABLED' });
    expect((await admin.send('PUT', '/shop', { dockerAuthenticationFlow: 'own' })).status).toBe(204);
    expect((await ask(push)).status).toBe(401);
  });
});
