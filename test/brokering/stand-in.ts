import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { atEndOfFile } from '../support/database.js';

type Json = Record<string, unknown>;

/** How a stand-in answers. Tests change it to have a provider misbehave. */
export interface Behaviour {
  /** claims of the ID token, over those of a good one */
  claims: Json;
  header: Partial<JWTHeaderParameters>;
  /** answer of the token endpoint, over a good one */
  token: Json;
  tokenStatus: number;
  /** body of the token endpoint as a form */
  isForm: boolean;
  /** answers by path, such as `/user` of GitHub */
  documents: Record<string, unknown>;
  signsWith: 'own' | 'foreign';
}

/** A request that the stand-in got. */
interface Seen {
  path: string;
  headers: Record<string, unknown>;
  form: URLSearchParams;
}

const clientId = 'client-of-the-stand-in';
const keyId = 'key-of-the-stand-in';

/** An identity provider on this machine that answers as it is told. It asks nobody to log in. */
export async function openStandIn() {
  const own = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256');
  const good = (): Behaviour => ({
    claims: {},
    header: {},
    token: {},
    tokenStatus: 200,
    isForm: false,
    documents: {},
    signsWith: 'own',
  });
  const behaviour = good();
  const seen: Seen[] = [];
  const nonces = new Map<string, string>();
  const signed = (url: string, nonce: string | undefined) => {
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: url, aud: clientId, sub: 'sub-1', iat: now, exp: now + 60, ...(nonce && { nonce }) };
    const claims = Object.fromEntries(
      Object.entries({ ...standard, ...behaviour.claims }).filter(([, value]) => value !== null),
    );
    const header = { alg: 'RS256', kid: keyId, ...behaviour.header };
    const key = behaviour.signsWith === 'own' ? own.privateKey : foreign.privateKey;
    return new SignJWT(claims).setProtectedHeader(header).sign(key);
  };
  const answer = async (url: string, { path, form }: Seen): Promise<{ status: number; body: unknown }> => {
    if (path === '/jwks') {
      return { status: 200, body: { keys: [{ ...(await exportJWK(own.publicKey)), kid: keyId }] } };
    }
    if (path === '/token' || path === '/login/oauth/access_token') {
      const token = {
        access_token: 'the access token',
        token_type: 'Bearer',
        id_token: await signed(url, nonces.get(form.get('code') ?? '')),
        ...behaviour.token,
      };
      return { status: behaviour.tokenStatus, body: token };
    }
    const document = behaviour.documents[path];
    return document === undefined ? { status: 404, body: {} } : { status: 200, body: document };
  };
  const server = createServer((message, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(chunk as Buffer);
      const path = (message.url ?? '').split('?')[0] ?? '';
      const request = { path, headers: message.headers, form: new URLSearchParams(Buffer.concat(chunks).toString()) };
      seen.push(request);
      const { status, body } = await answer(url, request);
      const isForm = behaviour.isForm && path.endsWith('token');
      response.writeHead(status, { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' });
      response.end(isForm ? new URLSearchParams(JSON.parse(JSON.stringify(body))).toString() : JSON.stringify(body));
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEndOfFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    seen,
    /** has it answer well, but for this */
    behave: (more: Partial<Behaviour> = {}) => Object.assign(behaviour, good(), more),
    /** settings of an identity provider that is this one */
    settings: (more: Record<string, string> = {}) => ({
      clientId,
      clientSecret: 'secret-of-the-stand-in',
      authorizationUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      jwksUrl: `${url}/jwks`,
      issuer: url,
      validateSignature: 'true',
      useJwksUrl: 'true',
      ...more,
    }),
    /** a token with the claims that it is told to have */
    signed: () => signed(url, undefined),
    /** where the browser is sent back to from the address that it was sent to, with parameters in place of those of a good answer */
    wayBack(to: string, more: Record<string, string> = {}): string {
      const asked = new URL(to).searchParams;
      const code = `code-${asked.get('state')}`;
      nonces.set(code, asked.get('nonce') ?? '');
      const back = new URL(asked.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries({ state: asked.get('state') ?? '', code, ...more })) {
        if (value !== '') back.searchParams.set(name, value);
      }
      return back.href;
    },
  };
}

export type StandIn = Awaited<ReturnType<typeof openStandIn>>;
