import { beforeAll, describe, expect, it } from 'vitest';
import { policyConditions, policyExecutors } from '../../src/services/providers/client-policies.js';
import type { ProviderType } from '../../src/services/providers/provider.js';
import { type Caller, startWithRealm } from '../support/fixture.js';

// Configurations that REST has stored, read over GraphQL and written back.
const realm = 'policies-read-back';
let admin: Caller;
let realmId: string;

interface Configured {
  settings: Record<string, unknown>;
  config: { name: string; value: string }[];
}
interface Listed {
  name: string;
  executors: Configured[];
  conditions: Configured[];
}

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm, enabled: true }));
  realmId = (await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`)).data.realm.id;
});

const fields = {
  executors: `configuresClients allowedAuthenticators defaultAuthenticator defaultAlgorithm availablePeriod verifiesNotBefore
    requiresEncryption allowsTokenResponseType requiresClientAssertion codeLifespan requiresProofNonce`,
  conditions: 'kinds roleNames clientScopeNames clientScopeUse updaterContexts groupNames hosts',
};
const documentOfLists = `{ realm(name: "${realm}") {
  clientProfiles { name description executors { type settings { ${fields.executors} } config { name value } } }
  clientPolicies { name description isEnabled profiles conditions { type settings { ${fields.conditions} } config { name value } } }
} }`;

/** A realm with other IDs, as IDs are unique in all realms. */
const withNewIds = (file: object): object =>
  JSON.parse(
    JSON.stringify(file)
      .replace(/"id":"[0-9a-f]{8}-[0-9a-f-]{27}",?/g, '')
      .replaceAll(',}', '}'),
  );

interface One {
  type: string;
  configuration: object;
}

const path = (what: string) => `/${realm}/client-policies/${what}`;
const stored = async () => [
  (await admin.send('GET', path('profiles'))).body.profiles,
  (await admin.send('GET', path('policies'))).body.policies,
];

/** Stores configurations over REST: a few profiles have all executors, and one policy all conditions. */
async function store(executors: readonly One[], conditions: readonly One[]): Promise<void> {
  // no list has more parts
  const most = 1500;
  const profiles = Array.from({ length: Math.ceil(executors.length / most) }, (_, at) => ({
    name: `part ${at}`,
    description: '',
    executors: executors
      .slice(at * most, (at + 1) * most)
      .map(({ type, configuration }) => ({ executor: type, configuration })),
  }));
  const policy = {
    name: 'each',
    description: '',
    enabled: false,
    conditions: conditions.map(({ type, configuration }) => ({ condition: type, configuration })),
    profiles: profiles.map(({ name }) => name),
  };
  expect((await admin.send('PUT', path('profiles'), { profiles })).status).toBe(204);
  expect((await admin.send('PUT', path('policies'), { policies: [policy] })).status).toBe(204);
}

async function read() {
  const { data, errors } = await admin.graphql<{ realm: { clientProfiles: Listed[]; clientPolicies: Listed[] } }>(
    documentOfLists,
  );
  expect(errors).toBeUndefined();
  const { clientProfiles, clientPolicies } = data.realm;
  return {
    profiles: clientProfiles,
    policies: clientPolicies,
    executors: clientProfiles.flatMap(({ executors }) => executors),
    conditions: clientPolicies.flatMap(({ conditions }) => conditions),
  };
}

const given = ({ settings, ...rest }: Configured) => ({
  ...rest,
  settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
});

async function replace(what: 'Profiles' | 'Policies', list: object[]): Promise<void> {
  const name = `client${what}Replace`;
  const { data, errors } = await admin.graphql<Record<string, { userErrors: object[] }>>(
    `mutation ($input: Client${what}ReplaceInput!) { ${name}(input: $input) { userErrors { message path } } }`,
    { input: { realm: realmId, [what.toLowerCase()]: list } },
  );
  expect([errors, data[name]?.userErrors]).toEqual([undefined, []]);
}

/** Removes what is stored and writes what was read. */
async function writeBack({ profiles, policies }: Awaited<ReturnType<typeof read>>): Promise<void> {
  await admin.send('PUT', path('policies'), { policies: [] });
  await admin.send('PUT', path('profiles'), { profiles: [] });
  await replace(
    'Profiles',
    profiles.map((profile) => ({ ...profile, executors: profile.executors.map(given) })),
  );
  await replace(
    'Policies',
    policies.map((policy) => ({ ...policy, conditions: policy.conditions.map(given) })),
  );
}

type Property = ProviderType['properties'][number];

/** A value of a setting as tools of the REST contract store it. */
function usual({ type, options = ['one', 'two'] }: Property): unknown {
  if (type === 'boolean') return false;
  if (type?.startsWith('Multivalued')) return [...options];
  return type === 'List' ? options[0] : '3600';
}

/** Values that some setting cannot show, and the same in other forms. */
const scalars = [
  ...[null, true, false, 'true', 'TRUE', 'yes', '', ' ', 'abc', 'constructor'],
  ...['0', '-1', '3600.5', '1e3', '03600', ' 60', '2147483647', '2147483648', '1e12', '1000000000000', 'Infinity'],
  ...[0, 1, 3600, 3600.5, 1e12],
  ...['EdDSA', 'Any', 'ES256', 'default', 'DEFAULT', 'PUBLIC', 'client-jwt'],
];
const oddValues = (property: Property): unknown[] => {
  const value = usual(property);
  const entries = Array.isArray(value) ? value : [value];
  return [
    ...scalars,
    ...scalars.map((scalar) => [scalar]),
    ...scalars.map((scalar) => [...entries, scalar]),
    ...[value, String(value), [value], [], [[]], {}, { toString: 1, valueOf: 1 }, { value }],
  ];
};

/** A configuration with nothing but one odd value, for each setting of each type. */
const odd = (types: readonly ProviderType[]): One[] =>
  types.flatMap(({ id, properties }) =>
    properties.flatMap((property) =>
      oddValues(property).map((value) => ({ type: id, configuration: { [property.name]: value } })),
    ),
  );

describe('policies whose profile was removed', () => {
  it('are exported and imported without its name, which they keep as the reference does', async () => {
    const profiles = { profiles: [{ name: 'kept' }, { name: 'removed' }] };
    const policies = { policies: [{ name: 'p', profiles: ['removed', 'kept'] }] };
    const named = async () => (await admin.send('GET', path('policies'))).body.policies[0].profiles;
    const write = async (what: string, body: object) =>
      expect((await admin.send('PUT', path(what), body)).status).toBe(204);
    await write('profiles', profiles);
    await write('policies', policies);
    await write('profiles', { profiles: [{ name: 'kept' }] });
    expect(await named()).toEqual(['removed', 'kept']);
    const { id: _, ...exported } = (await admin.send('GET', `/${realm}/export`)).body;
    const imported = await admin.send('POST', '/', withNewIds({ ...exported, realm: 'policies-imported' }));
    expect([imported.status, imported.body]).toEqual([201, '']);
    await write('policies', { policies: [] });
    await write('profiles', { profiles: [] });
  });
});

describe('configurations of client policies', () => {
  it('are settings alone where their values are those of tools', async () => {
    const sample = (types: readonly ProviderType[]): One[] =>
      types.map(({ id, properties }) => ({
        type: id,
        configuration: Object.fromEntries(properties.map((property) => [property.name, usual(property)])),
      }));
    await store(sample(policyExecutors), sample(policyConditions));
    const before = await stored();
    const found = await read();
    expect([...found.executors, ...found.conditions].flatMap(({ config }) => config)).toEqual([]);
    await writeBack(found);
    expect(await stored()).toEqual(before);
  });

  it('are written back as they were, whatever values they have', async () => {
    const [executors, conditions] = [odd(policyExecutors), odd(policyConditions)];
    await store(executors, conditions);
    const before = await stored();
    const found = await read();
    await writeBack(found);
    expect(await stored()).toEqual(before);
    // each value is shown at one place
    const places = ({ settings, config }: Configured) =>
      Object.values(settings).filter((value) => value !== null).length + config.length;
    expect(found.executors.map(places)).toEqual(executors.map(() => 1));
    expect(found.conditions.map(places)).toEqual(conditions.map(() => 1));
  });

  it.each<[string, string, unknown, string]>([
    ['pkce-enforcer', 'auto-configure', 'TRUE', 'configuresClients'],
    ['secure-signature-algorithm', 'default-algorithm', 'EdDSA', 'defaultAlgorithm'],
    ['secure-request-object', 'available-period', '1000000000000', 'availablePeriod'],
    ['secure-client-authenticator', 'allowed-client-authenticators', ['client-jwt', 7], 'allowedAuthenticators'],
    ['secure-client-authenticator', 'allowed-client-authenticators', 'client-jwt', 'allowedAuthenticators'],
  ])('of %s have in `config` a %s of %j', async (type, name, value, setting) => {
    await store([{ type, configuration: { [name]: value } }], []);
    const [found] = (await read()).executors;
    expect(found?.settings[setting]).toBeNull();
    expect(found?.config).toEqual([{ name, value: JSON.stringify(value) }]);
  });
});
