import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType, isEnumType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { type MatrixRealm, makeMatrixRealm } from '../matrix/matrix-realm.js';
import { inputOf } from '../permissions/ability-inputs.js';

// The changes of a created object: what is stored, with the names and values that the object has in GraphQL.
let world: MatrixRealm;
beforeAll(async () => {
  world = await makeMatrixRealm();
});

interface Change {
  resourceId: string | null;
  path: string[];
  after: string | null;
}

async function changesOf(mutation: string, input: object, directive = ''): Promise<Change[]> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) ${directive} { ${mutation}(input: $input) { userErrors { message } changes { resourceId path after } } }`;
  const { data, errors } = await world.admin.graphql<Record<string, { userErrors: []; changes: Change[] }>>(query, {
    input,
  });
  expect(errors).toBeUndefined();
  expect(data[mutation]?.userErrors).toEqual([]);
  return data[mutation]?.changes ?? [];
}

/** Changes without what is made anew for each object. */
const withoutIds = (changes: readonly Change[]) =>
  changes.map(({ path, after }) => [path, /^(?:uuid|createdAt)$/.test(path.join('.')) ? '' : after]);

/** Fields that the contract and audit records have, and objects here do not. */
const others = new Set([
  ...['disableableCredentialTypes', 'notBefore', 'totp', 'containerId'],
  ...['updateProfileFirstLoginMode', 'providerId', 'consentRequired'],
]);

describe.each([
  ['userCreate', 'Realm', 'User'],
  ['groupCreate', 'Realm', 'Group'],
  ['roleCreate', 'Realm', 'Role'],
  ['clientCreate', 'Realm', 'Client'],
  ['clientScopeCreate', 'Realm', 'ClientScope'],
  ['identityProviderCreate', 'Realm', 'IdentityProvider'],
  ['authenticationFlowCreate', 'Realm', 'AuthenticationFlow'],
  ['componentCreate', 'Realm', 'Component'],
  ['webhookCreate', 'Realm', 'Webhook'],
  ['protocolMapperCreate', 'Client', 'ProtocolMapper'],
])('%s', (mutation, owner, type) => {
  it('shows what is stored, and so does a dry run', async () => {
    const named = {
      realm: 'Realm',
      role: 'Role',
      group: 'Group',
      user: 'User',
      client: 'Client',
      scope: 'ClientScope',
    };
    const ids = Object.fromEntries(Object.entries(named).map(([name, one]) => [name, world.ids[one]]));
    const input = inputOf(mutation)(world.ids[owner] ?? '', ids as never);
    const dry = await changesOf(mutation, input, '@dryRun');
    const changes = await changesOf(mutation, input);
    expect(withoutIds(dry)).toEqual(withoutIds(changes));
    const fields = (graphqlSchema().getType(type) as GraphQLObjectType).getFields();
    const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
    const inputs = (graphqlSchema().getType(inputType) as GraphQLInputObjectType).getFields();
    const isKnown = (name: string) => name in fields || name in inputs || others.has(name);
    expect(changes.flatMap(({ path: [name = ''] }) => (isKnown(name) ? [] : name))).toEqual([]);
    expect(changes).toContainEqual(expect.objectContaining({ path: ['uuid'] }));
    for (const { path, after } of changes) {
      const kind = getNamedType(fields[path[0] ?? '']?.type);
      if (path.length > 1 || after === null || kind === undefined) continue;
      const names = isEnumType(kind) ? kind.getValues().map(({ name }) => name) : undefined;
      if (names) expect(names).toEqual(expect.arrayContaining([JSON.parse(after)].flat()));
      if (kind.name === 'Boolean') expect(['true', 'false']).toContain(after);
    }
  });
});

it('shows a user as it is stored', async () => {
  const realm = world.ids.Realm;
  const changes = await changesOf('userCreate', { realm, username: 'UPPER', email: 'Upper@X.org', firstName: 'U' });
  const values = Object.fromEntries(changes.map(({ path, after }) => [path.join('.'), after]));
  expect(values).toMatchObject({ username: '"upper"', email: '"upper@x.org"', firstName: '"U"', isEnabled: 'false' });
});

it('shows the kind of a client once', async () => {
  const realm = world.ids.Realm;
  const changes = await changesOf('clientCreate', { realm, clientId: 'spa', kind: 'PUBLIC' });
  expect(changes.filter(({ path }) => path[0] === 'kind')).toMatchObject([{ after: '"PUBLIC"' }]);
  const id = changes[0]?.resourceId;
  const updated = await changesOf('clientUpdate', { id, kind: 'CONFIDENTIAL', tokens: { accessTokenLifespan: 300 } });
  const kind = expect.objectContaining({ path: ['kind'], after: '"CONFIDENTIAL"' });
  const lifespan = expect.objectContaining({ path: ['tokens', 'accessTokenLifespan'], after: '300' });
  expect(updated).toEqual([lifespan, kind]);
});
