import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { importShop, shop } from '../login/realm.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  callback,
  discover,
  newProofKeys,
  type ProofKeys,
  realm,
  request,
  secret,
  signedProof,
  signIn,
} from './relying-party.js';

/** How far the clock of the server is ahead, in milliseconds. */
let ahead = 0;
let server: TestServer;
let keys: ProofKeys;

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + ahead);
  keys = await newProofKeys();
  const client = (clientId: string, attributes: object) => ({
    clientId,
    secret,
    attributes,
    redirectUris: [callback],
    serviceAccountsEnabled: true,
    directAccessGrantsEnabled: true,
  });
  const [ann, ...others] = shop.users;
  await importShop(await administrator(server), {
    users: [{ ...ann, clientRoles: { 'realm-management': ['realm-admin'], account: ['view-profile'] } }, ...others],
    clients: [
      client('bound', { 'dpop.bound.access.tokens': 'true', 'dpop.nonce.required': 'true' }),
      client('free', {}),
    ],
  });
});

const tokenEndpoint = () => `${server.url}/auth/realms/${realm}/protocol/openid-connect/token`;
const seconds = () => Math.floor((Date.now() + ahead) / 1000);

interface Answer {
  status: number;
  error: string | undefined;
  nonce: string | undefined;
  token: string;
  exposed: string | null;
}

/** Asks for a token of a service account with a proof that has this nonce. */
async function ask(nonce?: string, { client = 'bound', claims = {} } = {}): Promise<Answer> {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: secret };
  const dpop = await signedProof(keys, { htm: 'POST', htu: tokenEndpoint(), iat: seconds(), nonce, ...claims });
  const headers = { dpop, origin: 'http://app.example' };
  const answer = await fetch(tokenEndpoint(), { method: 'POST', body: new URLSearchParams(form), headers });
  const body = (await answer.json()) as Record<string, string>;
  return {
    status: answer.status,
    error: body.error,
    nonce: answer.headers.get('dpop-nonce') ?? undefined,
    token: body.access_token ?? '',
    exposed: answer.headers.get('access-control-expose-headers'),
  };
}
const newNonce = async () => (await ask()).nonce ?? '';

/** Uses a token with a proof that has this nonce. */
async function use(path: string, token: string, nonce?: string) {
  const url = `${server.url}/auth${path}`;
  const ath = createHash('sha256').update(token).digest('base64url');
  const dpop = await signedProof(keys, { htm: 'GET', htu: url, ath, iat: seconds(), nonce });
  const headers = { authorization: `DPoP ${token}`, dpop, accept: 'application/json' };
  const answer = await fetch(url, { headers });
  const told = { nonce: answer.headers.get('dpop-nonce'), challenge: answer.headers.get('www-authenticate') };
  return { status: answer.status, ...told };
}

describe('a nonce for proofs of a key', () => {
  it('is got and used by openid-client, for tokens, pushed requests, and resources', async () => {
    const config = await discover(server, 'bound');
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    const { asked, checks } = await request(config);
    const address = await openid.buildAuthorizationUrlWithPAR(config, asked, { DPoP });
    const location = (await signIn(server, address)).location ?? '';
    const tokens = await openid.authorizationCodeGrant(config, new URL(location), checks, undefined, { DPoP });
    const info = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '', { DPoP });
    expect(info.email).toBe('ann@example.org');
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP });
    expect(decodeJwt(refreshed.access_token)).toHaveProperty('cnf.jkt');
  });

  it('comes with a refusal and with each answer, for pages of other origins too', async () => {
    const refused = await ask();
    expect(refused).toMatchObject({ status: 400, error: 'use_dpop_nonce', token: '' });
    expect(refused.exposed).toContain('DPoP-Nonce');
    const granted = await ask(refused.nonce);
    expect([granted.status, typeof granted.nonce]).toEqual([200, 'string']);
    expect((await ask(granted.nonce)).status).toBe(200);
  });

  it('is good on every instance', async () => {
    const second = await startServer({ databaseUrl: server.services.config.databaseUrl });
    const nonce = await newNonce();
    const htu = tokenEndpoint().replace(server.url, second.url);
    const form = { grant_type: 'client_credentials', client_id: 'bound', client_secret: secret };
    const dpop = await signedProof(keys, { htm: 'POST', htu, nonce });
    expect((await fetch(htu, { method: 'POST', body: new URLSearchParams(form), headers: { dpop } })).status).toBe(200);
  });

  it('is not needed by other clients, and has to be right if they send one', async () => {
    expect(await ask(undefined, { client: 'free' })).toMatchObject({ status: 200, nonce: undefined });
    expect(await ask('invented', { client: 'free' })).toMatchObject({ status: 400, error: 'use_dpop_nonce' });
    expect((await ask(await newNonce(), { client: 'free' })).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['invented', async () => 'invented'],
    ['empty', async () => ''],
    ['changed', async () => `${(await newNonce()).slice(0, -4)}AAAA`],
    ['another token of the realm', async () => (await ask(await newNonce())).token],
    [
      'of another realm',
      async () => {
        const { services } = server;
        const master = await services.realms.byName(services.database.read, 'master');
        const { nonceHeader } = await import('../../src/services/tokens/dpop-nonce.js');
        return (await nonceHeader({ ...services, now: Date.now }, master as never))['dpop-nonce'] ?? '';
      },
    ],
  ])('that is %s is refused', async (_, make) => {
    const answer = await ask(await make());
    expect(answer).toMatchObject({ status: 400, error: 'use_dpop_nonce', token: '' });
    expect((await ask(answer.nonce)).status).toBe(200);
  });

  it('is refused after five minutes', async () => {
    const nonce = await newNonce();
    ahead += 299_000;
    expect((await ask(nonce)).status).toBe(200);
    ahead += 2_000;
    expect((await ask(nonce)).error).toBe('use_dpop_nonce');
    ahead = 0;
  });

  it('does not stand in for the rest of a proof', async () => {
    const nonce = await newNonce();
    const jti = 'used twice';
    expect((await ask(nonce, { claims: { jti } })).status).toBe(200);
    expect((await ask(nonce, { claims: { jti } })).error).toBe('invalid_dpop_proof');
    expect((await ask(nonce, { claims: { htm: 'GET' } })).error).toBe('invalid_dpop_proof');
  });

  it.each([
    `/realms/${realm}/protocol/openid-connect/userinfo`,
    `/admin/realms/${realm}/users`,
    `/realms/${realm}/account`,
  ])('is needed at resources: %s', async (path) => {
    const config = await discover(server, 'bound');
    const DPoP = openid.getDPoPHandle(config, keys);
    const form = { username: 'ann', password: 'pw-ann', scope: 'openid' };
    const { access_token: token } = await openid.genericGrantRequest(config, 'password', form, { DPoP });
    const refused = await use(path, token);
    expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining('error="use_dpop_nonce"') });
    expect((await use(path, token, 'invented')).status).toBe(401);
    expect((await use(path, token, refused.nonce ?? '')).status).toBe(200);
  });
});
