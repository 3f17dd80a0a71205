// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

const realm = 'filtered';
let admin: Caller;

beforeAll(async () => {
  const started = await startWithRealm({
    realm,
    enabled: true,
    eventsEnabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
  });
  admin = started.admin;
  for (const name of ['one', 'two', 'three'])
    await admin.send('POST', `/${realm}/roles`, { name, description: 'kept' });
  await admin.send('POST', `/${realm}/users`, { username: 'ann' });
});

interface Page {
  edges: { cursor: string; node: { resourcePath: string; time: string } }[];
  pageInfo: { hasNextPage: boolean };
  totalCount: number;
}
const list = async (args: string, caller = admin) =>
  caller.graphql<{ realm: { adminEvents: Page } }>(`{ realm(name: "${realm}") { adminEvents${args} {
    totalCount pageInfo { hasNextPage } edges { cursor node { resourcePath time } } } } }`);
const paths = async (args: string) => {
  const { data, errors } = await list(args);
  expect(errors).toBeUndefined();
  return data.realm.adminEvents.edges.map(({ node }) => node.resourcePath);
};

describe('a list of events', () => {
  it('is in the order of time, either way, over pages', async () => {
    const all = await paths('');
    expect(all.filter((path) => path.startsWith('roles/')).toSorted()).toEqual([
      'roles/one',
      'roles/three',
      'roles/two',
    ]);
    expect(await paths('(orderBy: { field: TIME, direction: DESC })')).toEqual(all);
    expect(await paths('(orderBy: { field: TIME })')).toEqual(all.toReversed());
    const { data } = await list('(first: 2, orderBy: { field: TIME })');
    const { edges, pageInfo, totalCount } = data.realm.adminEvents;
    expect({ pageInfo, totalCount }).toEqual({ pageInfo: { hasNextPage: true }, totalCount: 4 });
    expect(await paths(`(first: 9, orderBy: { field: TIME }, after: "${edges[1]?.cursor}")`)).toEqual(
      all.toReversed().slice(2),
    );
  });

  it('is filtered by actor, object and text, and by what is none of these', async () => {
    const { data } = await admin.graphql<{ viewer: { user: { id: string } } | null } & Record<string, unknown>>(
      `{ realm(name: "master") { user(username: "admin") { id } }
         filtered: realm(name: "${realm}") { user(username: "ann") { id } roles(first: 500) { edges { node { id name } } } } }`,
    );
    const { realm: master, filtered } = data as unknown as {
      realm: { user: { id: string } };
      filtered: { user: { id: string }; roles: { edges: { node: { id: string; name: string } }[] } };
    };
    const two = filtered.roles.edges.find(({ node }) => node.name === 'two')?.node.id;
    expect(await paths(`(filter: { actor: "${master.user.id}" })`)).toHaveLength(4);
    expect(await paths(`(filter: { actor: "${filtered.user.id}" })`)).toEqual([]);
    expect(await paths(`(filter: { resource: "${two}" })`)).toEqual(['roles/two']);
    expect(await paths(`(filter: { not: { resource: "${two}" } })`)).toHaveLength(3);
    expect(await paths('(filter: { search: "kept" })')).toEqual(
      expect.arrayContaining(['roles/one', 'roles/two', 'roles/three']),
    );
    expect(await paths('(filter: { search: "kept" })')).toHaveLength(3);
    expect(await paths('(filter: { not: { search: "kept" }, operation: { equals: "user.create" } })')).toHaveLength(1);
  });

  it.each([
    ['adminEvents', 'operationTypes'],
    ['adminEvents', 'time'],
    ['adminEvents', 'actor'],
    ['loginEvents', 'types'],
    ['loginEvents', 'search'],
  ])('refuses null within a filter of %s: %s', async (field, condition) => {
    const { data, errors } = await admin.graphql<{ realm: object }>(
      `{ realm(name: "${realm}") { ${field}(filter: { not: { ${condition}: null } }) { totalCount } } }`,
    );
    expect(data.realm).toEqual({ [field]: null });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID', field: `filter.not.${condition}` } }]);
  });
});
