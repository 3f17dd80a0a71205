// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock } from '../support/server.js';

// What a client needs to update the tree that it shows is in the payload.
const realm = 'moving';
let admin: Caller;
const ids: Record<string, string> = {};

interface Payload {
  group: {
    id: string;
    path: string;
    depth: number;
    parent: { id: string; childCount: number } | null;
    descendants: { edges: { node: { id: string; path: string; depth: number; parent: { id: string } } }[] };
  } | null;
  changes: { path: string[]; before: string | null; after: string | null }[] | null;
  userErrors: { code: string }[];
}

async function move(id: string | undefined, parent: string | undefined, directive = ''): Promise<Payload> {
  const query = `mutation ($input: GroupMoveInput!) ${directive} { groupMove(input: $input) {
    group { id path depth parent { id childCount } descendants { edges { node { id path depth parent { id } } } } }
    changes { path before after }
    userErrors { code }
  } }`;
  const { data, errors } = await admin.graphql<{ groupMove: Payload }>(query, { input: { id, parent } });
  expect(errors).toBeUndefined();
  return data.groupMove;
}

async function readIds(): Promise<Record<string, string>> {
  const { data } = await admin.graphql<{
    realm: { id: string; groups: { edges: { node: { id: string; name: string; path: string } }[] } };
  }>(`{ realm(name: "${realm}") { id groups { edges { node { id name path } } } } }`);
  for (const { node } of data.realm.groups.edges) ids[node.name] = node.id;
  ids.realm = data.realm.id;
  return Object.fromEntries(data.realm.groups.edges.map(({ node }) => [node.name, node.path]));
}

beforeAll(async () => {
  ({ admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      groups: [
        { name: 'sales', subGroups: [{ name: 'team', subGroups: [{ name: 'crew', subGroups: [{ name: 'pair' }] }] }] },
        { name: 'works', subGroups: [{ name: 'yard' }] },
      ],
    },
    {},
    slowClock,
  ));
  await readIds();
});

const moved = () => ({
  group: {
    id: ids.team,
    path: '/works/team',
    depth: 1,
    parent: { id: ids.works, childCount: 2 },
    descendants: {
      edges: [
        { node: { id: ids.crew, path: '/works/team/crew', depth: 2, parent: { id: ids.team } } },
        { node: { id: ids.pair, path: '/works/team/crew/pair', depth: 3, parent: { id: ids.crew } } },
      ],
    },
  },
  changes: [{ path: ['path'], before: '"/sales/team"', after: '"/works/team"' }],
  userErrors: [],
});

describe('the payload of a move', () => {
  it('shows without a write what it would be', async () => {
    expect(await move(ids.team, ids.works, '@dryRun')).toEqual(moved());
    expect(await readIds()).toMatchObject({ team: '/sales/team', pair: '/sales/team/crew/pair' });
  });

  it('has the group where it is now, what is below it, and the path before', async () => {
    expect(await move(ids.team, ids.works)).toEqual(moved());
    expect(await readIds()).toMatchObject({ team: '/works/team', pair: '/works/team/crew/pair' });
  });

  it('has no changes where the group is there already', async () => {
    expect(await move(ids.team, ids.works)).toMatchObject({
      group: { path: '/works/team' },
      changes: [],
      userErrors: [],
    });
  });

  it('has no parent at the top level', async () => {
    expect(await move(ids.team, ids.realm)).toMatchObject({
      group: { path: '/team', depth: 0, parent: null },
      changes: [{ path: ['path'], before: '"/works/team"', after: '"/team"' }],
    });
  });

  it('has no group where the move is refused', async () => {
    expect(await move(ids.team, ids.pair)).toEqual({ group: null, changes: [], userErrors: [{ code: 'CYCLE' }] });
  });
});
