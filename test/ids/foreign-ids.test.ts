import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { modelNames, modelOf } from '../../src/database/model.js';
// operations of GraphQL alone are known once its schema is loaded
import '../../src/graph/schema.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { operations } from '../../src/services/core/operation.js';
import { RealmRepresentation } from '../../src/services/realms/representation.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { isThorough, sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { content, openBeside, readTables, type Tables } from './tables.js';
import { creations, freshIds, type Ids, realmFile } from './world.js';

// An administrator who may create realms, and nothing else, gives everything that can be imported or created the id of
// everything of another realm. Nothing of that realm may be read, changed, deleted or attached to.
const victim = 'victim';
const mark = 'secret-of-victim';
let admin: Caller;
let maker: Caller;
let database: OpenDatabase;
let before: Tables;
/** by model: the id of something of the realm that is attacked, or of master */
let foreign: [model: string, id: string][];

/** The representations in a file of a realm that have an id, from the shapes themselves. */
function identifiedKinds(): string[] {
  const { $defs = {} } = z.toJSONSchema(RealmRepresentation, { unrepresentable: 'any', io: 'input' });
  return Object.entries($defs).flatMap(([name, { properties = {} }]) =>
    ['id', '_id', 'internalId'].some((field) => field in properties) ? [name] : [],
  );
}

/** The import of a realm has a test of its own; these take no id over, or store it as the other types of policies do. */
const elsewhere = [
  'authenticatorConfig.create',
  'clientRegistration.create',
  'group.createMany',
  'permissionTicket.create',
  'policy.create',
  'policy.create.js',
  'policy.create.regex',
  'policy.create.time',
  'realm.create',
  'role.createMany',
  'roleMapping.add',
  'roleMapping.addAny',
  'umaPolicy.create',
  'umaResource.create',
  'user.createMany',
];

/** Records of what happened, which name what it happened to. */
const records = new Set(['AdminEvent', 'LoginEvent', 'Change', 'UserCount', 'UserSession', 'ClientSession']);
const ofRealm = ({ columns }: { columns: Record<string, unknown> }, ids: ReadonlySet<unknown>) =>
  Object.values(columns).some((value) => ids.has(value));

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const server = await startServer({ databaseUrl });
  admin = await administrator(server);
  expect((await admin.send('POST', '/', realmFile(victim, mark, freshIds(identifiedKinds())))).status).toBe(201);
  expect((await admin.send('PUT', '/master', { accessTokenLifespan: 3600 })).status).toBe(204);
  const password = { type: 'password', value: 'maker' };
  await admin.send('POST', '/master/users', { username: 'maker', enabled: true, credentials: [password] });
  const [{ id }] = (await admin.send('GET', '/master/users?username=maker')).body;
  const role = (await admin.send('GET', '/master/roles/create-realm')).body;
  expect((await admin.send('POST', `/master/users/${id}/role-mappings/realm`, [role])).status).toBe(204);
  await userOf(server, victim, `${mark}-ann`, 'ann');
  maker = await userOf(server, 'master', 'maker', 'maker');
  database = await openBeside(databaseUrl);
  before = await readTables(database);
  foreign = foreignIds();
});

afterAll(() => database?.close());

/** An id of each model, of the realm that is attacked where it has such a thing. */
function foreignIds(): [string, string][] {
  const rows = [...before.values()];
  const realmId = rows.find(({ model, columns }) => model === 'Realm' && columns.name === victim)?.columns.id;
  const found = modelNames().flatMap((name): [string, string][] => {
    if (modelOf(name).primaryKey.join() !== 'id') return [];
    const own = rows.filter(({ model }) => model === name);
    const row = own.find((one) => one.columns.id === realmId || one.columns.realmId === realmId) ?? own[0];
    const id = row?.columns.id;
    return typeof id === 'string' ? [[name, id]] : [];
  });
  const master = rows.flatMap(({ model, columns }): [string, string][] =>
    columns.realmId === 'master' && (columns.clientId === 'admin-cli' || columns.name === 'create-realm')
      ? [[`${model} of master`, String(columns.id)]]
      : [],
  );
  return [...found, ['Realm master', 'master'], ...master];
}

/** What was there is there as it was, and nothing new belongs to it but what every new realm adds to master. */
async function expectUntouched(what: string): Promise<void> {
  const after = await readTables(database);
  const changed: string[] = [];
  for (const [key, row] of before) {
    if (records.has(row.model)) continue;
    const now = after.get(key);
    if (!now) changed.push(`${what}: ${key} is gone`);
    else if (content(now) !== content(row)) changed.push(`${what}: ${content(row)} became ${content(now)}`);
  }
  const rows = [...before.values()];
  const makerId = rows.find(({ model, columns }) => model === 'User' && columns.username === 'maker')?.columns.id;
  const adminRole = rows.find(
    ({ model, columns }) => model === 'Role' && columns.realmId === 'master' && columns.name === 'admin',
  )?.columns.id;
  const known = new Set<unknown>(rows.filter(({ model }) => !records.has(model)).map(({ columns }) => columns.id));
  known.delete(undefined);
  for (const [key, { model, columns }] of after) {
    if (before.has(key) || records.has(model) || model === 'IdempotencyKey') continue;
    const { userId, parentId, realmId, ...others } = columns;
    const expected =
      (userId === undefined || !known.has(userId) || userId === makerId) &&
      (parentId === undefined || !known.has(parentId) || parentId === adminRole) &&
      (realmId === undefined || !known.has(realmId) || (realmId === 'master' && ['Client', 'Role'].includes(model)));
    if (!expected || ofRealm({ columns: others }, known))
      changed.push(`${what}: ${content({ model, columns })} in ${model}`);
  }
  expect(changed).toEqual([]);
}

const all = (kinds: readonly string[], id: string): Ids => Object.fromEntries(kinds.map((kind) => [kind, id]));

/** Reads, changes and deletes what a realm has, through every address that goes by an id or a container. */
async function useUp(realm: string, id: string): Promise<void> {
  const answers: unknown[] = [];
  const get = async (path: string) => {
    const { body } = await maker.send('GET', `/${realm}${path}`);
    answers.push(body);
    return Array.isArray(body) ? body : [];
  };
  const roles = await get('/roles');
  const clients = await get('/clients');
  const groups = await get('/groups');
  const scopes = await get('/client-scopes');
  const containers = [...clients.map((client) => client.id as string), id];
  for (const container of containers) {
    const ownRoles = await get(`/clients/${container}/roles`);
    const isManagement = clients.some((client) => client.id === container && client.clientId === 'realm-management');
    // nothing tells the roles apart that the administration of every realm has
    const own = isManagement ? ownRoles.slice(0, 2) : ownRoles;
    for (const role of own) {
      await maker.send('PUT', `/${realm}/clients/${container}/roles/${role.name}`, {
        name: role.name,
        description: 'x',
      });
      await maker.send('DELETE', `/${realm}/clients/${container}/roles/${role.name}`);
    }
    for (const name of ['admin', 'create-realm', `${mark}-clerk`]) {
      await maker.send('PUT', `/${realm}/clients/${container}/roles/${name}`, { name, description: 'changed' });
      await maker.send('DELETE', `/${realm}/clients/${container}/roles/${name}`);
    }
    await get(`/clients/${container}/protocol-mappers/models`);
    await get(`/clients/${container}/protocol-mappers/models/${id}`);
    await maker.send('DELETE', `/${realm}/clients/${container}/protocol-mappers/models/${id}`);
    await get(`/clients/${container}/scope-mappings/realm/available`);
    await get(`/clients/${container}/evaluate-scopes/scope-mappings/${id}/granted`);
  }
  for (const scope of [...scopes.map((one) => one.id as string), id]) {
    await get(`/client-scopes/${scope}/protocol-mappers/models`);
    await maker.send('DELETE', `/${realm}/client-scopes/${scope}/protocol-mappers/models/${id}`);
  }
  for (const path of byId) await maker.send('DELETE', `/${realm}${path}/${id}`);
  for (const role of roles) await maker.send('DELETE', `/${realm}/roles/${role.name}`);
  for (const group of groups) await maker.send('DELETE', `/${realm}/groups/${group.id}`);
  expect(JSON.stringify(answers)).not.toContain(mark);
}

const byId = [
  '/roles-by-id',
  '/groups',
  '/users',
  '/clients',
  '/client-scopes',
  '/components',
  '/authentication/flows',
  '/authentication/executions',
  '/authentication/config',
  '/sessions',
  '/clients-initial-access',
];

it('every kind of a file that has an id is in the file of this test', () => {
  const file = JSON.stringify(realmFile('x', 'x', all(identifiedKinds(), 'the-id')));
  for (const kind of identifiedKinds()) {
    const without = JSON.stringify(
      realmFile(
        'x',
        'x',
        all(
          identifiedKinds().filter((one) => one !== kind),
          'the-id',
        ),
      ),
    );
    expect(without.length, kind).toBeLessThan(file.length);
  }
});

/** Whether what an operation is sent has an id, at whatever depth. */
function takesId(input: z.ZodType): boolean {
  const { properties = {}, items, $defs = {} } = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' });
  const fields = [properties, ...Object.values($defs).map((one) => one.properties ?? {})];
  return items !== undefined || fields.some((one) => ['id', '_id', 'internalId'].some((field) => field in one));
}

it('every operation that creates something by an id is in this test', () => {
  const covered = new Set(creations('', '').map(({ operation }) => operation));
  const names = [...operations().values()]
    .filter(({ name, input }) => /\.(create|import|add|partialImport|register)/.test(name) && input && takesId(input))
    .map(({ name }) => name)
    .filter((name) => !covered.has(name));
  expect(names.sort()).toEqual(elsewhere);
});

/** Kinds of files of older versions, some of which become the same: an id is given to one of them in a file. */
const older = [
  ['ApplicationRepresentation', 'ClientTemplateRepresentation', 'UserFederationProviderRepresentation'],
  ['OAuthClientRepresentation', 'UserFederationMapperRepresentation'],
];
const ofThisVersion = () => identifiedKinds().filter((kind) => !older.flat().includes(kind));

it.each([
  ['this version', ofThisVersion],
  ['older versions', () => older[0] ?? []],
  ['older versions, other kinds', () => older[1] ?? []],
])(
  'a file of %s with the ids of another realm',
  async (_, kinds) => {
    for (const [at, [model, id]] of sampled(foreign, 6).entries()) {
      const realm = `imported-${at}`;
      const { status } = await maker.send('POST', '/', realmFile(realm, 'own', all(kinds(), id)));
      expect([model, status]).toEqual([model, 201]);
      // reading all tables costs most of this test; the check after the deletion finds all that is not undone by it
      if (isThorough) await expectUntouched(`import with the id of ${model}`);
      await useUp(realm, id);
      if (isThorough) await expectUntouched(`use after an import with the id of ${model}`);
      expect((await maker.send('DELETE', `/${realm}`)).status).toBe(204);
      await expectUntouched(`deletion after an import with the id of ${model}`);
    }
  },
  240_000,
);

it('single creations with the ids of another realm', async () => {
  const realm = 'single';
  expect((await maker.send('POST', '/', { ...realmFile(realm, 'own', {}), webhooks: [] })).status).toBe(201);
  await maker.send('POST', `/${realm}/roles`, { name: 'clerk' });
  await maker.send('POST', `/${realm}/identity-provider/instances`, { alias: 'partner', providerId: 'oidc' });
  const [client] = (await maker.send('GET', `/${realm}/clients?clientId=own-shop`)).body;
  const scopes = (await maker.send('GET', `/${realm}/client-scopes`)).body as { id: string }[];
  const faults: unknown[] = [];
  for (const [model, id] of sampled(foreign, 8)) {
    for (const { operation, method, path, body } of creations(client.id, scopes[0]?.id ?? '')) {
      const { status } = await maker.send(method, `/${realm}${path}`, body(id, `n${randomUUID().slice(0, 8)}`));
      if (status >= 500 || status === 401) faults.push([operation, model, status]);
    }
    await useUp(realm, id);
    await expectUntouched(`creations with the id of ${model}, and use`);
  }
  expect(faults).toEqual([]);
  expect((await maker.send('DELETE', `/${realm}`)).status).toBe(204);
  await expectUntouched('deletion after creations');
}, 240_000);
