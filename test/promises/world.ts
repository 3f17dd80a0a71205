import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, type JWTVerifyGetKey } from 'jose';
import { expect } from 'vitest';
import { agentOf, authorizationUrl, type Page, token } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { client, header, newAuthority, type Pair } from '../oauth/certificates.js';
import { callback, secret } from '../oauth/relying-party.js';
import { atEndOfFile, temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

export const realm = 'shop';
export const ann = { username: 'ann', password: 'pw-ann' };
export const secretKey = new TextEncoder().encode(secret);

/** A server with a realm, in which a test sets up a client for each value that it uses. */
export interface World {
  server: TestServer;
  admin: Caller;
  issuer: string;
  /** certificate that a proxy passes on */
  certificate: Pair;
  /** keys of the realm */
  keys: JWTVerifyGetKey;
  /** answers of the user to the requests that the channel of CIBA was sent */
  asked: { authorization: string }[];
}

export async function openWorld(): Promise<World> {
  const asked: { authorization: string }[] = [];
  const channel = createServer((message, response) => {
    asked.push({ authorization: message.headers.authorization ?? '' });
    message.resume();
    response.writeHead(201).end();
  });
  await new Promise<void>((done) => channel.listen(0, '127.0.0.1', done));
  atEndOfFile(async () => {
    channel.close();
  });
  const server = await startServer({
    fetchPrivateAddresses: true,
    trustProxy: 1,
    clientCertificateHeader: header,
    cibaChannelUrl: `http://127.0.0.1:${(channel.address() as AddressInfo).port}/ask`,
  });
  const admin = await administrator(server);
  const attributes = { 'acr.loa.map': JSON.stringify({ silver: '1', gold: '2' }) };
  await importShop(admin, { clients: [{ clientId: 'registry', protocol: 'docker-v2' }], attributes });
  const issuer = `${server.url}/auth/realms/${realm}`;
  const certificate = newAuthority(temporaryFolder())('mine', '/CN=Billing');
  const keys = createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`), { cooldownDuration: 0 });
  return { server, admin, issuer, certificate, keys, asked };
}

let serial = 0;

/** Creates a client with these attributes and fields. Returns its name; throws unless it is created. */
export async function newClient({ admin }: World, attributes: object = {}, more: object = {}): Promise<string> {
  const clientId = `client-${serial++}`;
  const all = { implicitFlowEnabled: true, ...more };
  const made = client(clientId, attributes as Record<string, string>, all);
  const { status, body } = await admin.send('POST', `/admin/realms/${realm}/clients`, made);
  expect([status, body]).toEqual([201, '']);
  return clientId;
}

export const credentials = (client_id: string) => ({ client_id, client_secret: secret });

/** Sends a form to an endpoint of the realm. */
export async function post(
  { issuer }: World,
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const body = new URLSearchParams(form);
  const answer = await fetch(`${issuer}/protocol/openid-connect/${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string> };
}

/** Tokens of `ann` for a client with a secret. */
export async function tokensFor(world: World, client_id: string, scope = 'openid'): Promise<Record<string, string>> {
  const form = { ...credentials(client_id), grant_type: 'password', ...ann, scope };
  const { status, body } = await token(world.server, realm, form);
  expect([status, body.error_description]).toEqual([200, undefined]);
  return body;
}

/** Logs `ann` in at a client. Returns the answer to the client. */
export async function logIn(world: World, client_id: string, more: Record<string, string> = {}): Promise<Page> {
  const asked = { client_id, redirect_uri: callback, nonce: 'n', state: 's', ...more };
  const agent = agentOf(world.server);
  const page = await agent.get(authorizationUrl(realm, asked));
  expect(page.location).toBeNull();
  return agent.submit(page, ann);
}

/** The parameters that a client was sent in the query, the fragment, or a form. */
export function answered({ location, text }: Page): Record<string, string> {
  if (location === null) {
    const fields = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
  }
  const { search, hash } = new URL(location);
  return Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]);
}

const made = new Map<string, Promise<{ privateKey: CryptoKey; jwk: JWK }>>();

/** A key pair of clients for an algorithm. All of RSA are one pair. */
export async function keyFor(alg: string, use: 'sig' | 'enc' = 'sig') {
  const kind = alg.startsWith('ES') ? alg : 'RS256';
  let pair = made.get(kind);
  if (!pair) {
    pair = generateKeyPair(kind, { extractable: true }).then(async ({ privateKey, publicKey }) => ({
      privateKey,
      jwk: await exportJWK(publicKey),
    }));
    made.set(kind, pair);
  }
  const { privateKey, jwk } = await pair;
  const usable = alg.startsWith('HS') || alg === 'none' ? 'RS256' : alg;
  const own = (await importJWK({ ...(await exportJWK(privateKey)), alg: usable }, usable)) as CryptoKey;
  return { privateKey: own, jwk: { ...jwk, kid: `${use} ${kind}`, use } as JWK };
}

/** Says that a test of its own shows that something works: its file has to contain the words. */
export function shownBy(path: string, ...words: string[]): () => void {
  return () => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    expect([path, ...words.filter((word) => !text?.includes(word))]).toEqual([path]);
    expect(text).toBeDefined();
  };
}
