import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discovery, keySet, publicRealm } from '../../src/services/tokens/discovery.js';
import { type BearerVerifier, createBearerVerifier } from '../../src/services/tokens/verify.js';
import { countStatements } from '../support/statements.js';
import { baseUrl, makeClient, makeRealm, makeUser, openWorld, send, type World } from './world.js';

let world: World;
let realmId: string;
let userId: string;
let verifier: BearerVerifier;
let token: string;
const form = { grant_type: 'password', client_id: 'app', username: 'ann', password: 'pw-ann' };
const unauthorized = { kind: 'unauthenticated', message: 'HTTP 401 Unauthorized' };

const login = async (from = baseUrl) => String((await send(world, 'shop', form, { baseUrl: from })).body.access_token);

beforeAll(async () => {
  world = await openWorld();
  realmId = await makeRealm(world, 'shop');
  await makeClient(world, realmId, 'app');
  userId = await makeUser(world, realmId, 'ann');
  const other = await makeRealm(world, 'other');
  await makeClient(world, other, 'app');
  await makeUser(world, other, 'ann');
});

beforeEach(async () => {
  verifier = createBearerVerifier(world.context);
  token = await login();
});

describe('verifying a bearer token', () => {
  it('says who bears it, under whatever address it was issued', async () => {
    for (const from of [baseUrl, 'http://127.0.0.1:8080/auth']) {
      const bearer = await verifier.verifyBearer(await login(from));
      expect(bearer).toMatchObject({ realmId, realmName: 'shop', userId, clientId: 'app', claims: { typ: 'Bearer' } });
    }
  });

  it('costs nothing when it comes again, and one or two statements after a second', async () => {
    await verifier.verifyBearer(token);
    const repeated = async () => {
      for (let time = 0; time < 100; time += 1) await verifier.verifyBearer(token);
    };
    expect(await countStatements(world, repeated)).toBe(0);
    world.wait(1001);
    expect(await countStatements(world, () => verifier.verifyBearer(token))).toBeLessThanOrEqual(2);
  });

  it('refuses what is no access token of the realm', async () => {
    const { body } = await send(world, 'shop', { ...form, scope: 'openid' });
    const foreign = (await send(world, 'other', form)).body.access_token;
    const [head, , signature] = token.split('.');
    const [foreignHead, , foreignSignature] = String(foreign).split('.');
    const payload = token.split('.')[1];
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const bad = [
      body.refresh_token,
      body.id_token,
      '',
      'garbage',
      'a.b.c',
      unsigned,
      `${head}.${payload}.${foreignSignature}`,
      `${foreignHead}.${payload}.${foreignSignature}`,
      `${head}.${Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'x' })).toString('base64url')}.${signature}`,
      'x'.repeat(100_000),
    ];
    for (const text of bad) await expect(verifier.verifyBearer(String(text))).rejects.toMatchObject(unauthorized);
  });

  it('is not fooled by a public key used as a shared secret, nor by other keys of the realm', async () => {
    const keys = await world.keyring.realmKeys({ id: realmId, name: 'shop' });
    const rsa = keys.find(({ type }) => type === 'RSA');
    const claims = decodeJwt(token);
    const secret = new TextEncoder().encode(rsa?.publicKey?.export({ format: 'pem', type: 'spki' }) as string);
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: rsa?.kid ?? '' }).sign(secret);
    await expect(verifier.verifyBearer(confused)).rejects.toMatchObject(unauthorized);
    const aes = keys.find(({ algorithm }) => algorithm === 'AES');
    const short = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: aes?.kid ?? '' })
      .sign(new Uint8Array(aes?.secret?.export() ?? []));
    await expect(verifier.verifyBearer(short)).rejects.toMatchObject(unauthorized);
  });

  it('ends when the token does', async () => {
    await verifier.verifyBearer(token);
    world.wait(300_000);
    await expect(verifier.verifyBearer(token)).rejects.toMatchObject(unauthorized);
    await expect(createBearerVerifier(world.context).verifyBearer(token)).rejects.toMatchObject(unauthorized);
  });

  const settings = { loginWithEmailAllowed: true };
  it.each<[string, (later: number) => Promise<unknown>, () => Promise<unknown>]>([
    [
      'the user is disabled',
      () => world.database.transaction((tx) => tx.user.updateMany({ where: { id: userId }, data: { enabled: false } })),
      () => world.database.transaction((tx) => tx.user.updateMany({ where: { id: userId }, data: { enabled: true } })),
    ],
    [
      'notBefore of the user moves',
      (later) =>
        world.database.transaction((tx) => tx.user.updateMany({ where: { id: userId }, data: { notBefore: later } })),
      () => world.database.transaction((tx) => tx.user.updateMany({ where: { id: userId }, data: { notBefore: 0 } })),
    ],
    [
      'notBefore of the realm moves',
      (later) =>
        world.database.transaction((tx) =>
          tx.realm.updateMany({ where: { id: realmId }, data: { settings: { ...settings, notBefore: later } } }),
        ),
      () => world.database.transaction((tx) => tx.realm.updateMany({ where: { id: realmId }, data: { settings } })),
    ],
    [
      'the realm is disabled',
      () =>
        world.database.transaction((tx) => tx.realm.updateMany({ where: { id: realmId }, data: { enabled: false } })),
      () =>
        world.database.transaction((tx) => tx.realm.updateMany({ where: { id: realmId }, data: { enabled: true } })),
    ],
    [
      'the client is disabled',
      () => world.database.transaction((tx) => tx.client.updateMany({ where: { realmId }, data: { enabled: false } })),
      () => world.database.transaction((tx) => tx.client.updateMany({ where: { realmId }, data: { enabled: true } })),
    ],
  ])('ends within a second when %s', async (_, change, back) => {
    await verifier.verifyBearer(token);
    await change(Math.floor(world.now() / 1000) + 60);
    try {
      await verifier.verifyBearer(token);
      world.wait(1001);
      await expect(verifier.verifyBearer(token)).rejects.toMatchObject(unauthorized);
    } finally {
      await back();
    }
  });

  it('ends at once when the tokens are forgotten', async () => {
    const change = (enabled: boolean) =>
      world.database.transaction((tx) => tx.user.updateMany({ where: { id: userId }, data: { enabled } }));
    await verifier.verifyBearer(token);
    await change(false);
    verifier.forgetTokens('another realm');
    await verifier.verifyBearer(token);
    verifier.forgetTokens(realmId);
    await expect(verifier.verifyBearer(token)).rejects.toMatchObject(unauthorized);
    await change(true);
  });
});

describe('the public documents of a realm', () => {
  const base = `${baseUrl}/realms/shop`;

  it('name its addresses', async () => {
    const document = await discovery(world.context, 'shop', baseUrl);
    expect(document).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/protocol/openid-connect/token`,
      jwks_uri: `${base}/protocol/openid-connect/certs`,
      mtls_endpoint_aliases: { token_endpoint: `${base}/protocol/openid-connect/token` },
    });
    await expect(discovery(world.context, 'nowhere', baseUrl)).rejects.toMatchObject({
      kind: 'notFound',
      message: 'Realm does not exist',
    });
  });

  it('hold its public keys', async () => {
    const face = await publicRealm(world.context, 'shop', baseUrl);
    expect(face).toEqual({
      realm: 'shop',
      public_key: expect.stringMatching(/^MII/),
      'token-service': `${base}/protocol/openid-connect`,
      'account-service': `${base}/account`,
      'tokens-not-before': 0,
    });
    expect((await keySet(world.context, 'shop')).keys).toHaveLength(1);
  });
});
