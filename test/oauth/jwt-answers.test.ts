import { compactDecrypt, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, noticeOf, type Page } from '../login/agent.js';
import { importShop } from '../login/realm.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  callback,
  discover,
  keySetOf,
  newKey,
  type PublishedKey,
  realm,
  request,
  secret,
  signIn,
} from './relying-party.js';

let server: TestServer;
let own: PublishedKey;
let issuer: string;

const answers = 'authorization.encrypted.response';

beforeAll(async () => {
  server = await startServer();
  issuer = `${server.url}/auth/realms/${realm}`;
  own = await newKey('RSA-OAEP', 'enc');
  const client = (clientId: string, attributes: object = {}) => ({
    clientId,
    secret,
    redirectUris: [callback],
    implicitFlowEnabled: true,
    attributes,
  });
  await importShop(await administrator(server), {
    clients: [
      client('app'),
      client('other'),
      client('by PS256', { 'authorization.signed.response.alg': 'PS256' }),
      client('by secret', { 'authorization.signed.response.alg': 'HS256' }),
      { ...client('public', { 'authorization.signed.response.alg': 'HS256' }), publicClient: true },
      client('encrypted', { ...keySetOf(own.jwk), [`${answers}.alg`]: 'RSA-OAEP', [`${answers}.enc`]: 'A256GCM' }),
      client('no key', { [`${answers}.alg`]: 'RSA-OAEP' }),
      client('without issuer', {
        'exclude.issuer.from.auth.response': 'true',
        'exclude.session.state.from.auth.response': 'true',
      }),
    ],
  });
});

const open = (parameters: Record<string, string>) =>
  agentOf(server).get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback, state: 's', ...parameters }));
const addressOf = (parameters: Record<string, string>) =>
  new URL(authorizationUrl(realm, { redirect_uri: callback, state: 's', nonce: 'n', ...parameters }), server.url);
const fragmentOf = ({ location }: Page): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new URL(location ?? 'x:').hash.slice(1)));

describe('answers to authorization requests', () => {
  it('name the issuer, also in errors', async () => {
    const config = await discover(server, 'app');
    expect(config.serverMetadata().authorization_response_iss_parameter_supported).toBe(true);
    const { asked, checks } = await request(config);
    const answer = await signIn(server, openid.buildAuthorizationUrl(config, asked));
    expect(answerOf(answer).iss).toBe(issuer);
    const forged = new URL(answer.location ?? '');
    forged.searchParams.set('iss', 'https://evil.example');
    await expect(openid.authorizationCodeGrant(config, forged, checks)).rejects.toThrow('invalid response encountered');
    const absent = new URL(answer.location ?? '');
    absent.searchParams.delete('iss');
    await expect(openid.authorizationCodeGrant(config, absent, checks)).rejects.toThrow('invalid response encountered');
    expect(
      (await openid.authorizationCodeGrant(config, new URL(answer.location ?? ''), checks)).access_token,
    ).toBeTruthy();
    expect(answerOf(await open({ prompt: 'none' }))).toMatchObject({ error: 'login_required', iss: issuer });
    const front = await signIn(server, addressOf({ client_id: 'app', response_type: 'id_token' }));
    expect(fragmentOf(front).iss).toBe(issuer);
  });

  it('lack what a client excludes', async () => {
    const answer = await signIn(server, addressOf({ client_id: 'without issuer' }));
    expect(Object.keys(answerOf(answer)).toSorted()).toEqual(['code', 'state']);
  });

  it('lack the issuer where the realm excludes it, which discovery says', async () => {
    const admin = await administrator(server);
    const attribute = (value: string) =>
      admin.send('PUT', `/admin/realms/${realm}`, { attributes: { 'exclude.issuer.from.auth.response': value } });
    expect((await attribute('true')).status).toBe(204);
    const config = await discover(server, 'app');
    expect(config.serverMetadata()).not.toHaveProperty('authorization_response_iss_parameter_supported');
    const { asked, checks } = await request(config);
    const answer = await signIn(server, openid.buildAuthorizationUrl(config, asked));
    expect(answerOf(answer)).not.toHaveProperty('iss');
    expect((await openid.authorizationCodeGrant(config, new URL(answer.location ?? ''), checks)).id_token).toBeTruthy();
    expect((await attribute('false')).status).toBe(204);
  });

  it('cannot have the issuer of somebody else put into their address', async () => {
    const planted = `${callback}?iss=https://evil.example`;
    expect((await open({ redirect_uri: planted })).status).toBe(400);
  });
});

describe('answers that are tokens', () => {
  it.each([
    ['app', 'RS256'],
    ['by PS256', 'PS256'],
  ])('are verified by openid-client: %s', async (client, alg) => {
    const config = await discover(server, client, { authorization_signed_response_alg: alg });
    openid.useJwtResponseMode(config);
    const { asked, checks } = await request(config);
    const answer = await signIn(server, openid.buildAuthorizationUrl(config, asked));
    const parameters = answerOf(answer);
    expect(Object.keys(parameters)).toEqual(['response']);
    const header = decodeProtectedHeader(parameters.response ?? '');
    expect(header).toEqual({ alg, typ: 'JWT', ...(!alg.startsWith('HS') && { kid: expect.any(String) }) });
    const claims = decodeJwt(parameters.response ?? '');
    expect(claims).toMatchObject({ iss: issuer, aud: client, state: asked.state, code: expect.any(String) });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
    const tokens = await openid.authorizationCodeGrant(config, new URL(answer.location ?? ''), checks);
    expect(tokens.claims()?.nonce).toBe(asked.nonce);
  });

  it('are signed with the secret of the client if it wants that', async () => {
    const { response = '' } = answerOf(
      await signIn(server, addressOf({ client_id: 'by secret', response_mode: 'jwt' })),
    );
    const { payload } = await jwtVerify(response, new TextEncoder().encode(secret), { audience: 'by secret', issuer });
    expect(payload).toMatchObject({ state: 's', code: expect.any(String) });
  });

  it('go by each way', async () => {
    const ask = (response_mode: string, response_type = 'code') =>
      signIn(server, addressOf({ client_id: 'app', response_mode, response_type }));
    expect(decodeJwt(fragmentOf(await ask('fragment.jwt')).response ?? '')).toHaveProperty('code');
    expect(decodeJwt(fragmentOf(await ask('jwt', 'code id_token')).response ?? '')).toHaveProperty('id_token');
    expect(decodeJwt(answerOf(await ask('query.jwt')).response ?? '')).toHaveProperty('code');
    const form = await ask('form_post.jwt');
    const [, response = ''] = /name="response" value="([^"]+)"/.exec(form.text) ?? [];
    expect(decodeJwt(response)).toMatchObject({ aud: 'app', state: 's' });
    expect(form.text).not.toContain('name="code"');
  });

  it('tell errors too', async () => {
    const { response = '' } = answerOf(await open({ prompt: 'none', response_mode: 'jwt' }));
    expect(decodeJwt(response)).toMatchObject({ error: 'login_required', state: 's', iss: issuer, aud: 'app' });
  });

  it('are encrypted', async () => {
    const answer = await signIn(
      server,
      addressOf({ client_id: 'encrypted', response_mode: 'query.jwt', response_type: 'id_token' }),
    );
    const { response = '' } = answerOf(answer);
    expect(decodeProtectedHeader(response)).toMatchObject({ alg: 'RSA-OAEP', enc: 'A256GCM', cty: 'JWT' });
    const { plaintext } = await compactDecrypt(response, own.privateKey);
    expect(decodeJwt(new TextDecoder().decode(plaintext))).toMatchObject({ aud: 'encrypted', state: 's' });
    const foreign = await newKey('RSA-OAEP', 'enc');
    await expect(compactDecrypt(response, foreign.privateKey)).rejects.toThrow();
  });

  it('of another client, request, or server are refused by openid-client', async () => {
    const config = await discover(server, 'app', { authorization_signed_response_alg: 'RS256' });
    openid.useJwtResponseMode(config);
    const { asked, checks } = await request(config);
    const own = await signIn(server, openid.buildAuthorizationUrl(config, asked));
    const refused = async (location: string | null) =>
      expect(openid.authorizationCodeGrant(config, new URL(location ?? ''), checks)).rejects.toThrow();
    const others = await signIn(server, addressOf({ client_id: 'other', response_mode: 'jwt', ...asked }));
    await refused(others.location);
    const tampered = new URL(own.location ?? '');
    const [header, , signature] = (tampered.searchParams.get('response') ?? '').split('.');
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(answerOf(own).response ?? ''), code: 'another' }));
    tampered.searchParams.set('response', `${header}.${claims.toString('base64url')}.${signature}`);
    await refused(tampered.href);
    const again = await request(config);
    await expect(openid.authorizationCodeGrant(config, new URL(own.location ?? ''), again.checks)).rejects.toThrow();
    // what came without a token, where the client has asked for one
    const plain = await signIn(server, addressOf({ client_id: 'app', ...asked }));
    await refused(plain.location);
    expect(
      (await openid.authorizationCodeGrant(config, new URL(own.location ?? ''), checks)).access_token,
    ).toBeTruthy();
    // the code counts once
    await refused(own.location);
  });

  it('are not sent without the protection that was asked for', async () => {
    const unencrypted = await open({ response_type: 'id_token', nonce: 'n', response_mode: 'query.jwt' });
    expect(unencrypted.location).not.toContain('?response=');
    expect(decodeJwt(fragmentOf(unencrypted).response ?? '')).toMatchObject({ error: 'invalid_request' });
    for (const client_id of ['no key', 'public']) {
      const page = await open({ client_id, prompt: 'none', response_mode: 'jwt' });
      expect([page.status, noticeOf(page)]).toEqual([400, 'Invalid parameter: response_mode']);
    }
    expect(answerOf(await open({ response_mode: 'other.jwt' })).error).toBe('invalid_request');
  });

  it('have no key generated for a request of somebody unknown', async () => {
    const fresh = await startServer();
    await importShop(await administrator(fresh), {
      clients: [
        {
          clientId: 'app',
          secret,
          redirectUris: [callback],
          attributes: { 'authorization.signed.response.alg': 'PS384' },
        },
      ],
    });
    const ask = (more: Record<string, string>) =>
      authorizationUrl(realm, { client_id: 'app', redirect_uri: callback, response_mode: 'jwt', ...more });
    expect((await agentOf(fresh).get(ask({ prompt: 'none' }))).status).toBe(400);
    const answer = await signIn(fresh, new URL(ask({}), fresh.url));
    expect(decodeProtectedHeader(answerOf(answer).response ?? '').alg).toBe('PS384');
    expect((await agentOf(fresh).get(ask({ prompt: 'none' }))).status).toBe(302);
  });
});
