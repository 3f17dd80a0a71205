import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/services/realms/desired/kinds.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';
import { randomFrom } from './edits.js';

// What an operation on a single object refuses, a file of the realm refuses too: it is no way around the rules.
const realm = 'single-rules';
const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = 25 * Number(process.env.REALMGATE_ROUNDS ?? 6);
const modes = Object.fromEntries(kinds.map((kind) => [kind, 'KEEP']));
const keyProvider = 'org.keycloak.keys.KeyProvider';
const storage = 'org.keycloak.storage.UserStorageProvider';
const directory = {
  connectionUrl: ['ldap://directory.example'],
  usersDn: ['ou=people'],
  bindDn: ['cn=reader'],
  enabled: ['false'],
};
const provider = {
  clientId: 'x',
  authorizationUrl: 'https://idp.example/authorize',
  tokenUrl: 'https://idp.example/token',
};
const mail = { host: 'mail.example', from: 'a@shop.example', auth: 'true', user: 'shop' };

let admin: Caller;
let ids: Record<'client' | 'user' | 'storage' | 'realm', string>;

beforeAll(async () => {
  ({ admin } = await startWithRealm({
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
  }));
  const read = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;
  ids = {
    realm: (await read('')).id,
    client: (await read('/clients?clientId=shop'))[0].id,
    user: (await read('/users?username=ann'))[0].id,
    storage: (await read(`/components?type=${storage}`))[0].id,
  };
});

const plan = (desired: object) => admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes });
const apply = (desired: object) => admin.send('POST', `/admin/realms/${realm}/apply`, { desired, modes });

type Json = Record<string, unknown>;
interface Single {
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

const singles: Readonly<Record<string, Single>> = {
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
    // a file has the protocol of the client where it gives none
    others: ['protocol', 'protocolMapper'],
  },
  flow: {
    shape: 'AuthenticationFlowRepresentation',
    base: { alias: 'new', providerId: 'basic-flow', topLevel: true, builtIn: false },
    request: (object) => ['POST', `/${realm}/authentication/flows`, object],
    file: (object) => ({ authenticationFlows: [object] }),
    others: ['providerId'],
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

const long = 'x'.repeat(300);
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
const faults = Object.entries(singles).flatMap(([name, { shape, others = [] }]) =>
  Object.entries(definitions[shape]?.properties ?? {}).flatMap(([field, property]) => {
    if (others.includes(field) || /^(renamedFrom|\$)/.test(field)) return [];
    const types = new Set([property, ...(property.anyOf ?? [])].flatMap(({ type }) => type ?? []));
    return [...types].flatMap((type) => (byType[type] ?? []).map((value) => ({ name, field, value })));
  }),
);

describe('a file', () => {
  it(`is refused where the operation on the object is (${rounds} of ${faults.length} faults, seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const passed: unknown[] = [];
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { name, field, value } = faults[Math.floor(random() * faults.length)] as (typeof faults)[number];
      const single = singles[name] as Single;
      const object = { ...single.base, [field]: value };
      const [method, path, body] = single.request(object);
      const alone = await admin.send(method, path, body, { prefer: 'dry-run' });
      const planned = await plan(single.file(object));
      if (alone.status >= 400) refused += 1;
      if (planned.status >= 500 || (alone.status >= 400 && planned.status < 400))
        passed.push([name, field, JSON.stringify(value).slice(0, 60), alone.status, planned.status]);
    }
    expect(passed).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  it.each([
    ['a script as redirect URI', 'client', { redirectUris: ['javascript:alert(1)'] }, 'clients.0.redirectUris'],
    ['a script as root URL', 'client that is there', { rootUrl: 'javascript:alert(1)' }, 'clients.0.rootUrl'],
    ['an attribute of directories', 'user', { attributes: { LDAP_ID: ['1'] } }, 'users.0.attributes.LDAP_ID'],
    ['the same of somebody', 'user who is there', { attributes: { LDAP_ID: ['1'] } }, 'users.0.attributes.LDAP_ID'],
    ['a weak password', 'user', { credentials: [{ type: 'password', value: 'short' }] }, 'users.0.credentials'],
    ['a name without end', 'user', { firstName: long }, 'users.0.firstName'],
    [
      'an address of no server',
      'identity provider',
      { config: { ...provider, tokenUrl: 'ftp://x' } },
      'identityProviders.0.config',
    ],
    ['an alias of two segments', 'identity provider', { alias: 'a/b' }, 'identityProviders.0.alias'],
    ['no priority', 'key provider', { config: { priority: ['abc'] } }, `components.${keyProvider}.0.config`],
    [
      'an unknown edit mode',
      'directory',
      { config: { ...directory, editMode: ['x'] } },
      `components.${storage}.0.config.editMode`,
    ],
    ['an unknown algorithm', 'realm', { defaultSignatureAlgorithm: 'none' }, 'defaultSignatureAlgorithm'],
    ['the email address of a username', 'user', { email: 'bob@shop.example' }, 'users.0.email'],
    ['a name like another', 'user', { username: '\u0441\u043e\u0440' }, 'users.0.username'],
    ['an alias of addresses', 'flow', { alias: 'a/b' }, 'authenticationFlows.0.alias'],
  ])('with %s is refused, at its place', async (_what, name, change, field) => {
    const single = singles[name] as Single;
    const file = single.file({ ...single.base, ...change });
    const [method, path, body] = single.request({ ...single.base, ...change });
    const alone = await admin.send(method, path, body, { prefer: 'dry-run' });
    const answers = [alone, await plan(file), await apply(file)];
    expect(answers.map(({ status }) => [400, 409].includes(status))).toEqual([true, true, true]);
    const { data } = await admin.graphql<{ realmApply: { userErrors: { path: string[] }[] } }>(
      'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { path message } } }',
      { input: { id: btoa(`Realm:${ids.realm}`), desired: { json: file }, modes } },
    );

    expect(data.realmApply.userErrors.map((error) => error.path.join('.'))).toEqual([
      expect.stringMatching(new RegExp(`(^|\\.)${field.replaceAll('.', '\\.')}$`)),
    ]);
  });

  it('names everything that is wrong with it', async () => {
    const { data } = await admin.graphql<{ realmApply: { userErrors: { path: string[]; code: string }[] } }>(
      'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { path code } } }',
      {
        input: {
          id: btoa(`Realm:${ids.realm}`),
          desired: {
            json: {
              clients: [{ clientId: 'shop' }, { clientId: 'new', redirectUris: ['javascript:1'] }],
              users: [{ username: 'new', credentials: [{ value: 'short' }], attributes: { LDAP_ID: ['1'] } }],
            },
          },
          modes,
        },
      },
    );
    const found = data.realmApply.userErrors.map(({ path, code }) => `${path.slice(-3).join('.')} ${code}`);
    expect(found).toEqual([
      'clients.1.redirectUris INVALID',
      '0.attributes.LDAP_ID READ_ONLY',
      'users.0.credentials PASSWORD_POLICY',
    ]);
  });

  it('may leave what a realm has although the operations refuse it', async () => {
    const imported = { clientId: 'older', redirectUris: ['javascript:older'] };
    const kept = await plan({ clients: [{ clientId: 'older', description: 'New' }] });
    expect([kept.status, kept.body.summary?.update]).toEqual([200, 1]);
    expect((await plan({ clients: [{ ...imported, redirectUris: ['javascript:other'] }] })).status).toBe(400);
  });

  it('keeps the attributes that a directory has set', async () => {
    const linked = { username: 'linked', federationLink: ids.storage, attributes: { LDAP_ID: ['42'], team: ['a'] } };
    expect((await apply({ users: [linked] })).status).toBe(200);
    const changed = await apply({ users: [{ username: 'linked', attributes: { team: ['b'] } }] });
    expect([changed.status, changed.body.summary?.update]).toEqual([200, 1]);
    const [user] = (await admin.send('GET', `/${realm}/users?username=linked`)).body;
    expect(user.attributes).toEqual({ LDAP_ID: ['42'], team: ['b'] });
    expect((await plan({ users: [{ username: 'linked', attributes: { LDAP_ID: ['43'] } }] })).status).toBe(400);
  });
});

describe('a file that sends a stored secret elsewhere', () => {
  const evil = 'evil.example';
  const moved = {
    'of the mail server': (secret?: string) => ({
      smtpServer: { ...mail, host: evil, ...(secret && { password: secret }) },
    }),
    'of an identity provider': (secret?: string) => ({
      identityProviders: [
        {
          alias: 'corporate',
          providerId: 'oidc',
          config: { ...provider, tokenUrl: `https://${evil}/`, ...(secret && { clientSecret: secret }) },
        },
      ],
    }),
    'of a directory': (secret?: string) => ({
      components: {
        [storage]: [
          {
            name: 'people',
            providerId: 'ldap',
            config: { ...directory, connectionUrl: [`ldap://${evil}`], ...(secret && { bindCredential: [secret] }) },
          },
        ],
      },
    }),
  };

  it.each(Object.entries(moved))('%s is refused unless it has the secret', async (_whose, file) => {
    for (const desired of [file(), file('**********')]) {
      const answers = [await plan(desired), await apply(desired)];
      expect(answers.map(({ status, body }) => [status, body.errorMessage])).toEqual(
        answers.map(() => [
          400,
          expect.stringMatching(/must be sent again, because (host|tokenUrl|connectionUrl) has changed/),
        ]),
      );
    }
    expect((await plan(file('known'))).status).toBe(200);
  });

  it.each([
    [
      'of another parent',
      {
        [keyProvider]: (own: object) => [
          { name: 'new', providerId: 'hmac-generated', subComponents: { [storage]: [own] } },
        ],
      },
    ],
    ['of another type', { [keyProvider]: (own: object) => [{ ...own, providerId: 'hmac-generated', config: {} }] }],
  ] as [string, Record<string, (own: object) => object[]>][])(
    'by its ID in a component %s is refused',
    async (_what, lists) => {
      const own = {
        id: ids.storage,
        name: 'people',
        providerId: 'ldap',
        config: { ...directory, connectionUrl: [`ldap://${evil}`] },
      };
      const moved = Object.fromEntries(Object.entries(lists).map(([type, list]) => [type, list(own)]));
      const desired = { components: { [storage]: [], ...moved } };
      const body = { desired, modes: { components: 'FULL' }, allowDeletes: 99 };
      for (const action of ['plan', 'apply']) {
        const answer = await admin.send('POST', `/admin/realms/${realm}/${action}`, body);
        expect([answer.status, answer.body.errorMessage]).toEqual([
          400,
          expect.stringMatching(/^(A component|`provider)/),
        ]);
      }
    },
  );
});
