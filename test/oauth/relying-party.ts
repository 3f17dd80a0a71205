import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { agentOf, type Page } from '../login/agent.js';
import { jsonServer } from '../support/json-server.js';
import type { TestServer } from '../support/server.js';

export const realm = 'shop';
export const callback = 'http://app.example/callback';
export const secret = 'a-secret-that-both-sides-know-0123456789';

/** A key pair with what is published of it. */
export interface PublishedKey {
  privateKey: CryptoKey;
  jwk: JWK;
}

/** A new key of a client, for encryption or for signatures. */
export async function newKey(alg: string, use: 'enc' | 'sig', members: object = {}): Promise<PublishedKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), use, kid: `${use} ${alg}`, ...members } };
}

/** Attributes of a client that publishes these keys as a text. */
export const keySetOf = (...keys: JWK[]) => ({
  'use.jwks.string': 'true',
  'jwks.string': JSON.stringify({ keys }),
});

/** A server of a client: it publishes keys, and counts how often it is asked for them. */
export async function keyServer(): Promise<{ url: string; keys: JWK[]; asked: () => number }> {
  const keys: JWK[] = [];
  let asked = 0;
  const address = await jsonServer(() => {
    asked += 1;
    return { keys };
  });
  return { url: `${address}/keys`, keys, asked: () => asked };
}

/** The configuration of a client of another project, by discovery. */
export const discover = (server: TestServer, clientId: string, metadata: Partial<openid.ClientMetadata> = {}) =>
  openid.discovery(
    new URL(`${server.url}/auth/realms/${realm}`),
    clientId,
    { client_secret: secret, ...metadata },
    openid.ClientSecretPost(secret),
    { execute: [openid.allowInsecureRequests] },
  );

/** Logs `ann` in at the address of an authorization request. Returns the answer to the client. */
export async function signIn(server: TestServer, address: URL, agent = agentOf(server)): Promise<Page> {
  const page = await agent.get(address.pathname + address.search);
  return page.location === null ? agent.submit(page, { username: 'ann', password: 'pw-ann' }) : page;
}

/** The address of an authorization request of a client, with what the client checks the answer by. */
export async function request(config: openid.Configuration, parameters: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const asked = {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  };
  return { asked, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }, config };
}

/** Logs `ann` in at a client, and gets its tokens. */
export async function tokensFor(
  server: TestServer,
  config: openid.Configuration,
  options?: { DPoP?: openid.DPoPHandle },
) {
  const { asked, checks } = await request(config);
  const answer = await signIn(server, openid.buildAuthorizationUrl(config, asked));
  return openid.authorizationCodeGrant(config, new URL(answer.location ?? ''), checks, undefined, options);
}

/** The keys of proofs of possession (RFC 9449). */
export interface ProofKeys {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
  thumbprint: string;
}

/** New keys for proofs of possession. */
export async function newProofKeys(): Promise<ProofKeys> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, publicKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

/** A proof of possession, with these claims besides its ID and time. */
export const signedProof = ({ privateKey, jwk }: ProofKeys, claims: object, header: object = {}): Promise<string> =>
  new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(privateKey);
