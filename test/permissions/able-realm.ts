import { type GraphQLObjectType, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { expect } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Ids, makeHostileRealm } from '../administration/fixture.js';
import { type Caller, userOf } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { inputOf, type Named } from './ability-inputs.js';

/** The realm with the objects that mutations are tried on. */
export const realm = 'able';
const schema = graphqlSchema();
/** The administration roles of which one caller each has. */
const roles = [
  'manage-users',
  'manage-clients',
  'manage-realm',
  'manage-authorization',
  'manage-identity-providers',
  'manage-events',
  'impersonation',
  'create-client',
  'view-users',
  'view-clients',
  'view-realm',
];

/** A type with the mutations that `viewerCan` of its objects is about. */
export interface AbleType {
  name: string;
  /** mutations by the names of the abilities */
  mutations: Record<string, string>;
}

const mutationIn = (description: string | null | undefined) => /`(\w+)`/.exec(description ?? '')?.[1] ?? '';
/** All types whose objects say what callers may do with them. */
export const able = Object.values(schema.getTypeMap()).flatMap((type): AbleType[] => {
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const field = type.getFields().viewerCan;
  const isOfInterface = type.getInterfaces().some((one) => 'viewerCan' in one.getFields());
  if (!field || isOfInterface) return [];
  const abilities = Object.values((getNamedType(field.type) as GraphQLObjectType).getFields());
  const mutations = abilities.map(({ name, description }) => [name, mutationIn(description)] as const);
  return [{ name: type.name, mutations: Object.fromEntries(mutations) }];
});

/** The ID of an object in GraphQL. */
export const nodeId = (typename: string, id: string) => btoa(`${typename}:${id}`);
const page = (inner: string) => `(first: 50) { edges { node { id ${inner} } } }`;

/** The realm with its callers by their roles. */
export interface AbleRealm {
  server: TestServer;
  admin: Caller;
  ids: Ids;
  named: Named;
  callers: ReadonlyMap<string, Caller>;
  /** ids of users by the roles of the callers */
  users: ReadonlyMap<string, string>;
  /** ids of objects of each type */
  objects: ReadonlyMap<string, string[]>;
}

/** All ids in an answer, by the types that they name. */
function idsIn(value: unknown, found = new Map<string, string[]>()): Map<string, string[]> {
  if (Array.isArray(value)) for (const one of value) idsIn(one, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (name !== 'id') idsIn(inner, found);
      else {
        const [type = ''] = atob(String(inner)).split(':');
        found.set(type, [...(found.get(type) ?? []), String(inner)]);
      }
    }
  }
  return found;
}

/** A directory and an identity provider with mappers, of which every other one gives roles beyond most callers. */
async function createGiving(
  admin: Caller,
  create: (path: string, body: object) => Promise<void>,
  index: number,
): Promise<void> {
  const isHigh = index % 2 === 0;
  const alias = `idp-${index}`;
  await create('/identity-provider/instances', { alias, providerId: 'oidc', config: {} });
  const giving = (name: string, kind: string, config: object) =>
    create(`/identity-provider/instances/${alias}/mappers`, {
      name,
      identityProviderAlias: alias,
      identityProviderMapper: kind,
      config,
    });
  await giving('role', 'oidc-hardcoded-role-idp-mapper', { role: isHigh ? 'chief' : 'app.app-role' });
  await giving('group', 'oidc-hardcoded-group-idp-mapper', { group: isHigh ? '/admins' : '/staff' });
  const { headers } = await admin.send('POST', `/${realm}/components`, {
    name: `directory ${index}`,
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: { enabled: ['false'] },
  });
  const parentId = headers.get('location')?.split('/').at(-1);
  const mapper = (providerId: string, config: object) =>
    create('/components', {
      // in the order of their names, each page has some of both
      name: `${providerId} ${index}`,
      parentId,
      providerId,
      providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
      config,
    });
  await mapper('hardcoded-ldap-role-mapper', { role: [isHigh ? 'chief' : 'plain'] });
  await mapper('hardcoded-ldap-group-mapper', { group: [isHigh ? '/admins' : '/staff'] });
}

/** The callers to ask about everything: each in a thorough run, otherwise those who manage something, and the one with all roles. */
export const askers = ({ callers }: AbleRealm): [role: string, Caller][] =>
  [...callers].filter(([role]) => isThorough || role === 'all' || role.startsWith('manage-'));

/** Makes the realm on a new server. */
export async function makeAbleRealm(): Promise<AbleRealm> {
  const server = await startServer({}, slowClock);
  const made = await makeHostileRealm(server, realm);
  const { admin } = made;
  const ids = made.ids;
  const callers = new Map<string, Caller>();
  const named: Named = {
    realm: nodeId('Realm', ids.realm),
    role: nodeId('Role', ids.roles.plain ?? ''),
    group: nodeId('Group', ids.groups.staff ?? ''),
    user: nodeId('User', ids.users.victim ?? ''),
    client: nodeId('Client', ids.clients.app ?? ''),
    scope: nodeId('ClientScope', ids.scope),
  };
  const create = async (path: string, body: object) =>
    expect([path, (await admin.send('POST', `/${realm}${path}`, body)).status]).toEqual([path, 201]);
  await create('/users', { username: 'off', enabled: false, email: 'off@shop.example' });
  await create('/identity-provider/instances/corporate/mappers', {
    name: 'gives all',
    identityProviderAlias: 'corporate',
    identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
    config: { role: 'chief' },
  });
  await create('/authentication/flows/browser/copy', { newName: 'own' });
  await create('/clients-initial-access', {}).catch(() => undefined);
  await create('/components', {
    name: 'read only',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: { enabled: ['true'], editMode: ['READ_ONLY'], vendor: ['other'], connectionUrl: ['ldap://127.0.0.1:1'] },
  });
  for (let index = 0; index < 8; index += 1) await createGiving(admin, create, index);
  const input = `{ realm: "${named.realm}", name: "hook", url: "https://hooks.example/one", isEnabled: false }`;
  await admin.graphql(`mutation { webhookCreate(input: ${input}) { webhook { id } } }`);
  for (const role of roles) callers.set(role, await userOf(server, realm, role, 'pw'));
  callers.set('all', await userOf(server, realm, 'boss', 'pw'));
  const { data, errors } = await admin.graphql(`{ realm(name: "${realm}") { id
    users${page('credentials { id } sessions(first: 2) { edges { node { id } } }')} groups${page('')} roles${page('')}
    clients${page(`roles${page('')} protocolMappers(first: 2) { edges { node { id } } }
      resourceServer { id }
      authorizationResources${page('')} authorizationScopes${page('')} authorizationPolicies${page('')}`)}
    clientScopes${page('protocolMappers(first: 1) { edges { node { id } } }')}
    identityProviders${page('mappers { id }')} authenticationFlows${page('executions { id }')}
    authenticatorConfigs${page('')} requiredActions${page('')} components${page('')}
    userStorages { id mappers { id } } webhooks${page('')} clientInitialAccesses${page('')} } }`);
  expect(errors).toBeUndefined();
  const objects = idsIn(data);
  objects.set(
    'AuthorizationPolicy',
    [...objects].flatMap(([type, found]) => (/Authorization(Policy|Permission)$/.test(type) ? found : [])),
  );
  const users = new Map([...callers.keys()].map((role) => [role, ids.users[role === 'all' ? 'boss' : role] ?? '']));
  return { server, admin, ids, named, callers, users, objects };
}

/** The objects of a type that are tried: all that are different kinds of cases, and a few others. */
export function triedOf({ ids, objects }: AbleRealm, type: string): string[] {
  const all = [...new Set(objects.get(type) ?? [])];
  const chosen: Record<string, string[]> = {
    User: ['victim', 'boss', 'robot', 'off', 'view-users'].map((name) => nodeId('User', ids.users[name] ?? '')),
    Role: [ids.roles.plain, ids.roles.chief, ids.rights['view-users'], ids.roles[`default-roles-${realm}`]].map((id) =>
      nodeId('Role', id ?? ''),
    ),
    Client: ['app', 'robot', 'realm-management', 'admin-cli'].map((name) => nodeId('Client', ids.clients[name] ?? '')),
  };
  return (chosen[type] ?? [...all.slice(0, 3), ...all.slice(-2)]).filter((id) => all.includes(id));
}

/** Who is asked about which objects of a type: all pairs in a thorough run, otherwise every second one of each caller and object. */
export function tries(world: AbleRealm, type: string): { role: string; caller: Caller; id: string }[] {
  const ids = triedOf(world, type);
  return askers(world).flatMap(([role, caller], row) =>
    ids.flatMap((id, column) => (isThorough || (row + column) % 2 === 0 ? [{ role, caller, id }] : [])),
  );
}

/** The codes with which a mutation is refused in a dry run. */
export async function tried({ named }: AbleRealm, caller: Caller, mutation: string, id: string): Promise<string[]> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
    `mutation ($input: ${type}!) @dryRun { ${mutation}(input: $input) { userErrors { code } } }`,
    { input: inputOf(mutation)(id, named) },
  );
  expect({ mutation, errors }).toEqual({ mutation, errors: undefined });
  return data[mutation]?.userErrors.map(({ code }) => code) ?? [];
}
