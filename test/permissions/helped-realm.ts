import { expect } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

/** A realm whose users come to administration roles in all ways. */
export const realm = 'helped';
/** The server with the realm. */
export let server: TestServer;
/** The administrator of the server. */
export let admin: Caller;
/** IDs by names. */
export const ids: Record<string, string> = {};
/** The ID of an object in GraphQL, by its name. */
export const nodeId = (typename: string, name: string) => btoa(`${typename}:${ids[name]}`);
const rights = (...names: string[]) => ({ clientRoles: { 'realm-management': names } });
/** A user with a password. */
export const user = (username: string, more: object = {}) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  ...more,
});
const account = (client: string) => ({
  ...user(`service-account-${client}`, rights('manage-users')),
  serviceAccountClientId: client,
});

/** Sends a request that has to succeed. */
export const send = async (method: string, path: string, body?: unknown) => {
  const answer = await admin.send(method, path, body);
  expect([method, path, answer.status < 300]).toEqual([method, path, true]);
  return { ...answer, id: answer.headers.get('location')?.split('/').at(-1) ?? '' };
};

/** Roles that contain one another in two ways at each step, above manage-users. */
const ladder = Array.from({ length: 24 }, (_, at) => {
  const above = Math.floor(at / 2) + 1;
  const parts =
    above < 12 ? { realm: [`step ${above * 2}`, `step ${above * 2 + 1}`] } : rights('manage-users').clientRoles;
  return { name: `step ${at}`, composite: true, composites: above < 12 ? parts : { client: parts } };
});

/** Makes the realm on a new server. */
export async function makeHelpedRealm(): Promise<void> {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const composite = (name: string, composites: object) => ({ name, composite: true, composites });
  await send('POST', '/', {
    realm,
    enabled: true,
    roles: {
      realm: [
        composite('helpdesk', { realm: ['lead'] }),
        composite('lead', { client: { 'realm-management': ['manage-users'] } }),
        ...ladder,
      ],
    },
    groups: [
      { name: 'support', realmRoles: ['helpdesk'], subGroups: [{ name: 'eu', subGroups: [{ name: 'north' }] }] },
      { name: 'desk' },
      ...Array.from({ length: 15 }, (_, at) => ({
        name: `many ${at}`,
        realmRoles: ['step 0'],
        subGroups: [{ name: 'in' }],
      })),
    ],
    clients: [
      { clientId: 'narrow', secret: 's', serviceAccountsEnabled: true, fullScopeAllowed: false },
      { clientId: 'wide', secret: 's', serviceAccountsEnabled: true, fullScopeAllowed: true },
    ],
    users: [
      user('anna', { groups: ['/support/eu'] }),
      user('nora', { groups: ['/support/eu/north'] }),
      user('direct', rights('manage-users')),
      user('viewer', rights('view-users')),
      user('boss', rights('realm-admin')),
      user('dora', { groups: ['/desk'], ...rights('query-users', 'query-groups') }),
      user('bob'),
      user('off', { ...rights('manage-users'), enabled: false }),
      user('many', {
        groups: Array.from({ length: 15 }, (_, at) => `/many ${at}/in`),
        realmRoles: ladder.map(({ name }) => name),
      }),
      account('narrow'),
      account('wide'),
    ],
  });
  for (const { id, username } of (await send('GET', `/${realm}/users?max=50`)).body) ids[username] = id;
  for (const { id, clientId } of (await send('GET', `/${realm}/clients`)).body) ids[clientId] = id;
  for (const name of ['narrow', 'wide'])
    ids[`service-account-${name}`] = (await send('GET', `/${realm}/clients/${ids[name]}/service-account-user`)).body.id;
  ids.realm = (await send('GET', `/${realm}`)).body.id;
  ids.master = (await send('GET', '/master')).body.id;
  ids.support = (await send('GET', `/${realm}/group-by-path/support`)).body.id;
  ids.eu = (await send('GET', `/${realm}/group-by-path/support/eu`)).body.id;
  const [ofMaster] = (await send('GET', `/master/clients?clientId=${realm}-realm`)).body;
  const role = (await send('GET', `/master/clients/${ofMaster.id}/roles/manage-users`)).body;
  ids.outer = (await send('POST', '/master/users', user('outer'))).id;
  await send('POST', `/master/users/${ids.outer}/role-mappings/clients/${ofMaster.id}`, [role]);
  const query = (await send('GET', `/${realm}/clients/${ids['realm-management']}/roles/query-realms`)).body;
  await send('POST', `/${realm}/roles/default-roles-${realm}/composites`, [query]);
  // imported users do not get it
  ids.fresh = (await send('POST', `/${realm}/users`, user('fresh'))).id;
  await decideAboutUsers();
}

const policies: Record<string, string> = {};
const serverPath = () => `/${realm}/clients/${ids['realm-management']}/authz/resource-server`;

/** Lets policies decide about a scope of an object. */
async function permit(path: string, scope: string, names: string[], decisionStrategy = 'UNANIMOUS'): Promise<void> {
  const { body } = await send('PUT', `/${realm}${path}`, { enabled: true });
  const at = `${serverPath()}/permission/scope/${body.scopePermissions[scope]}`;
  const known = (await send('GET', at)).body;
  await send('PUT', at, { ...known, decisionStrategy, policies: names.map((name) => policies[name]) });
}

async function decideAboutUsers(): Promise<void> {
  await send('PUT', `/${realm}/users-management-permissions`, { enabled: true });
  const [desk] = (await send('GET', `/${realm}/groups?search=desk`)).body;
  const policy = async (type: string, body: { name: string }) => {
    policies[body.name] = (
      await send('POST', `${serverPath()}/policy/${type}`, { logic: 'POSITIVE', ...body })
    ).body.id;
  };
  await policy('group', { name: 'at desk', groups: [{ id: desk.id, extendChildren: false }] } as never);
  await policy('user', { name: 'is boss', users: [ids.boss] } as never);
  await policy('aggregate', { name: 'both', policies: [policies['at desk'], policies['is boss']] } as never);
  await permit('/users-management-permissions', 'view', ['at desk']);
  await permit('/users-management-permissions', 'manage', ['at desk', 'both']);
  await permit('/users-management-permissions', 'user-impersonated', ['is boss']);
  await permit(`/groups/${ids.eu}/management/permissions`, 'manage-members', ['at desk']);
}

/** An explanation. */
export interface Why {
  isAllowed: boolean;
  refusal: string | null;
  permission: string;
  hasHidden: boolean;
  hasMore: boolean;
  reasons: Record<string, unknown>[];
  neededOneOf: { roleName: string; clientId: string | null; role: { name: string } | null }[];
}

const shown = `isAllowed refusal permission hasHidden hasMore neededOneOf { roleName clientId role { name } }
  reasons { isGranting
    ... on RoleExplanation { roleName origin groups { path } roles { name } }
    ... on ExceedingRoleExplanation { roleName role { name } }
    ... on FineGrainedExplanation { scopeName object { __typename } authorizationPermission { name }
      policies { policy { name } isPermitted policies { policy { name } isPermitted } } } }`;

/** Asks why as a caller. */
export const ask = (caller: Caller, who: string, action: string, object: string, more = '') =>
  caller.graphql<{ why: Why | null }>(
    `{ why(user: "${nodeId('User', who)}", action: { ${action} }, object: "${object}"${more}) { ${shown} } }`,
  );

/** The answer to the administrator of the server. */
export async function why(who: string, action: string, object: string, more = ''): Promise<Why> {
  const { data, errors } = await ask(admin, who, action, object, more);
  expect(errors).toBeUndefined();
  return data.why as Why;
}
