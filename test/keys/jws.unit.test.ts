import { createSecretKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { compactToken, hasHmac } from '../../src/services/keys/jws.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const secret = createSecretKey(randomBytes(64));
const keys: [string, KeyObject, KeyObject][] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((algorithm): [string, KeyObject, KeyObject] => [
    algorithm,
    rsa.privateKey,
    rsa.publicKey,
  ]),
  ...Object.entries({ ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }).map(
    ([algorithm, name]): [string, KeyObject, KeyObject] => {
      const { privateKey, publicKey } = curve(name);
      return [algorithm, privateKey, publicKey];
    },
  ),
  ...['HS256', 'HS384', 'HS512'].map((algorithm): [string, KeyObject, KeyObject] => [algorithm, secret, secret]),
];

const claims = { sub: 'Zoë', roles: ['a', 'b'], left: undefined };

describe('a token of this server', () => {
  it.each(keys)('is what others verify as %s', async (alg, key, verifying) => {
    const token = await compactToken({ alg, typ: 'JWT', kid: 'one' }, claims, key);
    const { payload, protectedHeader } = await jwtVerify(token, verifying, { algorithms: [alg] });
    expect(payload).toEqual({ sub: 'Zoë', roles: ['a', 'b'] });
    expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: 'one' });
  });

  it('of an unknown algorithm is not made', async () => {
    await expect(compactToken({ alg: 'none', typ: 'JWT', kid: 'one' }, claims, secret)).rejects.toThrow();
  });
});

describe('an HMAC', () => {
  it.each(['HS256', 'HS384', 'HS512'])('of others is known by its secret: %s', async (alg) => {
    const token = await new SignJWT({ sub: 'x' }).setProtectedHeader({ alg }).sign(secret);
    expect(hasHmac(token, alg, secret)).toBe(true);
    expect(hasHmac(token, alg, createSecretKey(randomBytes(64)))).toBe(false);
    expect(hasHmac(`${token}x`, alg, secret)).toBe(false);
    expect(hasHmac(token.replace(/^./, 'f'), alg, secret)).toBe(false);
    expect(hasHmac(token.slice(0, token.lastIndexOf('.') + 1), alg, secret)).toBe(false);
    expect(hasHmac('', alg, secret)).toBe(false);
    expect(hasHmac(token, 'RS256', secret)).toBe(false);
    expect(hasHmac(token, alg === 'HS256' ? 'HS512' : 'HS256', secret)).toBe(false);
  });
});
