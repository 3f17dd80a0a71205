// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

interface Change {
  path: string[];
  before: string | null;
  after: string | null;
}

let admin: Caller;
let ids: Record<string, string>;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

beforeAll(async () => {
  admin = await administrator(await startServer());
  await admin.send('POST', '/', {
    realm: 'links',
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    roles: { realm: [{ name: 'clerk' }, { name: 'chief' }] },
    groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }],
    users: [{ username: 'anna' }],
    clients: [{ clientId: 'shop' }],
  });
  const read = async (path: string) => (await admin.send('GET', `/links${path}`)).body;
  const [staff] = await read('/groups');
  const role = async (name: string) => node('Role', (await read(`/roles/${name}`)).id);
  ids = {
    user: node('User', (await read('/users'))[0].id),
    night: node('Group', staff.subGroups[0].id),
    client: node('Client', (await read('/clients?clientId=shop'))[0].id),
    clerk: await role('clerk'),
    chief: await role('chief'),
  };
});

it.each([
  ['userJoinGroups', 'userLeaveGroups', () => ({ id: ids.user, groups: [ids.night] }), ['groups', '/staff/night']],
  ['userAddRoles', 'userRemoveRoles', () => ({ id: ids.user, roles: [ids.clerk] }), ['roles', 'clerk']],
  ['groupAddRoles', 'groupRemoveRoles', () => ({ id: ids.night, roles: [ids.clerk] }), ['roles', 'clerk']],
  ['scopeMappingAdd', 'scopeMappingRemove', () => ({ owner: ids.client, roles: [ids.clerk] }), ['scopeRoles', 'clerk']],
  ['roleAddComposites', 'roleRemoveComposites', () => ({ id: ids.chief, roles: [ids.clerk] }), ['composites']],
])('%s and %s tell which links are made and removed', async (adds, removes, input, path) => {
  for (const [name, has] of [
    [adds, 'after'],
    [removes, 'before'],
  ] as const) {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const fields = 'changes { path before after }';
    const { data, errors } = await admin.graphql<
      Record<string, { changes: Change[]; adminEvents: { changes: Change[] }[] }>
    >(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} adminEvents { ${fields} } userErrors { code } } }`,
      { input: input() },
    );
    expect(errors).toBeUndefined();
    const { changes = [], adminEvents = [] } = data[name] ?? {};
    const [change] = changes;
    expect(changes).toHaveLength(1);
    expect(change?.path.slice(0, path.length)).toEqual(path);
    expect(change?.[has]).toContain('"id"');
    expect(change?.[has === 'after' ? 'before' : 'after']).toBeNull();
    // the record that is kept tells the same
    expect(adminEvents.map((event) => event.changes)).toEqual([changes]);
  }
});
