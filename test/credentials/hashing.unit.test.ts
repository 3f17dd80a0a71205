import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../src/services/core/seal.js';
import type { Place } from '../../src/services/core/sealed-columns.js';
import { createTurnstile } from '../../src/services/core/turnstile.js';
import {
  hashPassword,
  isHashAlgorithm,
  verifyNothing,
  verifyPassword,
} from '../../src/services/credentials/hashing.js';

// of the reference server's export: the password is pass-3
const imported = {
  credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
  secretData:
    '{"value":"ZjPjUo94IREz3W8o6V2QPi1BRsLaCPv1IInJPntTzbs/NGftp34yJf6PunQx3SJI1FcLqUV3RaP6OSlAnltQrQ==","salt":"YmVuY2gtc2FsdC0wMDAwMDM="}',
};

/** The niceness of each thread of this process (proc_pid_stat(5)). */
const niceness = () =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

describe('password hashing', () => {
  it.runIf(process.platform === 'linux')('leaves the processors to others, but for one thread of many', async () => {
    const usual = new Set(niceness());
    const seen = new Set<number>();
    let isRunning = true;
    const hashing = Promise.all([1, 2].map(() => hashPassword('secret', { iterations: 100_000 }))).finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      for (const value of niceness()) seen.add(value);
      await sleep(5);
    }
    await hashing;
    const own = getPriority();
    const expected = [own + 3, own + 10].map((value) => Math.min(value, 19));
    expect([...seen].filter((value) => !usual.has(value)).toSorted((a, b) => a - b)).toEqual(expected);
  });

  it('writes the two JSON texts of the contract', async () => {
    const { credentialData, secretData } = await hashPassword('secret');
    expect(credentialData).toBe('{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}');
    const secret = JSON.parse(secretData);
    expect(Object.keys(secret)).toEqual(['value', 'salt', 'additionalParameters']);
    expect(Buffer.from(secret.value, 'base64')).toHaveLength(64);
    expect(Buffer.from(secret.salt, 'base64')).toHaveLength(16);
  });

  it.each(['pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512'])('verifies what it hashed with %s', async (algorithm) => {
    const { credentialData, secretData } = await hashPassword('pässwörd 日本', { algorithm, iterations: 10 });
    expect(await verifyPassword('pässwörd 日本', credentialData, secretData)).toBe(true);
    expect(await verifyPassword('password', credentialData, secretData)).toBe(false);
  });

  it('verifies imported hashes', async () => {
    expect(await verifyPassword('pass-3', imported.credentialData, imported.secretData)).toBe(true);
    expect(await verifyPassword('pass-4', imported.credentialData, imported.secretData)).toBe(false);
  });

  describe.each([
    ['id', 1, '8bxY6UzQzVAHKXH8A2lg1r1ggo8rqreSrljf3UOtSgk='],
    ['i', 2, 'RFd3imntQr+El8GVSnvy9mC9Sbtt4L1IaGxuyugvsLg='],
    ['d', 2, 'mykhR8szvPdim0VMQTNnfXtCTcOAkqXcKa7+O89vf1A='],
  ])('with Argon2%s', (type, parallelism, value) => {
    // calculated by the reference implementation of RFC 9106, in the form of Keycloak 26
    const secretData = JSON.stringify({ value, salt: 'c2FsdC1vZi0xNi1ieXRlcw==', additionalParameters: {} });
    const data = (changes: Record<string, string> = {}, hashIterations = 5) => {
      const parameters = {
        hashLength: '32',
        memory: '7168',
        type,
        version: '1.3',
        parallelism: `${parallelism}`,
        ...changes,
      };
      const additionalParameters = Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, [one]]));
      return JSON.stringify({ hashIterations, algorithm: 'argon2', additionalParameters });
    };

    it('verifies the password, and no other one', async () => {
      expect(await verifyPassword('pass-3', data(), secretData)).toBe(true);
      expect(await verifyPassword('pass-4', data(), secretData)).toBe(false);
    });

    it.each([
      ['another version', data({ version: '1.0' })],
      ['another type', data({ type: 'x' })],
      ['more memory than is granted', data({ memory: '1048576' })],
      ['more passes than anybody can wait for', data({}, 1_000_000)],
      ['a hash of another length', data({ hashLength: '64' })],
      ['less memory than lanes need', data({ memory: '8', parallelism: '16' })],
    ])('lets nobody in with %s', async (_what, credentialData) => {
      expect(await verifyPassword('pass-3', credentialData, secretData)).toBe(false);
    });
  });

  it('hashes with Argon2 as Keycloak 26 does', async () => {
    const { credentialData, secretData } = await hashPassword('grüße', { algorithm: 'argon2' });
    expect(JSON.parse(credentialData)).toEqual({
      hashIterations: 5,
      algorithm: 'argon2',
      additionalParameters: {
        hashLength: ['32'],
        memory: ['7168'],
        type: ['id'],
        version: ['1.3'],
        parallelism: ['1'],
      },
    });
    expect(await verifyPassword('grüße', credentialData, secretData)).toBe(true);
    expect(await verifyPassword('grusse', credentialData, secretData)).toBe(false);
    expect(await verifyNothing('x', { algorithm: 'argon2' })).toBe(false);
  });

  it('verifies bcrypt, of which it makes none', async () => {
    const data = '{"hashIterations":10,"algorithm":"bcrypt"}';
    // of the documentation of PHP
    const secret = (prefix: string, cost = '10') =>
      JSON.stringify({ value: `$${prefix}$${cost}$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a`, salt: '' });
    for (const prefix of ['2a', '2b', '2y'])
      expect(await verifyPassword('rasmuslerdorf', data, secret(prefix))).toBe(true);
    expect(await verifyPassword('rasmus', data, secret('2y'))).toBe(false);
    expect(await verifyPassword('rasmuslerdorf', data, secret('2y', '31'))).toBe(false);
    expect(await verifyPassword('x', data, JSON.stringify({ value: '', salt: '' }))).toBe(false);
    expect(isHashAlgorithm('bcrypt')).toBe(false);
  });

  it.each([20, 32, 48])('verifies a stored hash of %i bytes, and no other one', async (length) => {
    const secret = JSON.parse(imported.secretData);
    const hash = Buffer.from(secret.value, 'base64').subarray(0, length);
    const shortened = JSON.stringify({ ...secret, value: hash.toString('base64') });
    expect(await verifyPassword('pass-3', imported.credentialData, shortened)).toBe(true);
    expect(await verifyPassword('pass-4', imported.credentialData, shortened)).toBe(false);
    hash.writeUInt8(hash.readUInt8(19) ^ 1, 19);
    const altered = JSON.stringify({ ...secret, value: hash.toString('base64') });
    expect(await verifyPassword('pass-3', imported.credentialData, altered)).toBe(false);
  });

  it('lets nobody in with data that cannot be read', async () => {
    const { credentialData, secretData } = imported;
    expect(await verifyPassword('x', 'no json', secretData)).toBe(false);
    expect(await verifyPassword('x', credentialData, 'null')).toBe(false);
    expect(await verifyPassword('x', credentialData, '{"value":"","salt":"AAAA"}')).toBe(false);
    expect(await verifyPassword('x', '{"algorithm":"md5"}', secretData)).toBe(false);
    expect(await verifyPassword('x', '{"hashIterations":99999999999}', secretData)).toBe(false);
    expect(await verifyPassword('x', '{"hashIterations":0}', secretData)).toBe(false);
    expect(await verifyNothing('x')).toBe(false);
    expect(isHashAlgorithm('constructor')).toBe(false);
  });
});

describe('the turnstile', () => {
  it('runs a bounded number of tasks, in order, and refuses when the line is full', async () => {
    const turnstile = createTurnstile(2, 2);
    let running = 0;
    let most = 0;
    const done: number[] = [];
    const task = (id: number) =>
      turnstile(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        done.push(id);
        if (id === 1) throw new Error('failed');
      });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(task));
    expect(most).toBe(2);
    expect(done).toEqual([1, 2, 3, 4]);
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { kind: 'busy' } });
    await task(6);
    expect(done.at(-1)).toBe(6);
  });
});

describe('sealing', () => {
  const key = new Uint8Array(32).fill(7);
  const here: Place = { model: 'Client', id: 'one', owner: 'realm', field: 'secret' };

  it('encrypts with a key, with another nonce every time', () => {
    const { seal, open } = createSealer({ key });
    const [one, other] = [seal('grüße', here), seal('grüße', here)];
    expect(one).not.toContain('grüße');
    expect(one).not.toBe(other);
    expect([open(one, here), open(other, here), open(seal('', here), here)]).toEqual(['grüße', 'grüße', '']);
  });

  it('opens a text only in the place that it was sealed for, and says where one was refused', () => {
    const refused: [Place, string][] = [];
    const { seal, open } = createSealer({ key }, { onRefused: (...about) => refused.push(about) });
    const sealed = seal('x', here);
    const others: Place[] = [
      { ...here, id: 'two' },
      { ...here, owner: 'another' },
      { ...here, field: 'attributes.secret' },
      { ...here, id: 'one","realm' },
      { ...here, model: 'Webhook', field: 'secret' },
      { model: 'IdempotencyKey', id: 'one', field: 'outcome' },
    ];
    for (const other of others) expect(() => open(sealed, other)).toThrow('another location');
    expect(refused.map(([place]) => place)).toEqual(others);
    expect(JSON.stringify(refused)).not.toContain(sealed);
  });

  it('opens what is bound to no place only where that is expected', () => {
    // "old", sealed with the key by a version that bound nothing
    const old = 'gcm1:rOHbM5/1qe+MCbnAPVxJ1b7A+2N2v+szW4Ck3C48fA==';
    expect(createSealer({ key }, { opensUnbound: true }).open(old, here)).toBe('old');
    expect(() => createSealer({ key }).open(old, here)).toThrow('does not contain its location');
    expect(() => createSealer({ key }, { opensUnbound: true }).open(old.replace('gcm1', 'gcm2'), here)).toThrow();
    const bound = createSealer({ key }).seal('x', here).replace('gcm2', 'gcm1');
    expect(() => createSealer({ key }, { opensUnbound: true }).open(bound, here)).toThrow('cannot be decrypted');
  });

  it('refuses what is not encrypted once there is a key, except to encrypt it', () => {
    const plain = createSealer({});
    expect(plain.open(plain.seal('gcm2:x', here), here)).toBe('gcm2:x');
    expect(() => createSealer({ key }).open(plain.seal('x', here), here)).toThrow('not encrypted');
    expect(createSealer({ key }, { opensPlain: true }).open(plain.seal('x', here), here)).toBe('x');
    expect(() => plain.open(createSealer({ key }).seal('x', here), here)).toThrow('no key');
  });

  it('opens what the key before has sealed while that is known', () => {
    const next = new Uint8Array(32).fill(8);
    const sealed = createSealer({ key }).seal('x', here);
    const both = createSealer({ key: next, previous: key });
    expect(both.open(sealed, here)).toBe('x');
    expect(createSealer({ key: next }).open(both.seal('x', here), here)).toBe('x');
    expect(() => createSealer({ key: next }).open(sealed, here)).toThrow('cannot be decrypted');
  });

  it('does not open what was changed, what another key sealed, or what is in no known form', () => {
    const { seal, open } = createSealer({ key });
    const sealed = seal('top secret', here);
    const changed = `${sealed.slice(0, -6)}${sealed.at(-6) === 'A' ? 'B' : 'A'}${sealed.slice(-5)}`;
    for (const bad of [
      changed,
      'gcm2:',
      'gcm2:AAAA',
      'gcm1:AAAA',
      'top secret',
      createSealer({ key: new Uint8Array(32) }).seal('x', here),
    ]) {
      expect(() => open(bad, here)).toThrow(/^A stored secret/);
    }
    expect(() => createSealer({ key: new Uint8Array(16) })).toThrow('32 bytes');
  });
});
