import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../../src/services/realms/desired/kinds.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// A realm whose objects are written one by one and by files, and what is wrong to write.
export const realm = 'single-rules';
export const modes = Object.fromEntries(kinds.map((kind) => [kind, 'KEEP']));
export const keyProvider = 'org.keycloak.keys.KeyProvider';
export const storage = 'org.keycloak.storage.UserStorageProvider';
export const directory = {
  connectionUrl: ['ldap://directory.example'],
  usersDn: ['ou=people'],
  bindDn: ['cn=reader'],
  enabled: ['false'],
};
export const provider = {
  clientId: 'x',
  authorizationUrl: 'https://idp.example/authorize',
  tokenUrl: 'https://idp.example/token',
};
export const mail = { host: 'mail.example', from: 'a@shop.example', auth: 'true', user: 'shop' };

/** Ids of the realm and of some of its objects, from `startWorld` on. */
export const ids = { client: '', user: '', storage: '', realm: '' };

/** What the tests call. */
export interface World {
  admin: Caller;
  plan: (desired: object) => ReturnType<Caller['send']>;
  apply: (desired: object) => ReturnType<Caller['send']>;
}

/** Starts a server with the realm. */
export async function startWorld(): Promise<World> {
  const { admin } = await startWithRealm({
    realm,
    enabled: true,
    passwordPolicy: 'length(8)',
    smtpServer: { ...mail, password: 'mail-secret' },
    clients: [
      { clientId: 'shop', secret: 's', serviceAccountsEnabled: true, authorizationServicesEnabled: true },
      { clientId: 'older', redirectUris: ['javascript:older'] },
    ],
    users: [{ username: 'ann', enabled: true }, { username: 'bob@shop.example' }, { username: 'cop' }],
    identityProviders: [
      { alias: 'corporate', providerId: 'oidc', config: { ...provider, clientSecret: 'idp-secret' } },
    ],
    components: {
      [storage]: [{ name: 'people', providerId: 'ldap', config: { ...directory, bindCredential: ['ldap-secret'] } }],
    },
  });
  const read = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;
  Object.assign(ids, {
    realm: (await read('')).id,
    client: (await read('/clients?clientId=shop'))[0].id,
    user: (await read('/users?username=ann'))[0].id,
    storage: (await read(`/components?type=${storage}`))[0].id,
  });
  const sent = (action: string) => (desired: object) =>
    admin.send('POST', `/admin/realms/${realm}/${action}`, { desired, modes });
  return { admin, plan: sent('plan'), apply: sent('apply') };
}

export type Json = Record<string, unknown>;
export interface Single {
  /** its definition in the schema of files */
  shape: string;
  base: Json;
  request: (object: Json) => [method: string, path: string, body: Json];
  file: (object: Json) => Json;
  /** fields that a file means in another way, or of which imports keep what only other versions have, without effect */
  others?: readonly string[];
}

const inClient = (part: Json): Json => ({ clients: [{ id: ids.client, clientId: 'shop', ...part }] });
const authorization = (list: string, object: Json): Json => inClient({ authorizationSettings: { [list]: [object] } });
const server = (): string => `/${realm}/clients/${ids.client}/authz/resource-server`;
const component = (type: string, base: Json): Single => ({
  shape: 'ComponentExportRepresentation',
  base: { name: 'new', ...base },
  request: (object) => ['POST', `/${realm}/components`, { ...object, providerType: type, parentId: ids.realm }],
  file: (object) => ({ components: { [type]: [object] } }),
  others: ['providerId', 'subComponents'],
});

export const singles: Readonly<Record<string, Single>> = {
  realm: {
    shape: 'RealmRepresentation',
    base: {},
    request: (object) => ['PUT', `/${realm}`, object],
    file: (object) => object,
    // keys of a realm are its key providers
    others: ['certificate', 'id', 'realm'],
  },
  role: {
    shape: 'RoleRepresentation',
    base: { name: 'new' },
    request: (object) => ['POST', `/${realm}/roles`, object],
    file: (object) => ({ roles: { realm: [object] } }),
  },
  client: {
    shape: 'ClientRepresentation',
    base: { clientId: 'new' },
    request: (object) => ['POST', `/${realm}/clients`, object],
    file: (object) => ({ clients: [object] }),
  },
  'client that is there': {
    shape: 'ClientRepresentation',
    base: { clientId: 'shop' },
    request: (object) => ['PUT', `/${realm}/clients/${ids.client}`, object],
    file: (object) => ({ clients: [{ ...object, id: ids.client }] }),
    others: ['id'],
  },
  'client scope': {
    shape: 'ClientScopeRepresentation',
    base: { name: 'new', protocol: 'openid-connect' },
    request: (object) => ['POST', `/${realm}/client-scopes`, object],
    file: (object) => ({ clientScopes: [object] }),
  },
  group: {
    shape: 'GroupRepresentation',
    base: { name: 'new' },
    request: (object) => ['POST', `/${realm}/groups`, object],
    file: (object) => ({ groups: [object] }),
    others: ['id'],
  },
  user: {
    shape: 'UserRepresentation',
    base: { username: 'new' },
    request: (object) => ['POST', `/${realm}/users`, object],
    file: (object) => ({ users: [object] }),
  },
  'user who is there': {
    shape: 'UserRepresentation',
    base: { username: 'ann' },
    request: (object) => ['PUT', `/${realm}/users/${ids.user}`, object],
    file: (object) => ({ users: [{ ...object, id: ids.user }] }),
    others: ['id'],
  },
  'identity provider': {
    shape: 'IdentityProviderRepresentation',
    base: { alias: 'new', providerId: 'oidc', config: provider },
    request: (object) => ['POST', `/${realm}/identity-provider/instances`, object],
    file: (object) => ({ identityProviders: [object] }),
  },
  'identity provider mapper': {
    shape: 'IdentityProviderMapperRepresentation',
    base: { name: 'new', identityProviderAlias: 'corporate', identityProviderMapper: 'hardcoded-attribute-idp-mapper' },
    request: (object) => ['POST', `/${realm}/identity-provider/instances/corporate/mappers`, object],
    file: (object) => ({ identityProviderMappers: [object] }),
  },
  'key provider': component(keyProvider, { providerId: 'rsa-generated', config: { priority: ['100'] } }),
  directory: component(storage, { providerId: 'ldap', config: directory }),
  'protocol mapper': {
    shape: 'ProtocolMapperRepresentation',
    base: { name: 'new', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper' },
    request: (object) => ['POST', `/${realm}/clients/${ids.client}/protocol-mappers/models`, object],
    file: (object) => inClient({ protocolMappers: [object] }),
    // a file has the protocol of the client where it gives none, and a mapper that comes with its client can have an empty name
    others: ['name', 'protocol', 'protocolMapper'],
  },
  flow: {
    shape: 'AuthenticationFlowRepresentation',
    base: { alias: 'new', providerId: 'basic-flow', topLevel: true, builtIn: false },
    request: (object) => ['POST', `/${realm}/authentication/flows`, object],
    file: (object) => ({ authenticationFlows: [object] }),
    // a flow gets an alias with reserved characters by being renamed, and its export has it
    others: ['alias', 'providerId'],
  },
  'required action': {
    shape: 'RequiredActionProviderRepresentation',
    base: { alias: 'UPDATE_PROFILE', providerId: 'UPDATE_PROFILE' },
    request: (object) => ['PUT', `/${realm}/authentication/required-actions/UPDATE_PROFILE`, object],
    file: (object) => ({ requiredActions: [object] }),
  },
  resource: {
    shape: 'ResourceRepresentation',
    base: { name: 'new' },
    request: (object) => ['POST', `${server()}/resource`, object],
    file: (object) => authorization('resources', object),
    others: ['scopes'],
  },
  scope: {
    shape: 'ScopeRepresentation',
    base: { name: 'new' },
    request: (object) => ['POST', `${server()}/scope`, object],
    file: (object) => authorization('scopes', object),
  },
  policy: {
    shape: 'PolicyRepresentation',
    base: { name: 'new', type: 'regex', config: { targetClaim: 'a', pattern: 'b' } },
    request: (object) => ['POST', `${server()}/policy`, object],
    file: (object) => authorization('policies', object),
    // scripts come with every export of the reference server, and are not run
    others: ['type'],
  },
};

export const long = 'x'.repeat(300);
const texts = [
  '',
  '  ',
  '\u0000',
  'a\u0001b',
  'a\u200bb',
  'a/b',
  '../x',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '*',
  long,
];
const lists = [[''], ['javascript:alert(1)'], ['https://x/#f'], ['data:text/html,x'], [long], ['\u0000'], ['no-such']];
const maps = [
  { '': 'x' },
  { LDAP_ID: ['1'] },
  { [long]: ['x'] },
  { a: ['\u0000'] },
  { priority: ['abc'] },
  { keySize: ['7'] },
  { fullSyncPeriod: ['x'] },
  { editMode: ['x'] },
  { tokenUrl: 'ftp://x' },
  { 'access.token.signed.response.alg': 'none' },
  { 'backchannel.logout.url': 'javascript:1' },
];
const byType: Readonly<Record<string, readonly unknown[]>> = {
  string: texts,
  array: lists,
  object: maps,
  integer: [-1, 2 ** 31, 3.5, 'abc'],
};

interface Property {
  type?: string;
  $ref?: string;
  anyOf?: Property[];
}

const definitions = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../schema/realm.schema.json'), 'utf8')) as {
    $defs: Record<string, { properties: Record<string, Property> }>;
  }
).$defs;

/** Every fault of the generated ones: an object with a value that its field may not have. */
export const faults = Object.entries(singles).flatMap(([name, { shape, others = [] }]) =>
  Object.entries(definitions[shape]?.properties ?? {}).flatMap(([field, property]) => {
    if (others.includes(field) || /^(renamedFrom|\$)/.test(field)) return [];
    const types = new Set([property, ...(property.anyOf ?? [])].flatMap(({ type }) => type ?? []));
    return [...types].flatMap((type) => (byType[type] ?? []).map((value) => ({ name, field, value })));
  }),
);
