// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type AdminClient, Failure } from '../surfaces/admin-client.js';
import { graphqlClient } from '../surfaces/graphql.js';
import { restClient } from '../surfaces/rest.js';

// The same stories through both surfaces, each in a realm of its own.
const surfaces = { REST: restClient, GraphQL: graphqlClient };
const unknownId = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
let admin: Caller;
let number = 0;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

const refused = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Failure) return error.kind;
    throw error;
  }
  return 'accepted';
};

describe.each(Object.entries(surfaces))('through %s', (_name, surface) => {
  let client: AdminClient;
  let realm: string;

  const newRealm = async () => {
    client = surface(admin);
    number += 1;
    realm = `story-${number}`;
    await client.createRealm(realm);
  };

  describe('roles', () => {
    beforeAll(newRealm);

    it('are created, read, changed and deleted', async () => {
      const id = await client.createRole(realm, {
        name: 'clerk',
        description: 'files',
        attributes: { floor: ['1', '2'] },
      });
      expect(await client.readRole(realm, id)).toEqual({
        name: 'clerk',
        description: 'files',
        composite: false,
        attributes: { floor: ['1', '2'] },
      });
      await client.updateRole(realm, id, { name: 'chief', description: 'leads', attributes: { floor: ['3'] } });
      expect(await client.readRole(realm, id)).toMatchObject({ name: 'chief', attributes: { floor: ['3'] } });
      await client.deleteRole(realm, id);
      expect(await client.readRole(realm, id)).toBeUndefined();
    });

    it('are unique by name, and refused without one', async () => {
      await client.createRole(realm, { name: 'only' });
      const other = await client.createRole(realm, { name: 'other' });
      expect(await refused(client.createRole(realm, { name: 'only' }))).toBe('CONFLICT');
      expect(await refused(client.updateRole(realm, other, { name: 'only' }))).toBe('CONFLICT');
      expect(await refused(client.createRole(realm, { name: '' }))).toBe('INVALID');
    });

    it.each(['read only', 'area/audit', 'prüfer ☃', '"quoted"', 'per%2Fcent', "o'neil; DROP TABLE"])(
      'may be named %s',
      async (name) => {
        const id = await client.createRole(realm, { name });
        expect((await client.readRole(realm, id))?.name).toBe(name);
      },
    );

    it('consist of others, also in a circle', async () => {
      const [a, b, c] = (await Promise.all(['a', 'b', 'c'].map((name) => client.createRole(realm, { name })))) as [
        string,
        string,
        string,
      ];
      await client.addComposites(realm, a, [b]);
      await client.addComposites(realm, b, [c]);
      await client.addComposites(realm, c, [a]);
      expect(await client.compositesOf(realm, a)).toEqual(['b']);
      const user = await client.createUser(realm, { username: 'circle' });
      await client.addRoles(realm, { kind: 'user', id: user }, [{ id: b, name: 'b' }]);
      expect(await client.effectiveRoles(realm, { kind: 'user', id: user })).toEqual(
        expect.arrayContaining(['a', 'b', 'c']),
      );
      await client.removeComposites(realm, a, [b]);
      expect(await client.readRole(realm, a)).toMatchObject({ composite: false });
    });

    it('refuse members that are not there', async () => {
      const id = await client.createRole(realm, { name: 'lonely' });
      expect(await refused(client.addComposites(realm, id, [unknownId]))).toBe('NOT_FOUND');
      expect(await client.compositesOf(realm, id)).toEqual([]);
    });
  });

  describe('groups', () => {
    beforeAll(newRealm);

    it('form a tree whose paths follow names and moves', async () => {
      const top = await client.createGroup(realm, { name: 'top', attributes: { town: ['Ghent'] } });
      const inner = await client.createGroup(realm, { name: 'inner', parent: top });
      const leaf = await client.createGroup(realm, { name: 'leaf', parent: inner });
      const other = await client.createGroup(realm, { name: 'other' });
      expect(await client.readGroup(realm, top)).toEqual({
        name: 'top',
        path: '/top',
        attributes: { town: ['Ghent'] },
      });
      await client.renameGroup(realm, top, 'summit');
      expect((await client.readGroup(realm, leaf))?.path).toBe('/summit/inner/leaf');
      await client.moveGroup(realm, inner, 'inner', other);
      expect((await client.readGroup(realm, leaf))?.path).toBe('/other/inner/leaf');
      await client.deleteGroup(realm, other);
      expect(await client.readGroup(realm, leaf)).toBeUndefined();
    });

    it('never become their own ancestors', async () => {
      const outer = await client.createGroup(realm, { name: 'outer' });
      const inner = await client.createGroup(realm, { name: 'inner', parent: outer });
      expect(await refused(client.moveGroup(realm, outer, 'outer', inner))).toMatch(/INVALID|CONFLICT/);
      expect((await client.readGroup(realm, inner))?.path).toBe('/outer/inner');
    });

    it('are unique among siblings', async () => {
      await client.createGroup(realm, { name: 'twin' });
      expect(await refused(client.createGroup(realm, { name: 'twin' }))).toBe('CONFLICT');
    });
  });

  describe('users', () => {
    beforeAll(newRealm);

    it('are created, read, changed and deleted', async () => {
      const id = await client.createUser(realm, {
        username: 'Ann',
        email: 'Ann@Mail.example',
        firstName: 'Ann',
        enabled: true,
        attributes: { seat: ['4', '2'] },
      });
      expect(await client.readUser(realm, id)).toEqual({
        username: 'ann',
        email: 'ann@mail.example',
        firstName: 'Ann',
        lastName: undefined,
        enabled: true,
        attributes: { seat: ['4', '2'] },
      });
      await client.updateUser(realm, id, { lastName: 'Archer' });
      expect(await client.readUser(realm, id)).toMatchObject({
        firstName: 'Ann',
        lastName: 'Archer',
        attributes: { seat: ['4', '2'] },
      });
      expect(await refused(client.createUser(realm, { username: 'ANN' }))).toBe('CONFLICT');
      expect(await refused(client.createUser(realm, { username: '' }))).toBe('INVALID');
      await client.deleteUser(realm, id);
      expect(await client.readUser(realm, id)).toBeUndefined();
      expect(await refused(client.updateUser(realm, id, { lastName: 'Nobody' }))).toBe('NOT_FOUND');
    });

    it('are found by parts of their names and addresses', async () => {
      for (const username of ['jürgen', 'jutta', 'karl'])
        await client.createUser(realm, { username, email: `${username}@mail.example` });
      expect(await client.searchUsers(realm, 'JÜR')).toEqual(['jürgen']);
      expect(await client.searchUsers(realm, 'ju')).toEqual(['jutta']);
      expect(await client.searchUsers(realm, 'mail.example')).toEqual(['jutta', 'jürgen', 'karl']);
    });

    it('log in with the password that they were given', async () => {
      const id = await client.createUser(realm, { username: 'eve', enabled: true });
      await client.setPassword(realm, id, 'first-1');
      await client.setPassword(realm, id, 'second-2');
      await expect(login(server, realm, 'eve', 'first-1')).rejects.toThrow();
      expect(await login(server, realm, 'eve', 'second-2')).toMatch(/^eyJ/);
    });

    it('have the roles of their groups, of the parents of these, and of composites', async () => {
      const [direct, part, ofParent] = (await Promise.all(
        ['direct', 'part', 'of-parent'].map((name) => client.createRole(realm, { name })),
      )) as [string, string, string];
      await client.addComposites(realm, direct, [part]);
      const parent = await client.createGroup(realm, { name: 'parent' });
      const child = await client.createGroup(realm, { name: 'child', parent });
      const user = await client.createUser(realm, { username: 'member' });
      await client.addRoles(realm, { kind: 'group', id: parent }, [{ id: ofParent, name: 'of-parent' }]);
      await client.addRoles(realm, { kind: 'user', id: user }, [{ id: direct, name: 'direct' }]);
      await client.joinGroup(realm, user, child);
      expect(await client.groupsOf(realm, user)).toEqual(['/parent/child']);
      const owner = { kind: 'user', id: user } as const;
      expect(await client.effectiveRoles(realm, owner)).toEqual(
        expect.arrayContaining(['direct', 'of-parent', 'part']),
      );
      await client.leaveGroup(realm, user, child);
      await client.removeRoles(realm, owner, [{ id: direct, name: 'direct' }]);
      const left = await client.effectiveRoles(realm, owner);
      expect(left).not.toContain('of-parent');
      expect(left).not.toContain('part');
    });
  });

  it('a realm is gone with everything in it', async () => {
    await newRealm();
    const id = await client.createUser(realm, { username: 'last' });
    await client.deleteRealm(realm);
    expect(await client.readUser(realm, id)).toBeUndefined();
    expect(await refused(client.createUser(realm, { username: 'late' }))).toMatch(/NOT_FOUND|INVALID/);
  });
});
