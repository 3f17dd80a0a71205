import { type GraphQLInputObjectType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelNames, modelOf } from '../../src/database/model.js';
import { mutationsOf } from '../../src/graph/core/mutation.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { type Kind, kindsOf, ofGraphqlAlone, realm } from './kinds.js';

// Every kind of object that can be changed has a version: both surfaces show it, and refuse a writer who expects another one.
const schema = graphqlSchema();
const mutations = [...operations().values()]
  .flatMap((one) => (one.kind === 'write' && one.patches ? mutationsOf(one.name) : []))
  .sort();
const fieldsOf = (mutation: string) =>
  (
    getNamedType(schema.getMutationType()?.getFields()[mutation]?.args[0]?.type) as GraphQLInputObjectType | undefined
  )?.getFields();

let admin: Caller;
let kinds: Record<string, Kind>;

beforeAll(async () => {
  admin = await administrator(await startServer());
  kinds = await kindsOf(admin);
});

/** Mutations on what has no version: texts, tokens and sessions that nobody changes, and many objects at a time. */
const versionless = new Set([
  'clientInitialAccessDelete',
  'clientsDelete',
  'clientsUpdate',
  'groupsDelete',
  'groupsUpdate',
  'localizationTextDelete',
  'localizationTextsDelete',
  'managementPermissionUpdate',
  'rolesDelete',
  'rolesUpdate',
  'usersDelete',
  'usersUpdate',
]);

it('every mutation that changes or deletes an object compares its version', () => {
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) =>
    /(Update|Delete)$/.test(name),
  );
  expect(names.filter((name) => !fieldsOf(name)?.expectedVersion)).toEqual([...versionless].sort());
});

it('every type whose rows have a version shows it', () => {
  const versioned = modelNames().filter((name) => modelOf(name).fields.has('version') && schema.getType(name));
  const shown = (name: string) => 'version' in (schema.getType(name) as GraphQLInputObjectType).getFields();
  expect(versioned.filter((name) => !shown(name))).toEqual([]);
  expect(versioned.length).toBeGreaterThan(15);
});

const send = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
  admin.send(method, `/${realm}${path}`, body, headers);

async function mutate(mutation: string, input: object): Promise<{ code: string }[]> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${mutation}(input: $input) { userErrors { code message } } }`;
  const { data, errors } = await admin.graphql<Record<string, { userErrors: { code: string }[] }>>(query, { input });
  expect(errors).toBeUndefined();
  return data[mutation]?.userErrors ?? [];
}

/** The version that the type of a node id shows in GraphQL; undefined for an object that is no node with a version. */
async function shownInGraphql({ named }: Kind): Promise<number | undefined> {
  const id = Object.values(named).at(-1) ?? '';
  const [type = ''] = Buffer.from(id, 'base64').toString().split(':');
  if (Object.keys(named).length === 1 && named.id === undefined) return undefined;
  const model = type.replace(/\w*Authorization(Policy|Permission)$/, 'AuthorizationPolicy');
  if (!modelOf(model).fields.has('version')) return undefined;
  const query = `query ($id: ID!) { node(id: $id) { ... on ${type} { version } } }`;
  const { data, errors } = await admin.graphql<{ node: { version: number } }>(query, { id });
  expect(errors).toBeUndefined();
  return data.node.version;
}

/** The version that the ETag of a resource says. */
async function shownInRest(path: string): Promise<number> {
  const etag = (await admin.send('GET', `/${realm}${path}`)).headers.get('etag') ?? '';
  expect(etag, path).toMatch(/^"\d+"$/);
  return Number(etag.slice(1, -1));
}

it('a user storage has the version of its component, and so have its mappers', async () => {
  const provider = 'org.keycloak.storage.UserStorageProvider';
  const storage = { name: 'people', providerId: 'ldap', providerType: provider, config: { enabled: ['false'] } };
  expect((await send('POST', '/components', storage, {})).status).toBe(201);
  type Versioned = { version: number; component: { id: string; version: number } };
  const present = async () => {
    const query = `{ realm(name: "${realm}") { userStorages { version component { id version } mappers { version component { id version } } } } }`;
    const { data } = await admin.graphql<{ realm: { userStorages: (Versioned & { mappers: Versioned[] })[] } }>(query);
    const found = data.realm.userStorages.flatMap(({ mappers, ...own }) => [own, ...mappers.slice(0, 1)]);
    expect(found).toHaveLength(2);
    for (const { version, component } of found) expect(version).toBe(component.version);
    return found;
  };
  for (const { version, component } of await present()) {
    const input = { id: component.id, name: 'a first one' };
    expect(await mutate('componentUpdate', { ...input, expectedVersion: version + 1 })).toMatchObject([
      { code: 'STALE' },
    ]);
    expect(await mutate('componentUpdate', { ...input, expectedVersion: version })).toEqual([]);
    const changed = (await present()).find((one) => one.component.id === component.id);
    expect(changed?.version).toBe(version + 1);
    expect(await mutate('componentDelete', { id: component.id, expectedVersion: version })).toMatchObject([
      { code: 'STALE' },
    ]);
  }
});

describe.each(mutations)('%s', (mutation) => {
  const kindNamed = () => kinds[mutation] as Kind;
  const present = async (kind: Kind) => {
    const inGraphql = await shownInGraphql(kind);
    const owner = kind.versioned ?? kind.path;
    if (owner === undefined) return inGraphql as number;
    const inRest = await shownInRest(owner);
    if (inGraphql !== undefined) expect(inGraphql).toBe(inRest);
    return inRest;
  };
  const isDeleted = mutation.replace(/Update$/, 'Delete');

  it('changes the object and its version where the version is the present one, and nothing where it is an old one', async () => {
    const { named, pair, read } = kindNamed();
    const old = await present(kindNamed());
    expect(await mutate(mutation, { ...named, ...pair[0].input('v1'), expectedVersion: old })).toEqual([]);
    const before = await read();
    const version = await present(kindNamed());
    expect(version).toBeGreaterThan(old);
    for (const expectedVersion of [old, version + 1]) {
      const stale = { ...named, ...pair[0].input('v2'), expectedVersion };
      expect(await mutate(mutation, stale)).toMatchObject([{ code: 'STALE' }]);
      if (fieldsOf(isDeleted)) {
        expect(await mutate(isDeleted, { ...named, expectedVersion })).toMatchObject([{ code: 'STALE' }]);
      }
    }
    expect(await read()).toEqual(before);
    expect(await present(kindNamed())).toBe(version);
  });

  it('has its version as the ETag, and REST compares it with If-Match', async () => {
    const { path, pair, read } = kindNamed();
    if (path === undefined) return expect(mutation).toBe(ofGraphqlAlone);
    const patch = (text: string, etag: string) =>
      send('PATCH', path, pair[0].wire(text), { 'content-type': 'application/merge-patch+json', 'if-match': etag });
    const old = `"${await present(kindNamed())}"`;
    expect(await patch('v3', old)).toMatchObject({ status: 204 });
    const before = await read();
    const version = await present(kindNamed());
    for (const etag of [old, `"${version + 1}"`, '"no number"']) {
      expect(await patch('v4', etag)).toMatchObject({ status: 412 });
      expect(await send('PUT', path, { ...before, ...pair[0].wire('v5') }, { 'if-match': etag })).toMatchObject({
        status: 412,
      });
      if (fieldsOf(isDeleted))
        expect(await send('DELETE', path, undefined, { 'if-match': etag })).toMatchObject({ status: 412 });
    }
    expect(await read()).toEqual(before);
    expect(await present(kindNamed())).toBe(version);
    expect(before).not.toHaveProperty('version');
    if (!fieldsOf(isDeleted)) return;
    const dry = await send('DELETE', path, undefined, { 'if-match': `"${version}"`, prefer: 'dry-run' });
    expect(dry.status).toBe(204);
  });
});
