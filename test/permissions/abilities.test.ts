import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Ids, makeHostileRealm } from '../administration/fixture.js';
import { type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';
import { inputOf, type Named } from './ability-inputs.js';

// What `viewerCan` says of each object, held against what becomes of the mutation in a dry run, for administrators with each role.
const realm = 'able';
const schema = graphqlSchema();
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

interface Answer {
  isAllowed: boolean;
  reason: string | null;
  message: string | null;
  permission: string;
}
interface AbleType {
  name: string;
  /** mutations by the names of the abilities */
  mutations: Record<string, string>;
}

const mutationIn = (description: string | null | undefined) => /`(\w+)`/.exec(description ?? '')?.[1] ?? '';
const able = Object.values(schema.getTypeMap()).flatMap((type): AbleType[] => {
  const field = isObjectType(type) ? type.getFields().viewerCan : undefined;
  if (!field) return [];
  const abilities = Object.values((getNamedType(field.type) as GraphQLObjectType).getFields());
  const mutations = abilities.map(({ name, description }) => [name, mutationIn(description)] as const);
  return [{ name: type.name, mutations: Object.fromEntries(mutations) }];
});

const nodeId = (typename: string, id: string) => btoa(`${typename}:${id}`);
const page = (inner: string) => `(first: 50) { edges { node { id ${inner} } } }`;

let ids: Ids;
let named: Named;
/** ids of objects of each type */
let objects: Map<string, string[]>;
const callers = new Map<string, Caller>();
const owners = new Map<string, string>();

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

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  const made = await makeHostileRealm(server, realm);
  const { admin } = made;
  ids = made.ids;
  named = {
    realm: nodeId('Realm', ids.realm),
    role: nodeId('Role', ids.roles.plain ?? ''),
    group: nodeId('Group', ids.groups.staff ?? ''),
    user: nodeId('User', ids.users.victim ?? ''),
    client: nodeId('Client', ids.clients.app ?? ''),
    scope: nodeId('ClientScope', ids.scope),
    owners,
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
  const input = `{ realm: "${named.realm}", name: "hook", url: "https://hooks.example/one", isEnabled: false }`;
  await admin.graphql(`mutation { webhookCreate(input: ${input}) { webhook { id } } }`);
  for (const role of roles) callers.set(role, await userOf(server, realm, role, 'pw'));
  callers.set('all', await userOf(server, realm, 'boss', 'pw'));
  const { data, errors } = await admin.graphql(`{ realm(name: "${realm}") { id
    users${page('credentials { id } sessions(first: 2) { edges { node { id } } }')} groups${page('')} roles${page('')}
    clients${page(`roles${page('')} protocolMappers(first: 2) { edges { node { id } } }
      authorizationResources${page('')} authorizationScopes${page('')}`)}
    clientScopes${page('protocolMappers(first: 1) { edges { node { id } } }')}
    identityProviders${page('mappers { id }')} authenticationFlows${page('executions { id }')}
    authenticatorConfigs${page('')} requiredActions${page('')} components${page('')}
    userStorages { id mappers { id } } webhooks${page('')} clientInitialAccess${page('')} } }`);
  expect(errors).toBeUndefined();
  objects = idsIn(data);
  interface Page {
    edges: { node: { id: string; authorizationResources: Page | null; authorizationScopes: Page | null } }[];
  }
  const { clients } = (data as unknown as { realm: { clients: Page } }).realm;
  for (const { node: client } of clients.edges) {
    const lists = [client.authorizationResources, client.authorizationScopes];
    for (const { node } of lists.flatMap((list) => list?.edges ?? [])) owners.set(node.id, client.id);
  }
});

/** The objects of a type that are tried: all that are different kinds of cases, and a few others. */
function triedOf(type: string): string[] {
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

const selection = ({ mutations }: AbleType) =>
  `viewerCan { ${Object.keys(mutations)
    .map((name) => `${name} { isAllowed reason message permission }`)
    .join(' ')} }`;

/** The codes with which a mutation is refused in a dry run. */
async function tried(caller: Caller, mutation: string, id: string): Promise<string[]> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
    `mutation ($input: ${type}!) @dryRun { ${mutation}(input: $input) { userErrors { code } } }`,
    { input: inputOf(mutation)(id, named) },
  );
  expect({ mutation, errors }).toEqual({ mutation, errors: undefined });
  return data[mutation]?.userErrors.map(({ code }) => code) ?? [];
}

const forbidden = ['LACKS_PERMISSION', 'BEYOND_OWN_PERMISSIONS', 'REFUSED_BY_POLICY'];
const told = ['FORBIDDEN', 'ADMINISTRATION', 'BUILT_IN', 'DEFAULT_ROLE', 'EMAIL_MISSING', 'READ_ONLY', 'USER_DISABLED'];

describe('viewerCan', () => {
  it('is on every type that mutations change', () => {
    expect(able.length).toBeGreaterThan(20);
    const known = new Set(Object.keys(schema.getMutationType()?.getFields() ?? {}));
    const mutations = able.flatMap((type) => Object.values(type.mutations));
    expect(mutations.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(able.map((type) => [type.name, type] as const))(
    'says what becomes of mutations of %s',
    async (name, type) => {
      const seen = new Map<string, number>();
      expect(triedOf(name).length).toBeGreaterThan(0);
      for (const [role, caller] of callers) {
        for (const id of triedOf(name)) {
          const { data, errors } = await caller.graphql<{ node: { viewerCan: Record<string, Answer> } | null }>(
            `{ node(id: "${id}") { ... on ${name} { ${selection(type)} } } }`,
          );
          expect(errors).toBeUndefined();
          for (const [ability, answer] of Object.entries(data.node?.viewerCan ?? {})) {
            const mutation = type.mutations[ability] ?? '';
            const codes = await tried(caller, mutation, id);
            // resources and scopes are named with their client, which not everybody who may view them may view
            if (codes.includes('NOT_FOUND') && owners.has(id)) continue;
            // the user has given no consent
            if (codes.includes('NOT_FOUND')) expect(mutation).toBe('userRevokeConsent');
            const refused = codes.filter((code) => told.includes(code));
            const reason = forbidden.includes(answer.reason ?? '') ? 'FORBIDDEN' : answer.reason;
            const about = `${role}: ${mutation} of ${atob(id)} (${codes})`;
            expect([about, answer.isAllowed, reason, answer.message !== null]).toEqual([
              about,
              refused.length === 0,
              refused[0] ?? null,
              refused.length > 0,
            ]);
            seen.set(answer.reason ?? 'ALLOWED', (seen.get(answer.reason ?? 'ALLOWED') ?? 0) + 1);
          }
        }
      }
      expect(seen.get('ALLOWED')).toBeGreaterThan(0);
    },
  );
});

describe('the statements of viewerCan', () => {
  const lists: [string, string, string][] = [
    ['manage-users', 'users', 'User'],
    ['impersonation', 'users', 'User'],
    ['manage-users', 'groups', 'Group'],
    ['manage-realm', 'roles', 'Role'],
    ['manage-clients', 'clients', 'Client'],
    ['manage-clients', 'clientScopes', 'ClientScope'],
    ['manage-realm', 'authenticationFlows', 'AuthenticationFlow'],
  ];

  it.each(lists)('are as many for 2 objects as for 20, as %s: %s', async (role, list, name) => {
    const type = able.find((one) => one.name === name) as AbleType;
    const ask = async (first: number) => {
      const { extensions, errors } = await (callers.get(role) as Caller).graphql(
        `{ realm(name: "${realm}") { ${list}(first: ${first}) { edges { node { ${selection(type)} } } } } }`,
      );
      expect(errors).toBeUndefined();
      return extensions?.cost?.statements;
    };
    await ask(2);
    expect(await ask(20)).toBe(await ask(2));
  });
});
