import { CompactEncrypt, compactDecrypt, importJWK, type JWK, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { expect } from 'vitest';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { callback, keySetOf } from '../oauth/relying-party.js';
import { answered, keyFor, logIn, newClient, post, realm, secretKey, tokensFor, type World } from './world.js';

/** Uses one value of a list in discovery. */
export type Use = (world: World, value: string) => Promise<void>;

const isByRealm = (alg: string): boolean => !alg.startsWith('HS');

/** Verifies a token of the realm with jose, by its published keys or the secret of the client. */
async function verified({ keys, issuer }: World, text: string, alg: string) {
  const options = { algorithms: [alg], issuer };
  return (await (isByRealm(alg) ? jwtVerify(text, keys, options) : jwtVerify(text, secretKey, options))).payload;
}

export const signedIdToken: Use = async (world, alg) => {
  const client = await newClient(world, { 'id.token.signed.response.alg': alg });
  const { id_token = '' } = await tokensFor(world, client);
  expect(await verified(world, id_token, alg)).toMatchObject({ aud: client, typ: 'ID' });
};

async function userInfo({ issuer }: World, accessToken = '') {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${issuer}/protocol/openid-connect/userinfo`, { headers });
  return { type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

export const signedUserInfo: Use = async (world, alg) => {
  const client = await newClient(world, { 'user.info.response.signature.alg': alg === 'none' ? '' : alg });
  const { type, text } = await userInfo(world, (await tokensFor(world, client)).access_token);
  if (alg === 'none') expect(JSON.parse(text)).toMatchObject({ email: 'ann@example.org' });
  else expect(await verified(world, text, alg)).toMatchObject({ aud: client, email: 'ann@example.org' });
  expect(type).toContain(alg === 'none' ? 'application/json' : 'application/jwt');
};

/** A client with keys, to which something is encrypted. */
const encrypting = async (world: World, what: string, alg: string, enc: string) => {
  const { privateKey, jwk } = await keyFor(alg, 'enc');
  const client = await newClient(world, { ...keySetOf(jwk), [`${what}.alg`]: alg, [`${what}.enc`]: enc });
  return {
    client,
    open: async (text = '') => {
      const { plaintext, protectedHeader } = await compactDecrypt(text, privateKey);
      expect(protectedHeader).toMatchObject({ alg, enc });
      return new TextDecoder().decode(plaintext);
    },
  };
};

/** Uses a pair of algorithms: for keys and for contents. */
type Encryption = (world: World, alg: string, enc: string) => Promise<void>;

export const encryptedIdToken: Encryption = async (world, alg, enc) => {
  const { client, open } = await encrypting(world, 'id.token.encrypted.response', alg, enc);
  const { id_token } = await tokensFor(world, client);
  expect(await verified(world, await open(id_token), 'RS256')).toMatchObject({ aud: client });
};

export const encryptedUserInfo: Encryption = async (world, alg, enc) => {
  const { client, open } = await encrypting(world, 'user.info.encrypted.response', alg, enc);
  const { text } = await userInfo(world, (await tokensFor(world, client)).access_token);
  expect(JSON.parse(await open(text))).toMatchObject({ email: 'ann@example.org' });
};

export const encryptedResponse: Encryption = async (world, alg, enc) => {
  const { client, open } = await encrypting(world, 'authorization.encrypted.response', alg, enc);
  const { response } = answered(await logIn(world, client, { response_mode: 'jwt' }));
  expect(await verified(world, await open(response), 'RS256')).toMatchObject({ code: expect.any(String), state: 's' });
};

export const signedResponse: Use = async (world, alg) => {
  const client = await newClient(world, { 'authorization.signed.response.alg': alg });
  const { response = '' } = answered(await logIn(world, client, { response_mode: 'jwt' }));
  expect(await verified(world, response, alg)).toMatchObject({ aud: client, code: expect.any(String), state: 's' });
};

const objectOf = ({ issuer }: World, client_id: string) =>
  ({ client_id, iss: client_id, aud: issuer, response_type: 'code', scope: 'openid', redirect_uri: callback }) as const;

/** Opens the login page by a request object alone; one with another algorithm than that of the client is refused. */
async function openedBy({ server }: World, client_id: string, request: string): Promise<void> {
  const query = new URLSearchParams({ client_id, request });
  const page = await agentOf(server).get(`/auth/realms/${realm}/protocol/openid-connect/auth?${query}`);
  expect([page.status, page.location]).toEqual([200, null]);
  expect(page.text).toContain('name="password"');
}

/** A request object of a client. */
export async function signedObject(world: World, client: string, alg: string): Promise<string> {
  const claims = objectOf(world, client);
  if (alg === 'none') return new UnsecuredJWT(claims).encode();
  const key = alg.startsWith('HS') ? secretKey : (await keyFor(alg)).privateKey;
  const jwt = new SignJWT(claims).setExpirationTime('5m');
  return jwt.setProtectedHeader({ alg, ...(isByRealm(alg) && { kid: (await keyFor(alg)).jwk.kid }) }).sign(key);
}

export const signedRequest: Use = async (world, alg) => {
  const { jwk } = await keyFor(alg);
  const client = await newClient(world, { ...keySetOf(jwk), 'request.object.signature.alg': alg });
  await openedBy(world, client, await signedObject(world, client, alg));
  const other = await signedObject(world, client, alg === 'HS256' ? 'HS512' : 'HS256');
  const query = { client_id: client, redirect_uri: callback, request: other };
  const { location } = await agentOf(world.server).get(authorizationUrl(realm, query));
  expect(location).toContain('error=invalid_request_object');
};

export const encryptedRequest: Encryption = async (world, alg, enc) => {
  const certs = await fetch(`${world.issuer}/protocol/openid-connect/certs`);
  const { keys } = (await certs.json()) as { keys: JWK[] };
  const { alg: _, ...key } = keys.find(({ use }) => use === 'enc') ?? {};
  const signer = await keyFor('PS256');
  const client = await newClient(world, {
    ...keySetOf(signer.jwk),
    'request.object.encryption.alg': alg,
    'request.object.encryption.enc': enc,
  });
  const content = new TextEncoder().encode(await signedObject(world, client, 'PS256'));
  const object = await new CompactEncrypt(content)
    .setProtectedHeader({ alg, enc, kid: String(key.kid), cty: 'JWT' })
    .encrypt(await importJWK(key, alg));
  await openedBy(world, client, object);
};

/** Uses algorithms of client assertions at one endpoint: with the algorithm of the client, and with another. */
export const assertedAt =
  (path: string, more: Record<string, string>): Use =>
  async (world, alg) => {
    const key = await keyFor(alg);
    const isSecret = alg.startsWith('HS');
    const client = await newClient(
      world,
      { ...keySetOf(key.jwk), 'token.endpoint.auth.signing.alg': alg },
      { clientAuthenticatorType: isSecret ? 'client-secret-jwt' : 'client-jwt' },
    );
    const assertion = async (used: string) =>
      new SignJWT({ iss: client, sub: client, aud: world.issuer, jti: `${Math.random()}` })
        .setProtectedHeader({ alg: used, ...(!isSecret && { kid: key.jwk.kid }) })
        .setExpirationTime('1m')
        .sign(isSecret ? secretKey : (await keyFor(used)).privateKey);
    const send = async (used: string) => {
      const form = {
        ...more,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await assertion(used),
      };
      return (await post(world, path, form)).status;
    };
    expect(await send(alg)).toBe(200);
    expect(await send({ HS256: 'HS512', RS256: 'PS256' }[alg] ?? (isSecret ? 'HS256' : 'RS256'))).not.toBe(200);
  };
