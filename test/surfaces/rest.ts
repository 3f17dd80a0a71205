import type { Answer, Caller } from '../support/fixture.js';
import { type AdminClient, Failure, type FailureKind, type Owner } from './admin-client.js';

const kinds: Record<number, FailureKind> = { 400: 'INVALID', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 409: 'CONFLICT' };

/** The administration by the REST contract, on the mount that existing tools use. */
export function restClient(caller: Caller): AdminClient {
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await caller.send(method, `/admin/realms${path}`, body);
    if (answer.status < 400) return answer;
    const kind = kinds[answer.status];
    if (!kind) throw new Error(`${method} ${path} answered ${answer.status}`);
    throw new Failure(kind, JSON.stringify(answer.body));
  };
  const create = async (path: string, body: unknown): Promise<string> =>
    (await send('POST', path, body)).headers.get('location')?.split('/').at(-1) ?? '';
  const found = async (path: string) => {
    try {
      return (await send('GET', path)).body;
    } catch (error) {
      if (error instanceof Failure && error.kind === 'NOT_FOUND') return undefined;
      throw error;
    }
  };
  const sorted = (items: Record<string, string>[], field: string): string[] =>
    items.map((item) => item[field] ?? '').toSorted();
  const ids = (members: string[]) => members.map((id) => ({ id }));
  const mappings = (realm: string, { kind, id }: Owner) => `/${realm}/${kind}s/${id}/role-mappings/realm`;

  return {
    createRealm: async (name) => void (await send('POST', '', { realm: name, enabled: true })),
    deleteRealm: async (realm) => void (await send('DELETE', `/${realm}`)),

    async createRole(realm, role) {
      await send('POST', `/${realm}/roles`, role);
      return (await send('GET', `/${realm}/roles/${encodeURIComponent(role.name)}`)).body.id;
    },
    async readRole(realm, id) {
      const role = await found(`/${realm}/roles-by-id/${id}`);
      return (
        role && {
          name: role.name,
          description: role.description,
          composite: role.composite,
          attributes: role.attributes,
        }
      );
    },
    updateRole: async (realm, id, change) => void (await send('PUT', `/${realm}/roles-by-id/${id}`, change)),
    deleteRole: async (realm, id) => void (await send('DELETE', `/${realm}/roles-by-id/${id}`)),
    addComposites: async (realm, id, members) =>
      void (await send('POST', `/${realm}/roles-by-id/${id}/composites`, ids(members))),
    removeComposites: async (realm, id, members) =>
      void (await send('DELETE', `/${realm}/roles-by-id/${id}/composites`, ids(members))),
    compositesOf: async (realm, id) =>
      sorted((await send('GET', `/${realm}/roles-by-id/${id}/composites`)).body, 'name'),

    createGroup: (realm, { parent, ...group }) =>
      create(parent ? `/${realm}/groups/${parent}/children` : `/${realm}/groups`, group),
    async readGroup(realm, id) {
      const group = await found(`/${realm}/groups/${id}`);
      return group && { name: group.name, path: group.path, attributes: group.attributes };
    },
    renameGroup: async (realm, id, name) => void (await send('PUT', `/${realm}/groups/${id}`, { name })),
    moveGroup: async (realm, id, name, parent) =>
      void (await send('POST', `/${realm}/groups/${parent}/children`, { id, name })),
    deleteGroup: async (realm, id) => void (await send('DELETE', `/${realm}/groups/${id}`)),

    createUser: (realm, user) => create(`/${realm}/users`, user),
    async readUser(realm, id) {
      const user = await found(`/${realm}/users/${id}`);
      if (!user) return undefined;
      const { username, email, firstName, lastName, enabled, attributes = {} } = user;
      return { username, email, firstName, lastName, enabled, attributes };
    },
    updateUser: async (realm, id, change) => void (await send('PUT', `/${realm}/users/${id}`, change)),
    deleteUser: async (realm, id) => void (await send('DELETE', `/${realm}/users/${id}`)),
    searchUsers: async (realm, search) =>
      sorted((await send('GET', `/${realm}/users?search=${encodeURIComponent(search)}`)).body, 'username'),
    setPassword: async (realm, id, value) =>
      void (await send('PUT', `/${realm}/users/${id}/reset-password`, { type: 'password', value, temporary: false })),
    joinGroup: async (realm, user, group) => void (await send('PUT', `/${realm}/users/${user}/groups/${group}`)),
    leaveGroup: async (realm, user, group) => void (await send('DELETE', `/${realm}/users/${user}/groups/${group}`)),
    groupsOf: async (realm, user) => sorted((await send('GET', `/${realm}/users/${user}/groups`)).body, 'path'),

    addRoles: async (realm, owner, roles) => void (await send('POST', mappings(realm, owner), roles)),
    removeRoles: async (realm, owner, roles) => void (await send('DELETE', mappings(realm, owner), roles)),
    effectiveRoles: async (realm, owner) =>
      sorted((await send('GET', `${mappings(realm, owner)}/composite`)).body, 'name'),
  };
}
