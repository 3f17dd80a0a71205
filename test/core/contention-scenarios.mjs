// Many writers of the same things at the same moment, through two instances, and what must be true afterwards.

/** The realm in which they meet. */
const realm = 'contended';

const people = ['meeting', 'counted', 'written', 'granted', 'joined', 'leaving'];

/** What the writers write: made once, ahead of all. */
const file = {
  realm,
  enabled: true,
  roles: { realm: ['granted', 'one', 'two', 'three'].map((name) => ({ name })) },
  groups: ['joined', 'renamed', 'left', 'right', 'third'].map((name) => ({ name, subGroups: [{ name: 'child' }] })),
  clients: [{ clientId: 'written', enabled: true }],
  users: people.map((username) => ({ username, enabled: true, attributes: { count: ['0'] } })),
};

/** The ids of what is in the realm. */
async function idsOf({ send }) {
  const list = async (path) => (await send('GET', `/${realm}${path}`)).body;
  const byName = (rows, name) => Object.fromEntries(rows.map((row) => [row[name], row.id]));
  return {
    users: byName(await list('/users?max=1000'), 'username'),
    groups: byName(await list('/groups'), 'name'),
    roles: byName(await list('/roles'), 'name'),
    clients: byName(await list('/clients'), 'clientId'),
  };
}

const tally = (statuses) => {
  const counts = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const userQuery = `query ($realm: String!, $name: String!) { realm(name: $realm) {
  users(first: 1, filter: { username: { equals: $name } }) { edges { node { id version attributes { name values } } } } } }`;
const userUpdate = `mutation ($input: UserUpdateInput!) { userUpdate(input: $input) { userErrors { code } } }`;

/** Counts one up, trying again as long as somebody else was faster; returns the status, or the code of a failure. */
async function countUp({ graphql }, pause) {
  for (;;) {
    const read = await graphql(userQuery, { realm, name: 'counted' });
    if (read.errors) return read.errors[0].extensions?.code ?? 'FAILED';
    const [{ node }] = read.data.realm.users.edges;
    const [count] = node.attributes.find(({ name }) => name === 'count').values;
    const input = {
      id: node.id,
      expectedVersion: node.version,
      attributes: [{ name: 'count', values: [String(Number(count) + 1)] }],
    };
    const { data, errors } = await graphql(userUpdate, { input });
    const code = errors?.[0]?.extensions?.code ?? data.userUpdate.userErrors[0]?.code;
    if (code === undefined) return 204;
    if (code !== 'STALE') return code;
    await new Promise((resume) => setTimeout(resume, Math.random() * pause));
  }
}

/** Every group of the tree with the path that it should have and the one that it says that it has. */
const pathsOf = (groups, parent = '') =>
  groups.flatMap(({ name, path, subGroups }) => [
    { expected: `${parent}/${name}`, path },
    ...pathsOf(subGroups ?? [], `${parent}/${name}`),
  ]);

async function brokenPaths({ send }) {
  const groups = pathsOf((await send('GET', `/${realm}/groups`)).body);
  const lost = groups.length === 10 ? [] : [`${groups.length} groups instead of 10 are left in the tree`];
  return [...lost, ...groups.filter(({ expected, path }) => expected !== path).map(({ path }) => `wrong path ${path}`)];
}

const only = (outcomes, allowed) =>
  Object.keys(outcomes)
    .filter((status) => !allowed.includes(Number(status)))
    .map((status) => `${outcomes[status]} answers of ${status}`);

const exactly = (outcomes, status, count) =>
  (outcomes[status] ?? 0) === count ? [] : [`${outcomes[status] ?? 0} answers of ${status} instead of ${count}`];

/**
 * The scenarios: `write` is what each of the writers does, `at` its number, and answers with a status; `wrong` tells
 * what is not as it should be, given how many answers of each status there were.
 */
export function scenarios(ids, writers) {
  const { users, groups, roles, clients } = ids;
  const at = (path) => `/${realm}${path}`;
  const mapping = at(`/users/${users.granted}/role-mappings/realm`);
  const pick = (list, number) => list[number % list.length];
  const trees = ['left', 'right', 'third'];
  const names = ['one', 'two', 'three'];
  return [
    {
      name: 'count up one user with expectedVersion',
      write: (caller) => countUp(caller, writers),
      wrong: async ({ graphql }, outcomes) => {
        const { data } = await graphql(userQuery, { realm, name: 'counted' });
        const [count] = data.realm.users.edges[0].node.attributes.find(({ name }) => name === 'count').values;
        const lost = Number(count) === writers ? [] : [`${writers - Number(count)} updates are lost`];
        return [...lost, ...only(outcomes, [204])];
      },
    },
    {
      name: 'write one user, last one wins',
      write: async ({ send }, number) => {
        const value = String(number);
        const body = { firstName: value, lastName: value, attributes: { one: [value], two: [value] } };
        return (await send('PUT', at(`/users/${users.written}`), body)).status;
      },
      wrong: async ({ send }, outcomes) => {
        const { body } = await send('GET', at(`/users/${users.written}`));
        const values = new Set([body.firstName, body.lastName, ...body.attributes.one, ...body.attributes.two]);
        return [...(values.size === 1 ? [] : ['the user is mixed of two writes']), ...only(outcomes, [204])];
      },
    },
    {
      name: 'give and take one role',
      write: async ({ send }, number) =>
        (await send(number % 4 < 2 ? 'POST' : 'DELETE', mapping, [{ id: roles.granted, name: 'granted' }])).status,
      wrong: async (_, outcomes) => only(outcomes, [204]),
    },
    {
      name: 'join and leave one group',
      write: async ({ send }, number) =>
        (await send(number % 4 < 2 ? 'PUT' : 'DELETE', at(`/users/${users.joined}/groups/${groups.joined}`))).status,
      wrong: async (_, outcomes) => only(outcomes, [204]),
    },
    {
      name: 'create users of one name',
      write: async ({ send }) =>
        (await send('POST', at('/users'), { username: 'same', email: 'same@example.test' })).status,
      wrong: async (_, outcomes) => [...exactly(outcomes, 201, 1), ...only(outcomes, [201, 409])],
    },
    {
      name: 'create and delete one user',
      write: async ({ send }, number) => {
        if (number % 2 === 0) return (await send('POST', at('/users'), { username: 'passing', enabled: true })).status;
        const [user] = (await send('GET', at('/users?username=passing&exact=true'))).body;
        return user ? (await send('DELETE', at(`/users/${user.id}`))).status : 404;
      },
      wrong: async (_, outcomes) => only(outcomes, [201, 204, 404, 409]),
    },
    {
      name: 'write one client, last one wins',
      write: async ({ send }, number) => {
        const value = String(number);
        const body = { clientId: 'written', name: value, description: value, redirectUris: [value] };
        return (await send('PUT', at(`/clients/${clients.written}`), body)).status;
      },
      wrong: async ({ send }, outcomes) => {
        const { body } = await send('GET', at(`/clients/${clients.written}`));
        const mixed = body.name !== body.description || body.name !== body.redirectUris[0];
        return [...(mixed ? ['the client is mixed of two writes'] : []), ...only(outcomes, [204])];
      },
    },
    {
      name: 'rename one group',
      write: async ({ send }, number) =>
        (await send('PUT', at(`/groups/${groups.renamed}`), { name: `renamed-${number}` })).status,
      wrong: async (caller, outcomes) => [...(await brokenPaths(caller)), ...only(outcomes, [204])],
    },
    {
      name: 'move three groups into each other',
      write: async ({ send }, number) => {
        const name = pick(trees, number);
        // to the top level every fourth time
        const parent = number % 4 === 3 ? '' : `/${groups[pick(trees, number + 1 + (number % 2))]}/children`;
        return (await send('POST', at(`/groups${parent}`), { id: groups[name], name })).status;
      },
      // where a group would come below itself, or below one that has such a child, it stays
      wrong: async (caller, outcomes) => [...(await brokenPaths(caller)), ...only(outcomes, [201, 204, 400, 409])],
    },
    {
      name: 'compose roles in a circle',
      write: async ({ send }, number) => {
        const [name, child] = [pick(names, number), pick(names, number + 1)];
        const method = number % 8 < 6 ? 'POST' : 'DELETE';
        return (await send(method, at(`/roles/${name}/composites`), [{ id: roles[child], name: child }])).status;
      },
      wrong: async ({ send }, outcomes) => {
        const { status } = await send('GET', at(`/users/${users.meeting}/role-mappings/realm/composite`));
        return [...(status === 200 ? [] : ['effective roles cannot be told']), ...only(outcomes, [204])];
      },
    },
    {
      name: 'change one realm',
      write: async ({ send }, number) =>
        (await send('PUT', at(''), { attributes: { last: String(number) }, displayName: String(number) })).status,
      wrong: async ({ send }, outcomes) => {
        const { body } = await send('GET', at(''));
        const mixed = body.attributes.last !== body.displayName;
        return [...(mixed ? ['the realm is mixed of two writes'] : []), ...only(outcomes, [204])];
      },
    },
    {
      name: 'create users while their realm is deleted',
      write: async ({ send }, number) =>
        number === Math.floor(writers / 2)
          ? (await send('DELETE', at(''))).status
          : (await send('POST', at('/users'), { username: `late-${number}` })).status,
      wrong: async ({ send }, outcomes) => [
        ...((await send('GET', at(''))).status === 404 ? [] : ['the realm is still there']),
        ...exactly(outcomes, 204, 1),
        // a creator who located the realm in time finds that it is gone, or that nobody administers it
        ...only(outcomes, [201, 204, 403, 404, 409]),
      ],
    },
  ];
}

/** Runs all scenarios, each writer through the next of the callers. */
export async function contend(callers, writers) {
  const [first] = callers;
  const made = await first.send('POST', '/', file);
  if (made.status !== 201) throw new Error(`The realm cannot be made: ${made.status} ${JSON.stringify(made.body)}`);
  const results = [];
  for (const { name, write, wrong } of scenarios(await idsOf(first), writers)) {
    const writes = Array.from({ length: writers }, (_, at) => write(callers[at % callers.length], at));
    const outcomes = tally(await Promise.all(writes));
    results.push({ name, outcomes, wrong: await wrong(first, outcomes) });
  }
  return results;
}
