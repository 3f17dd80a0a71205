import { beforeAll, describe, expect, it } from 'vitest';
import { type KindWithMode, kindsWithMode, type Mode } from '../../../src/services/realms/desired/kinds.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// What each mode does with each kind: an object that the file changes, one that it lacks, and one that only it has.
type Json = Record<string, unknown>;

const realm = 'modes';
const providers = ['known-provider', 'known-other'];
const mapper = (name: string, value: string): Json => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name, 'claim.value': value },
});
const hook = (name: string, url: string): Json => ({ name, url: `https://hooks.example/${url}`, enabled: true });
const provider = (alias: string, displayName: string): Json => ({
  alias,
  displayName,
  providerId: 'oidc',
  config: { clientId: 'c', tokenUrl: 'https://idp.example/token', authorizationUrl: 'https://idp.example/auth' },
});
const providerMapper = (name: string, role: string): Json => ({
  name,
  identityProviderAlias: providers[0],
  identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
  config: { role },
});
const keys = (name: string, priority: string): Json => ({
  name,
  providerId: 'hmac-generated',
  config: { priority: [priority === 'one' ? '101' : '102'] },
});
const keyProvider = 'org.keycloak.keys.KeyProvider';
const action = (alias: string, name: string): Json => ({ alias, name, providerId: alias, enabled: true });
const flow = (alias: string, description: string): Json => ({
  alias,
  description,
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions: [],
});

interface Case {
  /** an object of the kind, with a value that a file can change */
  object(name: string, value: string): unknown;
  /** the file that has objects */
  file(objects: unknown[]): Json;
  /** what a changed, a deleted, and a created object are in a plan, where they are no objects of their own */
  within?: boolean;
}

const entries = (objects: unknown[]): Json => Object.assign({}, ...(objects as Json[]));
const named = (field: string, object: Case['object']): Case => ({ object, file: (objects) => ({ [field]: objects }) });
const described = (name: string, description: string): Json => ({ name, description });

/** The kinds whose objects have values of their own. */
const cases: Record<Exclude<KindWithMode, `default${string}` | 'settings'>, Case> = {
  roles: { object: described, file: (realmRoles) => ({ roles: { realm: realmRoles } }) },
  clientRoles: { object: described, file: (own) => ({ roles: { client: { 'known-client': own } } }) },
  groups: named('groups', (name, value) => ({ name, attributes: { size: [value] } })),
  clients: named('clients', (clientId, description) => ({ clientId, description })),
  clientScopes: named('clientScopes', (name, description) => ({ name, description, protocol: 'openid-connect' })),
  scopeMappings: {
    ...named('scopeMappings', (client, value) => ({ client, roles: [`known-${value}`] })),
    within: true,
  },
  authenticationFlows: named('authenticationFlows', flow),
  authenticatorConfig: named('authenticatorConfig', (alias, value) => ({ alias, config: { value } })),
  requiredActions: named('requiredActions', action),
  identityProviders: named('identityProviders', provider),
  identityProviderMappers: named('identityProviderMappers', providerMapper),
  components: { object: keys, file: (own) => ({ components: { [keyProvider]: own } }) },
  users: named('users', (username, firstName) => ({ username, firstName })),
  localizationTexts: {
    object: (name, value) => ({ [`l${name.at(-1)}`]: { [name]: value } }),
    file: (own) => ({ localizationTexts: entries(own) }),
    within: true,
  },
  webhooks: { ...named('webhooks', hook), within: true },
  protocolMappers: {
    object: mapper,
    file: (own) => ({ clients: [{ clientId: 'known-client', protocolMappers: own }] }),
    within: true,
  },
};
const kinds = Object.keys(cases) as (keyof typeof cases)[];

/** Clients and so on are in the realm with other kinds' files, which must not lack what these are about. */
const others: Record<string, Mode> = Object.fromEntries(kindsWithMode.map((kind) => [kind, 'KEEP']));

let admin: Caller;
beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm, enabled: true, registrationAllowed: true, attributes: { owner: 'ann' } }));
  const base = [
    { roles: { realm: ['one', 'two'].map((value) => ({ name: `known-${value}` })) } },
    {
      clients: ['known-client', 'scopeMappings-a', 'scopeMappings-b', 'scopeMappings-c'].map((clientId) => ({
        clientId,
      })),
    },
    { identityProviders: providers.map((alias) => provider(alias, alias)) },
    { groups: ['known-a', 'known-b', 'known-c'].map((name) => ({ name })), defaultGroups: ['/known-a', '/known-b'] },
    ...kinds.map((kind) => {
      const { object, file } = cases[kind];
      return file([object(`${kind}-a`, 'one'), object(`${kind}-b`, 'one')]);
    }),
  ];
  for (const desired of base) {
    const { status, body } = await send('apply', desired, others);
    expect([status, body]).toEqual([200, expect.anything()]);
  }
});

interface Answer {
  error?: string;
  changes: { action: string; key: string; kind: string; fields: { path: string[]; after?: unknown }[] }[];
}

async function send(what: 'plan' | 'apply', desired: Json, modes: object): Promise<{ status: number; body: Answer }> {
  return admin.send('POST', `/admin/realms/${realm}/${what}`, { desired, modes, allowDeletes: 100 });
}

/** What a plan does with the objects of a kind, by the last letter of their names. */
async function planned(kind: keyof typeof cases, mode: Mode): Promise<string[]> {
  const { object, file, within } = cases[kind];
  const desired = file([object(`${kind}-a`, 'two'), object(`${kind}-c`, 'two')]);
  const { status, body } = await send('plan', desired, { ...others, [kind]: mode });
  expect([status, body.error]).toEqual([200, undefined]);
  const found = body.changes.flatMap(({ action: done, key, fields }) =>
    within
      ? fields.map(({ path, after }) => [after === undefined ? 'without' : 'with', [key, ...path].join(' ')] as const)
      : [[done, key] as const],
  );
  const own = new RegExp(`${kind}-([abc])`);
  return [
    ...new Set(found.flatMap(([done, text]) => (own.exec(text) ? [`${done} ${own.exec(text)?.[1]}`] : []))),
  ].sort();
}

describe.each(kinds)('the mode of %s', (kind) => {
  const { within, object, file } = cases[kind];
  const expected = within
    ? { ADD: ['with c'], KEEP: ['with a', 'with c'], FULL: ['with a', 'with c', 'without b'] }
    : { ADD: ['CREATE c'], KEEP: ['CREATE c', 'UPDATE a'], FULL: ['CREATE c', 'DELETE b', 'UPDATE a'] };

  it.each(['ADD', 'KEEP', 'FULL'] as const)('%s', async (mode) => {
    const found = await planned(kind, mode);
    // another value of a mapping is another role: the one before goes
    expect(found.filter((line) => line !== 'without a')).toEqual(expected[mode]);
  });

  it('is fulfilled by an apply', async () => {
    const desired = file([object(`${kind}-a`, 'two'), object(`${kind}-c`, 'two')]);
    for (const mode of ['ADD', 'KEEP'] as const) {
      await send('apply', desired, { ...others, [kind]: mode });
      expect(await planned(kind, mode)).toEqual([]);
    }
  });
});

describe('the mode of default groups', () => {
  const changes = async (mode: Mode) => {
    const { body } = await send('plan', { defaultGroups: ['/known-b', '/known-c'] }, { defaultGroups: mode });
    return body.changes
      .map(({ action: done, key, fields }) => `${done} ${key} ${fields.map(({ after }) => after)}`)
      .sort();
  };
  const added = 'UPDATE /known-c true';

  it('FULL takes those away that the file does not have', async () =>
    expect(await changes('FULL')).toEqual(['UPDATE /known-a false', added]));
  it.each(['KEEP', 'ADD'] as const)('%s leaves them', async (mode) => expect(await changes(mode)).toEqual([added]));

  it('follows a group that the file renames and does not name as a default', async () => {
    const groups = [{ name: 'renamed-a', renamedFrom: 'known-a' }];
    const { body } = await send('plan', { groups, defaultGroups: ['/known-c'] }, { ...others, defaultGroups: 'KEEP' });
    const renamed = body.changes.find(({ key }) => key === '/renamed-a');
    expect(renamed?.fields.map(({ path }) => path[0])).toEqual(['name', 'path']);
  });
});

describe('the mode of default client scopes', () => {
  const list = 'defaultDefaultClientScopes';
  const assigned = async (modes: object) => {
    const { body } = await send('plan', { [list]: ['address'] }, modes);
    return Object.fromEntries(
      body.changes.map(({ key, fields }) => [key, fields.find(({ path }) => path[0] === 'assignment')?.after]),
    );
  };

  it('moves a scope from the other list, which is the only change unless the mode is FULL', async () => {
    expect(await assigned({ [list]: 'KEEP' })).toEqual({ address: 'default' });
    expect(await assigned({ [list]: 'FULL' })).toMatchObject({ address: 'default', profile: undefined });
  });

  it('ADD leaves a scope in the list that it is in', async () => {
    expect(await assigned({ [list]: 'ADD' })).toEqual({});
    const optional = 'defaultOptionalClientScopes';
    const { body } = await send('plan', { [optional]: ['profile'] }, { [optional]: 'ADD' });
    expect(body.changes).toEqual([]);
  });
});

describe('the mode of settings', () => {
  const changes = async (desired: Json, mode?: Mode) => {
    const { body } = await send('plan', desired, mode ? { settings: mode } : {});
    return body.changes.flatMap(({ fields }) => fields.map(({ path, after }) => `${path.join('.')}: ${after}`)).sort();
  };

  it('KEEP, the default, changes those that the file has', async () => {
    const desired = { displayName: 'Shop', attributes: { owner: 'bob', team: 'x' } };
    expect(await changes(desired)).toEqual(await changes(desired, 'KEEP'));
    expect(await changes(desired)).toEqual(['attributes.owner: bob', 'attributes.team: x', 'displayName: Shop']);
  });

  it('ADD sets those that the realm does not have', async () =>
    expect(
      await changes(
        { displayName: 'Shop', registrationAllowed: false, attributes: { owner: 'bob', team: 'x' } },
        'ADD',
      ),
    ).toEqual(['attributes.team: x', 'displayName: Shop']));

  it('FULL resets those that the file does not have to the values of a new realm', async () =>
    expect(await changes({ displayName: 'Shop' }, 'FULL')).toEqual([
      'attributes.owner: undefined',
      'displayName: Shop',
      'registrationAllowed: false',
    ]));

  it('FULL resets nothing if the file has no setting', async () =>
    expect(await changes({ roles: { realm: [{ name: 'known-one' }, { name: 'known-two' }] } }, 'FULL')).not.toContain(
      'registrationAllowed: false',
    ));
});
