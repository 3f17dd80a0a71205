// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// A list of short texts is small to send and costly to read, store and show: its entries are counted before they are read.
const realm = 'entries';
const most = 10_000;
let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
  expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
});

const texts = (count: number) => Array.from({ length: count }, (_, at) => `http://a/${at}`);
const named = (count: number, value: unknown) => Object.fromEntries(texts(count).map((name) => [name, value]));

const tooMany: [string, string, string, (count: number) => object][] = [
  ['a list of texts', '/clients', 'redirectUris', (count) => ({ clientId: 'a', redirectUris: texts(count) })],
  ['a map', '/clients', 'attributes', (count) => ({ clientId: 'b', attributes: named(count, 'x') })],
  ['a list in a map', '/users', 'attributes', (count) => ({ username: 'c', attributes: { a: texts(count) } })],
  [
    'the lists of a map',
    '/users',
    'attributes',
    (count) => ({ username: 'd', attributes: { a: texts(count - 9000), b: texts(9000) } }),
  ],
  ['empty lists in a map', '/users', 'attributes', (count) => ({ username: 'e', attributes: named(count, []) })],
  ['a strict map of lists', '/roles', 'attributes', (count) => ({ name: 'f', attributes: { a: texts(count) } })],
];

describe('too many entries', () => {
  it.each(tooMany)('of %s are refused', async (_name, path, field, body) => {
    const { status, body: answer } = await admin.send('POST', `/${realm}${path}`, body(most + 1));
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`${field}: Must have at most ${most} entries, got ${most + 1}`);
  });

  it('of a realm file are refused, although its long lists are read in pieces', async () => {
    const { status, body } = await admin.send('POST', '/', { realm: 'other', defaultGroups: texts(most + 1) });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('defaultGroups: Must have at most')]);
  });

  it('are not read', async () => {
    // the last one would be a fault of its own
    const redirectUris = [...texts(most), { wrong: true }];
    const { body } = await admin.send('POST', `/${realm}/clients`, { clientId: 'g', redirectUris });
    expect(JSON.stringify(body)).toContain('Must have at most');
  });

  it('are one more than are accepted', async () => {
    const { status } = await admin.send('POST', `/${realm}/clients`, { clientId: 'h', redirectUris: texts(most) });
    expect(status).toBe(201);
  });
});

describe('a password that is brought along', () => {
  const user = (username: string, hashIterations: number) => ({
    username,
    enabled: true,
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({ value: 'x'.repeat(86).concat('=='), salt: 'c2FsdA==' }),
        credentialData: JSON.stringify({ hashIterations, algorithm: 'pbkdf2-sha256' }),
      },
    ],
  });

  it.each([27_500, 1_000_000])('may have %d rounds', async (rounds) => {
    expect((await admin.send('POST', `/${realm}/users`, user(`rounds-${rounds}`, rounds))).status).toBe(201);
  });

  it('has no more than a million rounds, by whatever way it comes', async () => {
    const many = user('many', 1_000_001);
    const ways: [string, string, object][] = [
      ['POST', `/${realm}/users`, many],
      ['POST', `/${realm}/partialImport`, { ifResourceExists: 'SKIP', users: [many] }],
      ['POST', '/', { realm: 'other', users: [many] }],
      ['PUT', `/${realm}`, { passwordPolicy: 'hashIterations(1000001)' }],
    ];
    for (const [method, path, body] of ways) expect((await admin.send(method, path, body)).status).toBe(400);
  });
});
