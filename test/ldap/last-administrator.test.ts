import { Client } from 'ldapts';
import { describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import {
  directoryWith,
  hasSlapd,
  person,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  synchronise,
} from './directory.js';

describe.skipIf(!hasSlapd)('the last administrator, who is in a directory', () => {
  it('stays there when the deletion is refused', async () => {
    const slapd = await directoryWith([person('anna'), person('bert')]);
    const server = await startServer();
    const admin = await administrator(server);
    const root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    const isThere = async (name: string) => {
      const { searchEntries } = await root
        .search(personDn(name), { scope: 'base' })
        .catch(() => ({ searchEntries: [] }));
      return searchEntries.length === 1;
    };
    await synchronise(admin, 'master', await storageFor(admin, 'master', slapd.url, { editMode: 'WRITABLE' }));
    const idOf = async (name: string): Promise<string> =>
      (await admin.send('GET', `/master/users?username=${name}&exact=true`)).body[0].id;
    const [anna, first] = [await idOf('anna'), await idOf('admin')];
    const role = (await admin.send('GET', '/master/roles/admin')).body;
    const roles = `/master/users/${anna}/role-mappings/realm`;
    expect((await admin.send('POST', roles, [role])).status).toBe(204);
    const own = await userOf(server, 'master', 'anna', 'anna');
    const realmId = btoa(`Realm:${(await admin.send('GET', '/master')).body.id}`);
    const user = btoa(`User:${anna}`);
    const deletions: [string, object][] = [
      ['userDelete', { id: user }],
      ['usersDelete', { realm: realmId, ids: [user] }],
      ['usersDelete', { realm: realmId, ids: [user], onError: 'CONTINUE' }],
      ['usersDeleteMatching', { realm: realmId, limit: 1, filter: { username: { equals: 'anna' } } }],
    ];
    const codes = async (caller: Caller, name: string, input: object): Promise<string[]> => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
      const { data, errors } = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
        `mutation ($input: ${type}) { ${name}(input: $input) { userErrors { code } } }`,
        { input },
      );
      expect(errors).toBeUndefined();
      return data[name]?.userErrors.map(({ code }) => code) ?? [];
    };
    expect((await own.send('DELETE', `/master/users/${first}/role-mappings/realm`, [role])).status).toBe(204);
    for (const [name, input] of deletions) {
      expect([name, await codes(own, name, input)]).toEqual([name, ['LAST_ADMIN']]);
      expect([name, await isThere('anna')]).toEqual([name, true]);
    }
    expect((await own.send('POST', `/master/users/${first}/role-mappings/realm`, [role])).status).toBe(204);
    expect(await codes(own, 'userDelete', { id: user })).toEqual([]);
    expect([await isThere('anna'), await isThere('bert')]).toEqual([false, true]);
    await root.unbind();
  });
});
