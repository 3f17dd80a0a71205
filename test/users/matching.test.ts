// @both-databases
import { beforeEach, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;
let realm: string;
let made = 0;
let name: string;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

beforeEach(async () => {
  server ??= await startServer({}, slowClock);
  admin ??= await administrator(server);
  name = `matching-${made++}`;
  await admin.send('POST', '/', {
    realm: name,
    enabled: true,
    adminEventsEnabled: true,
    users: [
      ...Array.from({ length: 60 }, (_, at) => ({
        username: `u${String(at).padStart(2, '0')}`,
        enabled: at % 3 > 0,
        emailVerified: at % 2 > 0,
        requiredActions: [...(at < 10 ? ['VERIFY_EMAIL'] : []), ...(at < 5 ? ['UPDATE_PROFILE'] : [])],
        attributes: { kept: ['1'], level: [String(at % 4)] },
      })),
      {
        username: 'searcher',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['query-users'] },
      },
      {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['view-users'] },
      },
      {
        username: 'manager',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['manage-users'] },
      },
      { username: 'owner', enabled: true, clientRoles: { 'realm-management': ['realm-admin'] } },
    ],
  });
  realm = node('Realm', (await admin.send('GET', `/${name}`)).body.id);
});

interface Counted {
  yes: number;
  no: number;
}
interface Facets {
  total: number;
  isEnabled: Counted;
  isEmailVerified: Counted;
  requiredActions: { alias: string; count: number }[];
  storages: { storage: object | null; storageId: string | null; count: number }[];
}

async function facets(caller: Caller, filter = '{}'): Promise<Facets | null> {
  const { data, errors } = await caller.graphql<{ realm: { userFacets: Facets | null } }>(
    `{ realm(name: "${name}") { userFacets(filter: ${filter}) {
      total isEnabled { yes no } isEmailVerified { yes no } requiredActions { alias count }
      storages { storage { name } storageId count } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.realm.userFacets;
}

async function mutate(mutation: string, input: object, caller = admin, directive = '') {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const result = mutation.startsWith('usersDelete') ? 'deletedIds' : 'users { username }';
  const { data, errors } = await caller.graphql<
    Record<string, { users?: { username: string }[]; deletedIds?: string[]; userErrors: object[] }>
  >(`mutation ($input: ${type}!) ${directive} { ${mutation}(input: $input) { ${result} userErrors { code path } } }`, {
    input,
  });
  expect(errors).toBeUndefined();
  return data[mutation];
}

const usernames = async (query: string): Promise<string[]> =>
  (await admin.send('GET', `/${name}/users?max=100&${query}`)).body.map(
    ({ username }: { username: string }) => username,
  );

describe('facets of users', () => {
  it('count the users that match, in one statement', async () => {
    expect(await facets(admin, '{ username: { startsWith: "u" } }')).toEqual({
      total: 60,
      isEnabled: { yes: 40, no: 20 },
      isEmailVerified: { yes: 30, no: 30 },
      requiredActions: [
        { alias: 'VERIFY_EMAIL', count: 10 },
        { alias: 'UPDATE_PROFILE', count: 5 },
      ],
      storages: [{ storage: null, storageId: null, count: 60 }],
    });
    expect(
      await facets(admin, '{ attribute: { name: "level", value: { equals: "3" } }, isEnabled: true }'),
    ).toMatchObject({
      total: 10,
      isEnabled: { yes: 10, no: 0 },
    });
    const selection = 'userFacets { total }';
    const statements = async (fields: string) => {
      const { extensions } = await admin.graphql(`{ realm(name: "${name}") { id ${fields} } }`);
      return (extensions as { cost: { statements: number } }).cost.statements;
    };
    expect(await statements(selection)).toBe((await statements('')) + 1);
  });

  it('count only those whom the caller may view', async () => {
    expect(await facets(await userOf(server, name, 'viewer', 'pw'))).toMatchObject({ total: 64 });
    expect(await facets(await userOf(server, name, 'searcher', 'pw'))).toMatchObject({ total: 0, storages: [] });
  });
});

describe('users that match a filter', () => {
  const filter = { requiredAction: 'VERIFY_EMAIL' };

  it('are changed together, in part or as a whole', async () => {
    const changes = {
      isEnabled: true,
      setAttributes: [{ name: 'level', values: ['9'] }],
      removeAttributes: ['kept'],
      addRequiredActions: ['UPDATE_PASSWORD'],
      removeRequiredActions: ['VERIFY_EMAIL'],
    };
    const dry = await mutate('usersUpdateMatching', { realm, filter, limit: 10, changes }, admin, '@dryRun');
    expect(dry?.users).toHaveLength(10);
    expect(await usernames('q=level:9')).toEqual([]);
    const { users = [], userErrors } =
      (await mutate('usersUpdateMatching', { realm, filter, limit: 10, changes })) ?? {};
    expect([users.length, userErrors]).toEqual([10, []]);
    const [first, , , , , sixth] = (await admin.send('GET', `/${name}/users?max=6&search=u0&briefRepresentation=false`))
      .body;
    expect(first).toMatchObject({ username: 'u00', enabled: true, attributes: { level: ['9'] } });
    expect(first.requiredActions.sort()).toEqual(['UPDATE_PASSWORD', 'UPDATE_PROFILE']);
    expect(first.attributes).toEqual({ level: ['9'] });
    expect(sixth.requiredActions).toEqual(['UPDATE_PASSWORD']);
    // nobody matches any more
    expect(await mutate('usersUpdateMatching', { realm, filter, limit: 10, changes })).toEqual({
      users: [],
      userErrors: [],
    });
  });

  it('are refused as a whole if they are more than expected', async () => {
    for (const [mutation, more] of [
      ['usersUpdateMatching', { changes: { isEnabled: false } }],
      ['usersDeleteMatching', {}],
    ] as const) {
      const answer = await mutate(mutation, { realm, filter, limit: 9, ...more });
      expect(answer?.userErrors).toEqual([{ code: 'TOO_MANY', path: ['limit'] }]);
      for (const limit of [0, 1001]) {
        const wrong = await mutate(mutation, { realm, filter, limit, ...more });
        expect(wrong?.userErrors).toEqual([{ code: 'INVALID', path: ['limit'] }]);
      }
      const isNull = await mutate(mutation, { realm, filter: { isEnabled: null }, limit: 9, ...more });
      expect(isNull?.userErrors).toEqual([{ code: 'INVALID', path: ['filter', 'isEnabled'] }]);
    }
    expect(await usernames('enabled=true')).toHaveLength(44);
  });

  it('are refused to callers who may only view them', async () => {
    const viewer = await userOf(server, name, 'viewer', 'pw');
    const answer = await mutate('usersDeleteMatching', { realm, filter: {}, limit: 100 }, viewer);
    expect(answer).toMatchObject({ deletedIds: null, userErrors: [{ code: 'FORBIDDEN' }] });
  });

  it('name the input that is wrong', async () => {
    const changes = { addRequiredActions: ['NONE_SUCH'], setAttributes: null };
    const answer = await mutate('usersUpdateMatching', { realm, filter, limit: 10, changes });
    expect(answer?.userErrors).toEqual([
      { code: 'INVALID', path: ['changes', 'setAttributes'] },
      { code: 'UNKNOWN_REQUIRED_ACTION', path: ['changes', 'addRequiredActions', '0'] },
    ]);
  });

  it('are those that match in the transaction that changes them', async () => {
    const changes = { removeRequiredActions: ['VERIFY_EMAIL'] };
    let answer: ReturnType<typeof mutate> | undefined;
    await server.database.transaction(async (tx) => {
      const gone = { username: { in: ['u00', 'u01'] } };
      await tx.user.updateMany({ where: gone, data: { requiredActions: [], version: { increment: 1 } } });
      answer = mutate('usersUpdateMatching', { realm, filter, limit: 10, changes });
      // by now the mutation waits, or has not begun
      await admin.send('GET', `/${name}/users/count`);
    });
    const { users = [], userErrors } = (await answer) ?? {};
    expect(userErrors).toEqual([]);
    expect(users.map(({ username }) => username)).toEqual(Array.from({ length: 8 }, (_, at) => `u0${at + 2}`));
  });

  it('are those of the first request where its key is repeated, and are not looked for again', async () => {
    const changes = { removeRequiredActions: ['VERIFY_EMAIL'] };
    for (const [mutation, more, result] of [
      ['usersUpdateMatching', { changes }, 'users'],
      ['usersDeleteMatching', {}, 'deletedIds'],
    ] as const) {
      const input = { realm, filter: { search: 'u' }, limit: 60, idempotencyKey: mutation, ...more };
      const first = await mutate(mutation, input);
      expect(first?.[result]).toHaveLength(60);
      const late = { username: `u-${mutation}`, enabled: true };
      expect((await admin.send('POST', `/${name}/users`, late)).status).toBe(201);
      // now 61 match, or one
      const again = await mutate(mutation, input);
      expect(again).toEqual(first);
      const other = await mutate(mutation, { ...input, limit: 59 });
      expect(other?.userErrors).toEqual([{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'] }]);
      const [made] = (await admin.send('GET', `/${name}/users?username=${late.username}&exact=true`)).body;
      expect((await admin.send('DELETE', `/${name}/users/${made.id}`)).status).toBe(204);
    }
  });

  it('are not changed by callers who may do less than one of them', async () => {
    const manager = await userOf(server, name, 'manager', 'pw');
    for (const [mutation, more] of [
      ['usersUpdateMatching', { changes: { isEnabled: false } }],
      ['usersDeleteMatching', {}],
    ] as const) {
      const all = await mutate(mutation, { realm, filter: {}, limit: 100, ...more }, manager);
      expect(all?.userErrors).toEqual([{ code: 'FORBIDDEN', path: null }]);
      const others = { username: { startsWith: 'u0' } };
      const few = await mutate(mutation, { realm, filter: others, limit: 100, ...more }, manager);
      expect(few?.userErrors).toEqual([]);
    }
    expect(await usernames('search=u0')).toEqual([]);
    expect(await usernames('search=owner')).toEqual(['owner']);
  });

  it('refuse what is wrong with the changes also where nobody matches', async () => {
    const changes = { isEnabled: null, addRequiredActions: ['NONE_SUCH'] };
    const answer = await mutate('usersUpdateMatching', {
      realm,
      filter: { username: { equals: 'x' } },
      limit: 1,
      changes,
    });
    expect(answer?.userErrors).toEqual([
      { code: 'INVALID', path: ['changes', 'isEnabled'] },
      { code: 'UNKNOWN_REQUIRED_ACTION', path: ['changes', 'addRequiredActions', '0'] },
    ]);
  });

  it.each([
    ['usersUpdateMatching', { changes: { isEnabled: false, setAttributes: [{ name: 'a', values: ['1'] }] } }],
    ['usersDeleteMatching', {}],
  ])('take the same statements for 2 and for 50: %s', async (mutation, more) => {
    const statements = async (from: number, count: number) => {
      const wanted = Array.from({ length: count }, (_, at) => `u${String(from + at).padStart(2, '0')}`);
      const input = { realm, filter: { username: { in: wanted } }, limit: count, ...more };
      const { result: answer, statements: taken } = await measureStatements(server, () => mutate(mutation, input));
      expect([answer?.userErrors, (answer?.users ?? answer?.deletedIds)?.length]).toEqual([[], count]);
      return taken;
    };
    await statements(0, 2);
    const few = await statements(2, 2);
    expect(await statements(5, 50)).toBe(few);
  });

  it('are deleted together', async () => {
    const answer = await mutate('usersDeleteMatching', { realm, filter, limit: 10 });
    expect(answer?.deletedIds).toHaveLength(10);
    expect(await usernames('search=u')).toHaveLength(50);
  });
});

describe('each of many users', () => {
  it('is changed in part', async () => {
    const [one, two] = (await admin.send('GET', `/${name}/users?max=2&search=u0`)).body;
    const [first, second] = [node('User', one.id), node('User', two.id)];
    const users = [
      { id: first, setAttributes: [{ name: 'team', values: ['a', 'b'] }] },
      { id: second, removeRequiredActions: ['VERIFY_EMAIL'], attributes: [] },
    ];
    expect((await mutate('usersUpdate', { realm, users }))?.userErrors).toEqual([]);
    expect((await admin.send('GET', `/${name}/users/${one.id}`)).body).toMatchObject({
      attributes: { kept: ['1'], level: ['0'], team: ['a', 'b'] },
      requiredActions: ['VERIFY_EMAIL', 'UPDATE_PROFILE'],
    });
    const after = (await admin.send('GET', `/${name}/users/${two.id}`)).body;
    expect([after.attributes, after.requiredActions]).toEqual([undefined, ['UPDATE_PROFILE']]);
    const wrong = [{ id: first, attributes: [], setAttributes: [] }];
    expect((await mutate('usersUpdate', { realm, users: wrong }))?.userErrors).toEqual([
      { code: 'INVALID', path: ['users', '0', 'attributes'] },
    ]);
  });
});
