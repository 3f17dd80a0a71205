// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// Groups that are moved many at a time.
const realm = 'moving-many';
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};

interface Payload {
  groups: { name: string; path: string; version: number }[] | null;
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: { resourcePath: string }[];
}

async function move(names: string[], parent: string, more: object = {}, directive = ''): Promise<Payload> {
  const query = `mutation ($input: GroupsMoveInput!) ${directive} { groupsMove(input: $input) {
    groups { name path version } userErrors { code path } adminEvents { resourcePath } } }`;
  const input = { ids: names.map((name) => ids[name] ?? name), parent: ids[parent], ...more };
  const { data, errors } = await admin.graphql<{ groupsMove: Payload }>(query, { input });
  expect(errors).toBeUndefined();
  return data.groupsMove;
}

async function paths(): Promise<string[]> {
  const { data } = await admin.graphql<{
    realm: { id: string; groups: { edges: { node: { id: string; name: string; path: string } }[] } };
  }>(`{ realm(name: "${realm}") { id groups(first: 500) { edges { node { id name path } } } } }`);
  for (const { node } of data.realm.groups.edges) ids[node.name] = node.id;
  ids.realm = data.realm.id;
  return data.realm.groups.edges.map(({ node }) => node.path);
}

beforeAll(async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ name: `g${at}`, subGroups: [{ name: `below${at}` }] }));
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      groups: [
        { name: 'a', subGroups: [{ name: 'b', subGroups: [{ name: 'c' }] }] },
        { name: 'to', subGroups: [{ name: 'there' }, { name: 'twin' }] },
        { name: 'other', subGroups: [{ name: 'twin' }] },
        ...many,
      ],
    },
    {},
    slowClock,
  ));
  await paths();
});

describe('many groups', () => {
  it('are moved with all below them, also where one is below another', async () => {
    const dry = await move(['a', 'b', 'there'], 'to', {}, '@dryRun');
    expect(await paths()).toContain('/a/b/c');
    const done = await move(['a', 'b', 'there'], 'to');
    expect(dry).toEqual(done);
    expect(done.groups).toEqual([
      { name: 'a', path: '/to/a', version: 1 },
      { name: 'b', path: '/to/b', version: 1 },
      { name: 'there', path: '/to/there', version: 0 },
    ]);
    expect(done.userErrors).toEqual([]);
    expect(done.adminEvents).toHaveLength(3);
    expect(await paths()).toContain('/to/b/c');
    expect((await move(['a'], 'realm')).groups).toEqual([{ name: 'a', path: '/a', version: 2 }]);
  });

  it('are refused one by one, at their places', async () => {
    // of the groups with one name, the last one that was read is in the other group
    const [inTo, inOther] = await twins();
    const names = ['to', inOther, 'g0', 'g0', 'R3JvdXA6dW5rbm93bg=='];
    const faults = [
      { code: 'CYCLE', path: ['ids', '0'] },
      { code: 'NAME_TAKEN', path: ['ids', '1'] },
      { code: 'REPEATED', path: ['ids', '3'] },
      { code: 'NOT_FOUND', path: ['ids', '4'] },
    ];
    expect(await move(names, 'to')).toEqual({ groups: null, userErrors: faults, adminEvents: [] });
    const rest = await move(names, 'to', { onError: 'CONTINUE' });
    expect(rest).toMatchObject({ groups: [{ path: '/to/g0' }], userErrors: faults });
    const both = await move([inTo, inOther], 'realm', { onError: 'CONTINUE' });
    expect(both).toMatchObject({
      groups: [{ path: '/twin' }],
      userErrors: [{ code: 'NAME_TAKEN', path: ['ids', '1'] }],
    });
  });

  it('take the same statements for 2 and for 50', async () => {
    const statements = async (from: number, count: number) => {
      const names = Array.from({ length: count }, (_, at) => `g${from + at}`);
      const { result, statements: taken } = await measureStatements(server, () => move(names, 'other'));
      expect(result.userErrors).toEqual([]);
      return taken;
    };
    await statements(1, 1);
    const few = await statements(2, 2);
    expect(await statements(5, 50)).toBe(few);
  });
});

/** The IDs of both groups with the same name. */
async function twins(): Promise<[string, string]> {
  const query = (path: string) => `{ realm(name: "${realm}") { group(path: "${path}") { id } } }`;
  const idAt = async (path: string) =>
    (await admin.graphql<{ realm: { group: { id: string } } }>(query(path))).data.realm.group.id;
  return [await idAt('/to/twin'), await idAt('/other/twin')];
}
