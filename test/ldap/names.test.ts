import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, person, storageFor, suffix, synchronise } from './directory.js';

/** User names, in lower case, with what filters (RFC 4515) and DNs (RFC 4514) give a meaning to, and beyond ASCII. */
const odd = [
  '*',
  'a*',
  'a*b',
  'axb',
  '(',
  ')',
  '()',
  '\\',
  '\\2a',
  'a\\2ab',
  ')(uid=*',
  '*)(objectclass=*',
  '*))(|(uid=*',
  '&(uid=x)',
  '|',
  '!',
  'a=b',
  'a,b+c',
  '#lead',
  '"quoted"',
  '<angle>;',
  'o’dowd',
  'änne',
  'straße',
  'иван',
  '山田',
  '😀',
  'ça*va(bien)\\oui',
];

/** The value of a DN with every byte escaped. */
const escaped = (name: string): string =>
  [...Buffer.from(name)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

describe.skipIf(!hasSlapd)('names with special characters', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;

  const realmWith = async (realm: string) => {
    expect((await admin.send('POST', '/', { realm, enabled: true, loginWithEmailAllowed: true })).status).toBe(201);
    return storageFor(admin, realm, slapd.url);
  };
  const found = async (realm: string, query: Record<string, string>): Promise<string[]> => {
    const { status, body } = await admin.send(
      'GET',
      `/${realm}/users?${new URLSearchParams({ ...query, max: '200' })}`,
    );
    expect(status).toBe(200);
    return body.map(({ username }: { username: string }) => username).toSorted();
  };
  const count = async (realm: string): Promise<number> => (await admin.send('GET', `/${realm}/users/count`)).body;

  beforeAll(async () => {
    slapd = await directoryWith([
      ...odd.map((name, at) =>
        person(name, {
          dn: `uid=${escaped(name)},ou=people,${suffix}`,
          firstName: `First${at}`,
          email: `odd${at}@example.org`,
          password: `password ${at}`,
        }),
      ),
      person('plain', { firstName: 'Star*', lastName: '(x) \\ Ünï', email: 'plain@example.org' }),
    ]);
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);

  it('let exactly their owners in', async () => {
    await realmWith('owners');
    for (const [at, name] of odd.entries()) {
      expect([name, Boolean(await login(server, 'owners', name, `password ${at}`))]).toEqual([name, true]);
      // nobody else has been taken into the realm
      expect([name, await count('owners')]).toEqual([name, at + 1]);
    }
    expect(await found('owners', {})).toEqual(odd.toSorted());
  });

  it('mean nobody else, whatever they would say in a filter', async () => {
    await realmWith('strangers');
    const guesses = [
      '**',
      'pl*',
      '*lain',
      'plai\\6e',
      'plain)(uid=*',
      'plain*',
      '*)(uid=plain',
      'plain\\',
      'x)(|(uid=plain)',
    ];
    for (const guess of guesses) {
      await expect(login(server, 'strangers', guess, 'plain')).rejects.toThrow('invalid_grant');
    }
    await expect(login(server, 'strangers', 'plain\0', 'plain')).rejects.toThrow();
    await expect(login(server, 'strangers', '*@example.org', 'plain')).rejects.toThrow('invalid_grant');
    expect(await count('strangers')).toBe(0);
    expect(await login(server, 'strangers', 'plain', 'plain')).toBeTruthy();
  });

  it('are found by themselves and by what they contain, before and after a synchronisation', async () => {
    const id = await realmWith('searched');
    // each on its own, as nobody is there yet
    expect(await found('searched', { search: 'First3 odd3@' })).toEqual([odd[3]]);
    expect(await found('searched', { firstName: 'First5', email: 'odd6' })).toEqual([]);
    expect(await count('searched')).toBe(1);
    expect(await found('searched', { firstName: 'Star*' })).toEqual(['plain']);
    expect(await found('searched', { lastName: '(x) \\ Ünï' })).toEqual(['plain']);
    expect(await count('searched')).toBe(2);
    // an asterisk stands for any characters besides
    const isLike = (value: string, text: string) =>
      text.includes('*') &&
      new RegExp(
        `^${text
          .split('*')
          .map((piece) => piece.replace(/[^\p{L}\d]/gu, '\\$&'))
          .join('.*')}$`,
        's',
      ).test(value);
    const has = (value: string, text: string) => value.includes(text) || isLike(value, text);
    const valuesOf = (name: string) => {
      const at = odd.indexOf(name);
      if (at < 0) return [name, 'plain@example.org', 'Star*', '(x) \\ Ünï'];
      return [name, `odd${at}@example.org`, `First${at}`, 'Example'];
    };
    const everybody = [...odd, 'plain'];
    const all = async () => {
      for (const name of odd) {
        const several = everybody.filter((other) => has(other, name)).toSorted();
        expect([name, await found('searched', { username: name, exact: 'true' })]).toEqual([name, [name]]);
        expect([name, await found('searched', { username: name })]).toEqual([name, several]);
        const any = everybody.filter((other) => valuesOf(other).some((value) => has(value, name))).toSorted();
        expect([name, await found('searched', { search: name })]).toEqual([name, any]);
      }
    };
    await all();
    expect((await synchronise(admin, 'searched', id)).body).toMatchObject({ added: 0, failed: 0 });
    await all();
  });

  it('are taken for new users', async () => {
    await realmWith('taken');
    for (const username of ['*', ')(uid=*', '\\2a', 'änne']) {
      const { status, body } = await admin.send('POST', '/taken/users', { username });
      expect([username, status, body.errorMessage]).toEqual([username, 409, 'User exists with same username']);
    }
    expect((await admin.send('POST', '/taken/users', { username: 'pl*' })).status).toBe(201);
  });

  it('let nobody have an address that is the user name of somebody else', async () => {
    const realm = 'shadowed';
    const username = 'dora@corp.example';
    const shadows = await directoryWith([person('shadow', { email: username }), person('honest')]);
    const credentials = [{ type: 'password', value: 'own' }];
    expect((await admin.send('POST', '/', { realm, enabled: true, loginWithEmailAllowed: true })).status).toBe(201);
    expect((await admin.send('POST', `/${realm}/users`, { username, enabled: true, credentials })).status).toBe(201);
    const id = await storageFor(admin, realm, shadows.url);
    await expect(login(server, realm, 'shadow', 'shadow')).rejects.toThrow('invalid_grant');
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 1, updated: 0, failed: 1 });
    expect(await found(realm, { search: 'shadow' })).toEqual([]);
    expect(await login(server, realm, username, 'own')).toBeTruthy();
    expect(await login(server, realm, 'honest', 'honest')).toBeTruthy();
  });
});
