// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// Groups and roles that are changed many at a time.
const realm = 'bulk-updates';
let server: TestServer;
let admin: Caller;
let realmId: string;
const ids: Record<string, string> = {};

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const send = async (method: string, path: string, body?: object) => {
  const answer = await admin.send(method, `/${realm}${path}`, body);
  expect([method, path, answer.status < 300]).toEqual([method, path, true]);
  return answer.body;
};

interface Row {
  name: string;
  path?: string;
  version: number;
  attributes: { name: string; values: string[] }[];
}
interface Payload {
  groups?: Row[] | null;
  roles?: Row[] | null;
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: { operationType: string; resourcePath: string }[];
}

async function update(list: 'groups' | 'roles', items: object[], more: object = {}, directive = ''): Promise<Payload> {
  const name = `${list}Update`;
  const type = list === 'groups' ? 'GroupsUpdateInput' : 'RolesUpdateInput';
  const { data, errors } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) {
      ${list} { name ${list === 'groups' ? 'path' : ''} version attributes { name values } }
      userErrors { code path } adminEvents { operationType resourcePath } } }`,
    { input: { realm: realmId, [list]: items, ...more } },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

interface Group {
  id: string;
  name: string;
  path: string;
  subGroups: Group[];
}
const flat = (groups: Group[]): Group[] => groups.flatMap((group) => [group, ...flat(group.subGroups)]);
const paths = async () => flat(await send('GET', '/groups')).map(({ path }) => path);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const numbered = (prefix: string) => Array.from({ length: 60 }, (_, at) => ({ name: `${prefix}${at}` }));
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    groups: [
      { name: 'a', attributes: { kept: ['1'] }, subGroups: [{ name: 'b', subGroups: [{ name: 'c' }] }] },
      { name: 'x', subGroups: [{ name: 'y' }, { name: 'z' }] },
      { name: 'many', subGroups: numbered('g') },
    ],
    roles: { realm: [{ name: 'one', description: 'kept', attributes: { kept: ['1'] } }, ...numbered('r')] },
  });
  expect(made.status).toBe(201);
  realmId = node('Realm', (await send('GET', '')).id);
  for (const { id, name } of flat(await send('GET', '/groups'))) ids[name] = node('Group', id);
  for (const { id, name } of await send('GET', '/roles')) ids[name] = node('Role', id);
  const [management] = await send('GET', '/clients?clientId=realm-management');
  ids['view-realm'] = node('Role', (await send('GET', `/clients/${management.id}/roles/view-realm`)).id);
});

describe('many groups', () => {
  it('are renamed with all below them, also where one is below another', async () => {
    const items = [
      { id: ids.b, name: 'B' },
      { id: ids.a, name: 'A', setAttributes: [{ name: 'new', values: ['2'] }] },
      { id: ids.x, setAttributes: [{ name: 'only', values: ['3'] }] },
    ];
    const dry = await update('groups', items, {}, '@dryRun');
    expect(await paths()).toContain('/a/b/c');
    const done = await update('groups', items);
    expect(dry).toEqual(done);
    expect(done.userErrors).toEqual([]);
    expect(done.groups).toMatchObject([
      { name: 'B', path: '/A/B', version: 1 },
      { name: 'A', path: '/A', version: 1, attributes: [{ name: 'kept' }, { name: 'new' }] },
      { name: 'x', path: '/x', version: 1, attributes: [{ name: 'only', values: ['3'] }] },
    ]);
    expect(await paths()).toContain('/A/B/c');
    expect(done.adminEvents).toHaveLength(3);
    expect(done.adminEvents[0]).toMatchObject({ operationType: 'UPDATE' });
  });

  it('are refused one by one, at their places', async () => {
    const items = [
      { id: ids.y, name: 'z' },
      { id: ids.z, name: 'free' },
      { id: ids.y, name: 'twice' },
      { id: ids.c, name: '' },
      { id: ids.g0, name: 'stale', expectedVersion: 7 },
      { id: ids.g1, name: 'same' },
      { id: ids.g2, name: 'same' },
      { id: ids.g3, name: 'fine', expectedVersion: 0 },
      { id: node('Group', 'unknown'), name: 'n' },
    ];
    const faults = [
      ['NAME_TAKEN', ['groups', '0', 'name']],
      ['REPEATED', ['groups', '2', 'id']],
      ['NAME_INVALID', ['groups', '3', 'name']],
      ['STALE', ['groups', '4', 'expectedVersion']],
      ['NAME_TAKEN', ['groups', '6', 'name']],
      ['NOT_FOUND', ['groups', '8', 'id']],
    ];
    const refused = await update('groups', items);
    expect(refused.userErrors.map(({ code, path }) => [code, path])).toEqual(faults);
    expect([refused.groups, refused.adminEvents]).toEqual([null, []]);
    const rest = await update('groups', items, { onError: 'CONTINUE' });
    expect(rest.userErrors.map(({ code, path }) => [code, path])).toEqual(faults);
    expect(rest.groups?.map(({ path }) => path)).toEqual(['/x/free', '/many/same', '/many/fine']);
  });

  it('keep the names with which paths would be too long', async () => {
    let parent = ids.g10 as string;
    for (let level = 0; level < 8; level += 1) {
      const { data } = await admin.graphql<{ groupCreate: { group: { id: string } } }>(
        'mutation ($input: GroupCreateInput!) { groupCreate(input: $input) { group { id } } }',
        { input: { parent, name: `${level}${'n'.repeat(level === 7 ? 120 : 245)}` } },
      );
      parent = data.groupCreate.group.id;
    }
    const items = [
      { id: ids.g10, name: 'm'.repeat(250) },
      { id: parent, name: 'short' },
      { id: ids.g11, name: 'fits' },
    ];
    const rest = await update('groups', items.toReversed(), { onError: 'CONTINUE' });
    expect(rest.userErrors).toEqual([]);
    const long = [
      { id: parent, name: 'p'.repeat(250) },
      { id: ids.g11, name: 'fits too' },
      { id: ids.g12, name: 'g-twelve' },
    ];
    const refused = await update('groups', long, { onError: 'CONTINUE' });
    expect(refused.userErrors).toEqual([{ code: 'LIMIT_REACHED', path: ['groups', '0', 'name'] }]);
    expect(refused.groups?.map(({ name }) => name)).toEqual(['fits too', 'g-twelve']);
    expect((await paths()).filter((path) => path.length > 2000)).toEqual([]);
    expect((await paths()).some((path) => path.endsWith('/short'))).toBe(true);
  });
});

describe('many roles', () => {
  it('are changed, each with its audit record', async () => {
    const done = await update('roles', [
      { id: ids.one, name: 'uno' },
      { id: ids.r0, description: 'new', attributes: [{ name: 'a', values: ['1'] }] },
    ]);
    expect(done.userErrors).toEqual([]);
    expect(done.roles).toMatchObject([
      { name: 'uno', version: 1, attributes: [{ name: 'kept', values: ['1'] }] },
      { name: 'r0', version: 1, attributes: [{ name: 'a', values: ['1'] }] },
    ]);
    expect(done.adminEvents.map(({ operationType }) => operationType)).toEqual(['UPDATE', 'UPDATE']);
    expect(await send('GET', '/roles/uno')).toMatchObject({ description: 'kept' });
  });

  it('are refused one by one, at their places', async () => {
    const items = [
      { id: ids.r1, name: 'r2' },
      { id: ids['view-realm'], name: 'x' },
      { id: ids.r3, name: null },
      { id: ids.r4, name: 'four' },
    ];
    const faults = [
      { code: 'NAME_TAKEN', path: ['roles', '0', 'name'] },
      { code: 'ADMINISTRATION', path: ['roles', '1', 'name'] },
      { code: 'INVALID', path: ['roles', '2', 'name'] },
    ];
    expect((await update('roles', items)).userErrors).toEqual(faults);
    const rest = await update('roles', items, { onError: 'CONTINUE' });
    expect(rest.userErrors).toEqual(faults);
    expect(rest.roles?.map(({ name }) => name)).toEqual(['four']);
  });
});

it.each([
  ['groups', 'g'],
  ['roles', 'r'],
] as const)('many %s take the same statements for 2 and for 30', async (list, prefix) => {
  const statements = async (from: number, count: number) => {
    const items = Array.from({ length: count }, (_, at) => ({
      id: ids[`${prefix}${from + at}`],
      name: `${prefix} new ${from + at}`,
      setAttributes: [{ name: 'b', values: ['2'] }],
    }));
    const { result, statements: taken } = await measureStatements(server, () => update(list, items));
    expect(result.userErrors).toEqual([]);
    return taken;
  };
  await statements(20, 1);
  const few = await statements(21, 2);
  expect(await statements(25, 30)).toBe(few);
});
