import { randomUUID, X509Certificate } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/services/keys/keyring.js';
import { encodeKeySet, encodeKeysMetadata } from '../../src/services/keys/metadata.js';
import { keyProviderType } from '../../src/services/keys/provider.js';
import { countStatements } from '../support/statements.js';
import { makeRealm, openWorld, type World } from '../tokens/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

async function addProvider(realmId: string, providerId: string, config: Record<string, string[]>): Promise<string> {
  const id = randomUUID();
  const component = { id, realmId, parentId: realmId, providerId, providerType: keyProviderType, config };
  await world.database.transaction((tx) => tx.component.createMany({ data: [component] }));
  return id;
}

const change = (id: string, config: Record<string, string[]>) =>
  world.database.transaction((tx) => tx.component.updateMany({ where: { id }, data: { config } }));

describe('the keys of a realm', () => {
  it('are made when they are first needed, sealed, and stay', async () => {
    const realm = { id: await makeRealm(world, 'first'), name: 'first, "quoted" + more' };
    const keys = await world.keyring.realmKeys(realm);
    expect(
      keys
        .map(({ type, algorithm, use, status, providerPriority }) => [type, algorithm, use, status, providerPriority])
        .sort(),
    ).toEqual([
      ['OCT', 'AES', 'ENC', 'ACTIVE', 100],
      ['OCT', 'HS256', 'SIG', 'ACTIVE', 100],
      ['RSA', 'RS256', 'SIG', 'ACTIVE', 100],
    ]);
    const rows = await world.database.read.component.findMany({ where: { realmId: realm.id } });
    for (const { secrets, config } of rows) {
      expect(secrets).toMatch(/^gcm2:/);
      expect(Object.keys(config as object)).toEqual(['priority']);
    }
    const other = createKeyring(world);
    expect((await other.realmKeys(realm)).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));

    const rsa = keys.find(({ type }) => type === 'RSA');
    const certificate = new X509Certificate(Buffer.from(rsa?.certificate ?? '', 'base64'));
    expect(certificate.subject).toBe(certificate.issuer);
    expect(certificate.toLegacyObject().subject.CN).toBe(realm.name);
    const years = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000 / 365;
    expect(years).toBeCloseTo(10, 2);
    expect(rsa?.publicKey && certificate.verify(rsa.publicKey)).toBe(true);
  });

  it('are the same for instances that need them at the same time', async () => {
    const realm = { id: await makeRealm(world, 'race'), name: 'race' };
    const rings = [1, 2, 3].map(() => createKeyring(world));
    const lists = await Promise.all(rings.map((ring) => ring.realmKeys(realm)));
    const ids = lists.map((keys) => keys.map(({ kid }) => kid).sort());
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
  });

  it('cost one statement a second, and follow their components', async () => {
    const realm = { id: await makeRealm(world, 'cached'), name: 'cached' };
    await world.keyring.realmKeys(realm);
    expect(await countStatements(world, () => world.keyring.realmKeys(realm))).toBe(0);

    const id = await addProvider(realm.id, 'ecdsa-generated', { priority: ['200'], ecdsaEllipticCurveKey: ['P-384'] });
    expect(await world.keyring.realmKeys(realm)).toHaveLength(3);
    const fresh = await world.keyring.realmKeys(realm, { fresh: true });
    expect(fresh[0]).toMatchObject({ algorithm: 'ES384', type: 'EC', providerId: id, providerPriority: 200 });

    await change(id, { ecdsaEllipticCurveKey: ['P-384'], active: ['false'] });
    world.wait(1001);
    expect((await world.keyring.realmKeys(realm)).find(({ type }) => type === 'EC')?.status).toBe('PASSIVE');
    await change(id, { ecdsaEllipticCurveKey: ['P-384'], active: ['false'], enabled: ['false'] });
    world.keyring.forget(realm.id);
    const disabled = (await world.keyring.realmKeys(realm)).find(({ type }) => type === 'EC');
    expect(disabled).toMatchObject({ status: 'DISABLED', kid: fresh[0]?.kid });
  });

  it('come from imported material as it is', async () => {
    const realm = { id: await makeRealm(world, 'imported'), name: 'imported' };
    const ecdsaPrivateKey = [
      'MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCBaexuUHWEXH2FQAPygoWMAlCuw6Ml34Y9hCOsxxjJe1A==',
    ];
    const ec = await addProvider(realm.id, 'ecdsa-generated', { ecdsaPrivateKey, ecdsaEllipticCurveKey: ['P-256'] });
    const config = { kid: ['3a8cdad8-96ee-4b1b-ac01-89513f37d69d'], secret: ['c2VjcmV0'], algorithm: ['HS512'] };
    const hmac = await addProvider(realm.id, 'hmac-generated', config);
    const source = (await world.keyring.realmKeys(realm)).find(({ type }) => type === 'RSA');
    const pem = source?.privateKey?.export({ format: 'pem', type: 'pkcs1' }) as string;
    const rsa = await addProvider(realm.id, 'rsa', { privateKey: [pem], priority: ['7'] });
    const none = await addProvider(realm.id, 'rsa', { priority: ['8'] });
    const broken = await addProvider(realm.id, 'rsa', { privateKey: ['AAAA'] });
    await addProvider(realm.id, 'java-keystore', {});

    const keys = await world.keyring.realmKeys(realm, { fresh: true });
    const of = (id: string) => keys.find(({ providerId }) => providerId === id);
    const publicKey =
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECxOVaRKHn4aRrqvIJUXITQgbx9rnHJh9PF8CnAz8Or//u/3tiexvFsAXZjfL9TCBjc8A4tEP+FzaQI4zts7XiA==';
    expect(of(ec)?.publicKey?.export({ format: 'der', type: 'spki' }).toString('base64')).toBe(publicKey);
    expect(of(hmac)).toMatchObject({ kid: config.kid[0], algorithm: 'HS512' });
    expect(of(hmac)?.secret?.export().toString()).toBe('secret');
    // an imported key without a certificate gets one, and keeps its id
    expect(of(rsa)).toMatchObject({ kid: source?.kid, certificate: expect.any(String), providerPriority: 7 });
    expect([of(none), of(broken)]).toEqual([undefined, undefined]);
    expect(keys).toHaveLength(6);
  });

  it('are added where none can sign with the algorithm that is needed', async () => {
    const realm = { id: await makeRealm(world, 'fallback'), name: 'fallback' };
    const key = await world.keyring.signingKey(realm, 'ES256');
    expect(key).toMatchObject({ algorithm: 'ES256', providerPriority: -100, status: 'ACTIVE' });
    expect((await world.keyring.signingKey(realm, 'ES256')).kid).toBe(key.kid);
    expect((await world.keyring.signingKey(realm, 'RS256')).providerPriority).toBe(100);
  });
});

describe('what is told of the keys', () => {
  it('is the metadata of the contract, without secrets', async () => {
    const realm = { id: await makeRealm(world, 'metadata'), name: 'metadata' };
    await addProvider(realm.id, 'rsa-generated', { priority: ['300'], keyUse: ['enc'], keySize: ['1024'] });
    await addProvider(realm.id, 'rsa-generated', {
      priority: ['300'],
      active: ['false'],
      algorithm: ['RS512'],
      keySize: ['1024'],
    });
    const keys = await world.keyring.realmKeys(realm);
    const { active, keys: list } = encodeKeysMetadata(keys);
    const signing = keys.find(({ algorithm, use }) => algorithm === 'RS256' && use === 'SIG');
    expect(Object.keys(active).sort()).toEqual(['AES', 'HS256', 'RS256']);
    expect(active.RS256).toBe(signing?.kid);
    const members = list.map((key) => [key.algorithm, key.status, Object.keys(key).sort().join(' ')]).sort();
    const secret = 'algorithm kid providerId providerPriority status type use';
    const rsa = 'algorithm certificate kid providerId providerPriority publicKey status type use';
    expect(members).toEqual([
      ['AES', 'ACTIVE', secret],
      ['HS256', 'ACTIVE', secret],
      ['RS256', 'ACTIVE', rsa],
      ['RS256', 'ACTIVE', rsa],
      ['RS512', 'PASSIVE', rsa],
    ]);
  });

  it('is a key set that verifies what the keys sign', async () => {
    const realm = { id: await makeRealm(world, 'jwks'), name: 'jwks' };
    await addProvider(realm.id, 'ecdsa-generated', { ecdsaEllipticCurveKey: ['P-521'] });
    await addProvider(realm.id, 'rsa-generated', { enabled: ['false'], keySize: ['1024'] });
    const keys = await world.keyring.realmKeys(realm);
    const set = encodeKeySet(keys);
    expect(set.keys.map(({ kty, alg, use }) => [kty, alg, use]).sort()).toEqual([
      ['EC', 'ES512', 'sig'],
      ['RSA', 'RS256', 'sig'],
    ]);
    const rsa = set.keys.find(({ kty }) => kty === 'RSA');
    expect(Object.keys(rsa ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use', 'x5c', 'x5t', 'x5t#S256']);
    expect(JSON.stringify(set)).not.toMatch(/"(d|p|q|k)":/);
    const resolve = createLocalJWKSet({ keys: set.keys as never });
    for (const { kid, algorithm, privateKey, status } of keys) {
      if (!privateKey || status === 'DISABLED') continue;
      const token = await new SignJWT({ sub: 'x' }).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
      expect((await jwtVerify(token, resolve)).payload.sub).toBe('x');
    }
  });
});
