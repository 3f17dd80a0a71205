// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// Two instances on one database change one tree of groups at the same time.
const realm = 'thicket';
let instances: [Caller, Caller];

interface Tree {
  id: string;
  name: string;
  path: string;
  subGroups: Tree[];
}

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const servers = [await startServer({ databaseUrl }), await startServer({ databaseUrl })] as const;
  instances = [await administrator(servers[0]), await administrator(servers[1])];
  expect((await instances[0].send('POST', '/', { realm, enabled: true })).status).toBe(201);
});

const rest = (at: number, method: string, path: string, body?: unknown) =>
  (instances[at % 2] as Caller).send(method, `/${realm}${path}`, body);
const make = async (name: string, parent?: string, at = 0): Promise<string> => {
  const answer = await rest(at, 'POST', parent ? `/groups/${parent}/children` : '/groups', { name });
  expect(answer.status).toBe(201);
  return answer.headers.get('location')?.split('/').at(-1) as string;
};

/** Every group of the realm; checks that all are reachable from the top and that all paths are right. */
async function wholeTree(): Promise<Tree[]> {
  const flat: Tree[] = [];
  const walk = (groups: Tree[], above: string): void => {
    for (const group of groups) {
      expect(group.path).toBe(`${above}/${group.name}`);
      flat.push(group);
      walk(group.subGroups, group.path);
    }
  };
  walk((await rest(0, 'GET', '/groups')).body, '');
  expect((await rest(1, 'GET', '/groups/count')).body).toEqual({ count: flat.length });
  return flat;
}

it('groups that are moved below each other at once make no cycle', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [one, other] = [await make(`one-${round}`), await make(`other-${round}`)];
    const answers = await Promise.all([
      rest(0, 'POST', `/groups/${one}/children`, { id: other, name: 'x' }),
      rest(1, 'POST', `/groups/${other}/children`, { id: one, name: 'x' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
  }
  expect(await wholeTree()).toHaveLength(12);
});

it('paths are right after renames, moves and new groups at once', async () => {
  const [a, b] = [await make('a'), await make('b')];
  const inner = await make('inner', a);
  const deepest = await make('deepest', inner);
  const work = Array.from({ length: 24 }, (_, at) => {
    if (at % 4 === 0) return rest(at / 4, 'PUT', `/groups/${a}`, { name: `a-${at}` });
    if (at % 4 === 1)
      return rest(at >> 2, 'POST', `/groups/${at % 8 === 1 ? a : b}/children`, { id: inner, name: 'x' });
    if (at % 4 === 2) return rest(at >> 2, 'PUT', `/groups/${inner}`, { name: `inner-${at}` });
    return rest(at >> 2, 'POST', `/groups/${deepest}/children`, { name: `new-${at}` });
  });
  const statuses = (await Promise.all(work)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 204 && status !== 201)).toEqual([]);
  const tree = await wholeTree();
  expect(tree.filter(({ name }) => name.startsWith('new-'))).toHaveLength(6);
});

it('a group that is deleted while others are put below it takes all of them along or none', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [gone, moved] = [await make(`gone-${round}`), await make(`moved-${round}`)];
    const [deleted, into, created] = await Promise.all([
      rest(0, 'DELETE', `/groups/${gone}`),
      rest(1, 'POST', `/groups/${gone}/children`, { id: moved, name: 'x' }),
      rest(1, 'POST', `/groups/${gone}/children`, { name: 'late' }),
    ]);
    expect(deleted.status).toBe(204);
    expect([204, 404, 409]).toContain(into.status);
    expect([201, 404, 409]).toContain(created.status);
    expect((await rest(0, 'GET', `/groups/${moved}`)).status).toBe(into.status === 204 ? 404 : 200);
  }
  await wholeTree();
});
