import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller, login } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';
import { comparable } from './comparable.js';

// Files that are too large to be parsed in one go: their users are put aside while they arrive.
let server: TestServer;
let admin: Caller;
/** Where this process puts files aside; others write to the folder of the machine at the same time. */
const aside = temporaryFolder();
const usual = process.env.TMPDIR;

beforeAll(async () => {
  process.env.TMPDIR = aside;
  server = await startServer();
  // an import can take longer than a token is good for where the machine is busy
  admin = await administrator(server);
});

afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

/** Several batches of them. */
const count = isThorough ? 4500 : 1200;
const early = Math.floor(count / 3);
const late = 2 * early;
/** Two kilobytes for each user: together several times what is parsed in one go. */
const padding = 'x'.repeat(250);

const userOf = (n: number) => ({
  username: `user-${String(n).padStart(4, '0')}`,
  enabled: true,
  email: `user-${n}@mail.example`,
  attributes: { padding: Array(8).fill(padding), shoe: ['42'] },
  realmRoles: ['clerk'],
  clientRoles: { shop: ['seller'] },
  groups: ['/staff/night'],
  ...(n === 7 && { credentials: [{ type: 'password', value: 'in plain text' }] }),
});

const users = Array.from({ length: count }, (_, n) => userOf(n));

/** They refer to nothing. */
const plain = users.map(({ username, attributes }) => ({ username, attributes }));

const others = {
  enabled: true,
  roles: { realm: [{ name: 'clerk' }], client: { shop: [{ name: 'seller' }] } },
  groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }],
  clients: [
    {
      clientId: 'shop',
      secret: 'kept',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        policies: [{ name: 'the seventh', type: 'user', config: { users: '["user-0007"]' } }],
      },
    },
    { clientId: 'till', secret: 'kept', serviceAccountsEnabled: true },
  ],
};

// that of the one says whose it is, that of the other does not
const accounts = [
  { username: 'service-account-shop', enabled: true, serviceAccountClientId: 'shop', realmRoles: ['clerk'] },
  { username: 'service-account-till', enabled: true, realmRoles: ['clerk'] },
];

const send = (body: object, headers?: Record<string, string>) => admin.send('POST', '/', body, headers);
const exported = async (realm: string) => (await admin.send('GET', `/${realm}/export?secrets=true`)).body;
const spools = () => readdirSync(aside).filter((name) => /^realmgate-\w{6}$/.test(name));
const exists = async (realm: string) => (await admin.send('GET', `/${realm}`)).status === 200;

describe('a large file', () => {
  it('is imported whatever comes first in it, and comes out the same', async () => {
    const create = async (file: object) => {
      const answer = await send(file);
      expect([answer.status, answer.body]).toEqual([201, '']);
      return exported('before');
    };
    const first = await create({ realm: 'before', users: [...users, ...accounts], ...others });
    expect(first.users).toHaveLength(count + accounts.length);
    const named = first.users.filter((user: { serviceAccountClientId?: string }) => user.serviceAccountClientId);
    expect(named.map((user: { username: string }) => user.username).sort()).toEqual(
      accounts.map(({ username }) => username),
    );
    expect(JSON.stringify(first.clients)).toContain('the seventh');
    expect(JSON.stringify(first)).not.toContain('in plain text');
    // what is hashed and made anew differs each time, so it is the first export that is sent from here on
    const { users: sent, ...rest } = first;
    for (const file of [
      { users: sent, ...rest },
      { ...rest, users: sent },
    ]) {
      expect((await admin.send('DELETE', '/before')).status).toBe(204);
      expect(comparable(await create(file))).toEqual(comparable(first));
    }
  });

  it('brings the passwords of its users', async () => {
    expect(await login(server, 'before', 'user-0007', 'in plain text')).toBeTruthy();
  });

  it('leaves no file behind', () => {
    expect(spools()).toEqual([]);
  });

  it('is refused as a whole, with the place of what is wrong', async () => {
    const wrong = async (at: number, change: object) => {
      const file = {
        realm: 'wrong',
        users: users.map((user, n) => (n === at ? { ...user, ...change } : user)),
        ...others,
      };
      const answer = await send(file);
      expect(await exists('wrong')).toBe(false);
      const { errorMessage, error } = answer.body;
      return [answer.status, errorMessage ?? error ?? answer.body];
    };
    expect(await wrong(late, { enabled: 'perhaps' })).toEqual([400, expect.stringContaining(`users.${late}.enabled`)]);
    expect(await wrong(early, { username: { first: 'x' } })).toEqual([
      400,
      expect.stringContaining(`users.${early}.username`),
    ]);
    expect(await wrong(early, { groups: ['/nowhere'] })).toEqual([400, 'Group "/nowhere" not found']);
    expect(await wrong(late, { username: 'USER-0000' })).toEqual([
      409,
      'User with user name user-0000 already exists.',
    ]);
    expect(await wrong(late, { email: 'user-0@mail.example' })).toEqual([
      409,
      'User with email user-0@mail.example already exists.',
    ]);
    expect((await send({ ...others, realm: 'wrong', users, enabled: 'perhaps' })).status).toBe(400);
    expect((await send({ ...others, realm: 'before', users })).status).toBe(409);
    expect(spools()).toEqual([]);
  });

  it('has to be JSON to its end', async () => {
    const text = JSON.stringify({ realm: 'cut', users: plain });
    for (const [body, status] of [
      [text.slice(0, -2), 400],
      [`${text}}`, 400],
      [text.replace('"user-0900"', 'user-0900'), 400],
      [`${text.slice(0, -1)},"users":[]}`, 400],
      [`\uFEFF${text}\n`, 201],
    ] as const) {
      const answer = await admin.send('POST', '/', body, { 'content-type': 'application/json' });
      expect([body.slice(-20), answer.status]).toEqual([body.slice(-20), status]);
    }
    expect(spools()).toEqual([]);
  });

  it('can be sent again with the same idempotency key, and nothing else can', async () => {
    const key = { 'idempotency-key': 'large file' };
    const file = { realm: 'again', users: plain };
    expect((await send(file, key)).status).toBe(201);
    const again = await send(file, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect((await send({ ...file, users: plain.slice(1) }, key)).status).toBe(422);
  });

  it('is tried without being kept', async () => {
    expect((await send({ realm: 'tried', users: plain }, { prefer: 'dry-run' })).status).toBe(201);
    expect(await exists('tried')).toBe(false);
  });
});
