import type { Caller } from '../support/fixture.js';
import { type AdminClient, type Attributes, Failure, type FailureKind, type Owner } from './admin-client.js';

interface UserError {
  code: string;
  path: string[] | null;
  message: string;
}
type Payload = { userErrors: UserError[] } & Record<string, { id: string } | null>;
type Named = { edges: { node: { name: string } }[] };
interface Attribute {
  name: string;
  values: string[];
}

const globalId = (typename: string, id: string): string => Buffer.from(`${typename}:${id}`).toString('base64');
const localId = (id: string): string => Buffer.from(id, 'base64').toString().replace(/^\w+:/, '');
const listOf = (attributes: Attributes | undefined): Attribute[] | undefined =>
  attributes && Object.entries(attributes).map(([name, values]) => ({ name, values }));
const mapOf = (attributes: Attribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ name, values }) => [name, values]));
const names = ({ edges }: Named): string[] => edges.map(({ node }) => node.name).toSorted();
const typeOf = ({ kind }: Owner): string => (kind === 'user' ? 'User' : 'Group');

/** The kind of failure that a code stands for. */
const kindOf = (code: string): FailureKind => {
  const kind = (['NOT_FOUND', 'INVALID', 'FORBIDDEN'] as const).find((one) => one === code);
  return kind ?? (code === 'CONFLICT' || code.endsWith('_TAKEN') ? 'CONFLICT' : 'INVALID');
};

/** The same administration by GraphQL. */
export function graphqlClient(caller: Caller): AdminClient {
  const query = async <D>(text: string, variables: object): Promise<D> => {
    const { data, errors } = await caller.graphql<D>(text, variables);
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const mutate = async (name: string, input: object, selection = ''): Promise<Payload> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code path message } } }`;
    const payload = (await query<Record<string, Payload>>(text, { input }))[name] as Payload;
    const [error] = payload.userErrors;
    if (error) throw new Failure(kindOf(error.code), `${error.path?.join('.')}: ${error.message}`);
    return payload;
  };
  const created = async (name: string, field: string, input: object): Promise<string> =>
    localId((await mutate(name, input, `${field} { id }`))[field]?.id ?? '');
  const node = async <N>(typename: string, id: string, fields: string): Promise<N | undefined> => {
    const text = `query ($id: ID!) { node(id: $id) { ... on ${typename} { ${fields} } } }`;
    return (await query<{ node: N | null }>(text, { id: globalId(typename, id) })).node ?? undefined;
  };
  const realmId = async (name: string): Promise<string> => {
    const { realm } = await query<{ realm: { id: string } | null }>(
      'query ($name: String!) { realm(name: $name) { id } }',
      { name },
    );
    if (!realm) throw new Failure('NOT_FOUND', `there is no realm ${name}`);
    return realm.id;
  };
  const roleIds = (members: string[]) => members.map((id) => globalId('Role', id));

  return {
    createRealm: async (name) => void (await mutate('realmCreate', { name, isEnabled: true })),
    deleteRealm: async (realm) => void (await mutate('realmDelete', { id: await realmId(realm) })),

    createRole: async (realm, { attributes, ...role }) =>
      created('roleCreate', 'role', { container: await realmId(realm), ...role, attributes: listOf(attributes) }),
    async readRole(_realm, id) {
      const fields = 'name description isComposite attributes { name values }';
      const role = await node<{
        name: string;
        description: string | null;
        isComposite: boolean;
        attributes: Attribute[];
      }>('Role', id, fields);
      return (
        role && {
          name: role.name,
          description: role.description ?? undefined,
          composite: role.isComposite,
          attributes: mapOf(role.attributes),
        }
      );
    },
    updateRole: async (_realm, id, { attributes, ...change }) =>
      void (await mutate('roleUpdate', { id: globalId('Role', id), ...change, attributes: listOf(attributes) })),
    deleteRole: async (_realm, id) => void (await mutate('roleDelete', { id: globalId('Role', id) })),
    addComposites: async (_realm, id, members) =>
      void (await mutate('roleAddComposites', { id: globalId('Role', id), roles: roleIds(members) })),
    removeComposites: async (_realm, id, members) =>
      void (await mutate('roleRemoveComposites', { id: globalId('Role', id), roles: roleIds(members) })),
    async compositesOf(_realm, id) {
      const role = await node<{ composites: Named }>('Role', id, 'composites(first: 500) { edges { node { name } } }');
      return role ? names(role.composites) : [];
    },

    createGroup: async (realm, { parent, attributes, name }) =>
      created('groupCreate', 'group', {
        parent: parent ? globalId('Group', parent) : await realmId(realm),
        name,
        attributes: listOf(attributes),
      }),
    async readGroup(_realm, id) {
      const group = await node<{ name: string; path: string; attributes: Attribute[] }>(
        'Group',
        id,
        'name path attributes { name values }',
      );
      return group && { name: group.name, path: group.path, attributes: mapOf(group.attributes) };
    },
    renameGroup: async (_realm, id, name) => void (await mutate('groupUpdate', { id: globalId('Group', id), name })),
    moveGroup: async (_realm, id, _name, parent) =>
      void (await mutate('groupMove', { id: globalId('Group', id), parent: globalId('Group', parent) })),
    deleteGroup: async (_realm, id) => void (await mutate('groupDelete', { id: globalId('Group', id) })),

    createUser: async (realm, { attributes, enabled, ...user }) => {
      const input = { realm: await realmId(realm), ...user, isEnabled: enabled, attributes: listOf(attributes) };
      return created('userCreate', 'user', input);
    },
    async readUser(_realm, id) {
      const fields = 'username email firstName lastName isEnabled attributes { name values }';
      const user = await node<
        Record<'username', string> &
          Record<'email' | 'firstName' | 'lastName', string | null> & { isEnabled: boolean; attributes: Attribute[] }
      >('User', id, fields);
      return (
        user && {
          username: user.username,
          email: user.email ?? undefined,
          firstName: user.firstName ?? undefined,
          lastName: user.lastName ?? undefined,
          enabled: user.isEnabled,
          attributes: mapOf(user.attributes),
        }
      );
    },
    updateUser: async (_realm, id, { attributes, ...change }) =>
      void (await mutate('userUpdate', { id: globalId('User', id), ...change, attributes: listOf(attributes) })),
    deleteUser: async (_realm, id) => void (await mutate('userDelete', { id: globalId('User', id) })),
    async searchUsers(realm, search) {
      const text = `query ($realm: String!, $search: String!) {
        realm(name: $realm) { users(first: 500, filter: { search: $search }) { edges { node { username } } } }
      }`;
      const found = await query<{ realm: { users: { edges: { node: { username: string } }[] } } }>(text, {
        realm,
        search,
      });
      return found.realm.users.edges.map(({ node: { username } }) => username).toSorted();
    },
    setPassword: async (_realm, id, value) =>
      void (await mutate('userSetPassword', { id: globalId('User', id), value, isTemporary: false })),
    joinGroup: async (_realm, user, group) =>
      void (await mutate('userJoinGroups', { id: globalId('User', user), groups: [globalId('Group', group)] })),
    leaveGroup: async (_realm, user, group) =>
      void (await mutate('userLeaveGroups', { id: globalId('User', user), groups: [globalId('Group', group)] })),
    async groupsOf(_realm, user) {
      const found = await node<{ groups: { edges: { node: { path: string } }[] } }>(
        'User',
        user,
        'groups(first: 500) { edges { node { path } } }',
      );
      return (found?.groups.edges ?? []).map(({ node: { path } }) => path).toSorted();
    },

    addRoles: async (_realm, owner, roles) =>
      void (await mutate(`${owner.kind}AddRoles`, {
        id: globalId(typeOf(owner), owner.id),
        roles: roleIds(roles.map(({ id }) => id)),
      })),
    removeRoles: async (_realm, owner, roles) =>
      void (await mutate(`${owner.kind}RemoveRoles`, {
        id: globalId(typeOf(owner), owner.id),
        roles: roleIds(roles.map(({ id }) => id)),
      })),
    async effectiveRoles(_realm, owner) {
      const found = await node<{ effectiveRoles: Named }>(
        typeOf(owner),
        owner.id,
        'effectiveRoles(first: 500) { edges { node { name } } }',
      );
      return found ? names(found.effectiveRoles) : [];
    },
  };
}
