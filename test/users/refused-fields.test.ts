// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;
let realm: string;
let ids: string[];

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

beforeAll(async () => {
  admin = await administrator(await startServer());
  const users = ['anna', 'berta'].map((username) => ({ username, requiredActions: ['VERIFY_EMAIL'] }));
  await admin.send('POST', '/', { realm: 'fields', users });
  realm = node('Realm', (await admin.send('GET', '/fields')).body.id);
  ids = (await admin.send('GET', '/fields/users')).body.map(({ id }: { id: string }) => node('User', id));
});

async function errorsOf(name: string, input: object): Promise<{ code: string; path: string[] }[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await admin.graphql<Record<string, { userErrors: { code: string; path: string[] }[] }>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code path } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name]?.userErrors ?? [];
}

const users = async (): Promise<Record<string, unknown>[]> =>
  (await admin.send('GET', '/fields/users?briefRepresentation=false')).body;

describe('what the contract ignores of a user', () => {
  const code = 'UNKNOWN_REQUIRED_ACTION';
  const requiredActions = ['UPDATE_PASSWORD', 'NONE_SUCH'];

  it.each([
    ['userCreate', () => ({ realm, username: 'new', requiredActions }), ['requiredActions', '1']],
    [
      'usersCreate',
      () => ({ realm, users: [{ username: 'new', requiredActions }] }),
      ['users', '0', 'requiredActions', '1'],
    ],
    ['userUpdate', () => ({ id: ids[0], requiredActions }), ['requiredActions', '1']],
    ['userUpdate', () => ({ id: ids[0], addRequiredActions: requiredActions }), ['addRequiredActions', '1']],
    [
      'usersUpdate',
      () => ({ realm, users: [{ id: ids[1] }, { id: ids[0], requiredActions }] }),
      ['users', '1', 'requiredActions', '1'],
    ],
  ])('is refused by its place: required actions of %s', async (name, input, path) => {
    const before = await users();
    expect(await errorsOf(name, input())).toEqual([{ code, path }]);
    expect(await users()).toEqual(before);
  });

  it('is refused where the realm does not allow changing usernames', async () => {
    const refused = { code: 'READ_ONLY' };
    const items = {
      realm,
      users: [
        { id: ids[0], firstName: 'A' },
        { id: ids[1], username: 'other' },
      ],
    };
    const before = await users();
    expect(await errorsOf('userUpdate', { id: ids[0], username: 'other' })).toEqual([
      { ...refused, path: ['username'] },
    ]);
    expect(await errorsOf('usersUpdate', items)).toEqual([{ ...refused, path: ['users', '1', 'username'] }]);
    expect(await users()).toEqual(before);
    // what changes nothing is no change, and an item that is refused does not keep the others from being written
    expect(await errorsOf('userUpdate', { id: ids[0], username: 'ANNA' })).toEqual([]);
    expect(await errorsOf('usersUpdate', { ...items, onError: 'CONTINUE' })).toHaveLength(1);
    expect(await users()).toMatchObject([{ username: 'anna', firstName: 'A' }, { username: 'berta' }]);

    await admin.send('PUT', '/fields', { editUsernameAllowed: true });
    expect(await errorsOf('usersUpdate', items)).toEqual([]);
    expect(await users()).toMatchObject([{ username: 'anna' }, { username: 'other' }]);
  });

  it('is the business of the contract in a replacing update', async () => {
    const [user] = await users();
    const path = `/fields/users/${user?.id}`;
    expect((await admin.send('PUT', path, { requiredActions: ['NONE_SUCH'] })).status).toBe(204);
    expect(
      (
        await admin.send(
          'PATCH',
          path,
          { requiredActions: ['NONE_SUCH'] },
          { 'content-type': 'application/merge-patch+json' },
        )
      ).status,
    ).toBe(400);
  });
});

it('A password that breaks several rules of the policy is told all of them, with what they say', async () => {
  await admin.send('PUT', '/fields', { passwordPolicy: 'length(8) and digits(2) and upperCase(1) and notUsername' });
  const rules = [/minimum length 8/, /2 numerical digits/, /1 upper case/];
  const told = async (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const { data } = await admin.graphql<
      Record<string, { userErrors: { code: string; path: string[]; message: string }[] }>
    >(`mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code path message } } }`, { input });
    const { userErrors = [] } = data[name] ?? {};
    for (const rule of rules) expect(userErrors.filter(({ message }) => rule.test(message))).toHaveLength(1);
    expect(userErrors).toHaveLength(rules.length);
    expect(new Set(userErrors.map(({ code }) => code))).toEqual(new Set(['PASSWORD_POLICY']));
    return userErrors[0]?.path;
  };
  expect(await told('userCreate', { realm, username: 'frail', password: { value: 'weak' } })).toEqual(['password']);
  expect(await told('userSetPassword', { id: ids[0], value: 'weak' })).toEqual(['value']);
  expect(await told('usersUpdate', { realm, users: [{ id: ids[0], password: { value: 'weak' } }] })).toEqual([
    'users',
    '0',
    'password',
  ]);
  const [user] = await users();
  const path = `/fields/users/${user?.id}/reset-password`;
  expect((await admin.send('PUT', path, { type: 'password', value: 'weak' })).status).toBe(400);
});

describe('what is wrong with one of many users', () => {
  const credentials = [{ type: 'password', secretData: 'none', credentialData: 'none' }];

  it.each([
    ['usersCreate', () => [{ username: 'fine' }, { username: 'new', credentials }]],
    ['usersUpdate', () => [{ id: ids[1] }, { id: ids[0], credentials }]],
  ])('is at its place: credentials of %s', async (name, items) => {
    const [error, ...others] = await errorsOf(name, { realm, users: items() });
    expect(others).toEqual([]);
    expect(error?.path.slice(0, 4)).toEqual(['users', '1', 'credentials', '0']);
  });
});
