import { getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mutationsOf } from '../../src/graph/core/mutation.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { type Operation, operations } from '../../src/services/core/operation.js';
import { addressOf, type Parameters, titleOf } from '../matrix/addresses.js';
import { type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Ids, makeHostileRealm } from './fixture.js';

// Nobody acts on a user who has administration roles that the caller lacks, whatever the operation is.

/** Why writes that name users act on none of them. */
const reasons: Record<string, readonly string[]> = {
  'creates the users that it names': ['realm.create', 'user.create', 'user.createMany'],
  'ignores the users of the realm file that it is sent': ['realm.update'],
  'checks the users that it overwrites in `check`': ['realm.partialImport'],
  'asks in `run` about the users that a filter chooses': ['user.updateMatching'],
  'acts on the account of the caller, who is told what the role `manage-account` allows': ['account.updateProfile'],
  'names who may use a resource, and changes nothing of the user': [
    'account.shareResource',
    'authorizationResource.create',
    'permissionTicket.create',
    'permissionTicket.update',
    'policy.create.user',
    'umaPolicy.create',
    'umaPolicy.update',
  ],
};
const excused = Object.values(reasons).flat();

const inPath = /\/users\/\{id\}|\{userId\}|\{session\}|\{credentialId\}/;
const inInput = /^(users?|userIds?|username|requester)$/;
const inMutation = /^Ids? of the (users?|credential|session)\b|of the user who/;

const mutationFields = graphqlSchema().getMutationType()?.getFields() ?? {};

/** The names of all properties in a JSON schema. */
function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}

function describedIds(mutation: string): string[] {
  const type = mutationFields[mutation]?.args[0]?.type;
  const input = type && getNamedType(type);
  const fields = input && isInputObjectType(input) ? Object.values(input.getFields()) : [];
  return fields.filter((field) => String(field.type).includes('ID')).map(({ description }) => description ?? '');
}

const routesOf = (operation: Operation) => routes.filter((route) => route.operation === operation);
const pathOf = ({ path, admin }: Route) => path || (admin ?? '');

const namesUsers = (operation: Operation): boolean =>
  routesOf(operation).some((route) => inPath.test(pathOf(route))) ||
  (operation.input &&
    propertiesIn(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })).some((name) =>
      inInput.test(name),
    )) ||
  mutationsOf(operation.name).some((mutation) => describedIds(mutation).some((text) => inMutation.test(text)));

const writes = [...operations().values()].filter(({ kind }) => kind === 'write');
const naming = writes.filter(namesUsers);

describe('a write that names users', () => {
  it.each(naming.map((operation) => [operation.name, operation] as const))(
    '%s declares that it acts on them, or has a reason not to',
    (name, { actsOn }) => {
      expect(Boolean(actsOn)).toBe(!excused.includes(name));
    },
  );

  it('that has a reason names users', () => {
    const names = new Set(naming.map(({ name }) => name));
    expect(excused.filter((name) => !names.has(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(25);
  });
});

const realm = 'acted-on';
let server: TestServer;
let admin: Caller;
let helper: Caller;
let ids: Ids;

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  await admin.send('PUT', `/${realm}`, { bruteForceProtected: true });
  await admin.send('POST', `/${realm}/users`, { username: 'helper', enabled: true, credentials: password });
  const [user] = (await admin.send('GET', `/${realm}/users?username=helper`)).body;
  const roles = ['manage-users', 'impersonation'].map((name) => ({ id: ids.rights[name], name }));
  await admin.send(
    'POST',
    `/${realm}/users/${user.id}/role-mappings/clients/${ids.clients['realm-management']}`,
    roles,
  );
});

const password = [{ type: 'password', value: 'pw' }];

async function sessionOf(user: string, id: string | undefined): Promise<string> {
  await userOf(server, realm, user, 'pw');
  return (await admin.send('GET', `/${realm}/users/${id}/sessions`)).body.at(-1).id;
}

let made = 0;
async function newUser(): Promise<[string, string]> {
  const username = `user-${made++}`;
  const { headers } = await admin.send('POST', `/${realm}/users`, { username, enabled: true, credentials: password });
  return [username, headers.get('location')?.split('/').at(-1) ?? ''];
}

async function parametersFor(user: string, id: string): Promise<Parameters> {
  const [credential] = (await admin.send('GET', `/${realm}/users/${id}/credentials`)).body;
  return {
    realm,
    'users:id': id,
    userId: id,
    session: await sessionOf(user, id),
    credentialId: credential.id,
    newPreviousCredentialId: 'null',
    groupId: ids.groups.staff ?? '',
    'consents:client': 'app',
    client: ids.clients.app ?? '',
    provider: 'corporate',
  };
}

const patch = { 'content-type': 'application/merge-patch+json' };

/** The first of the answers to some bodies that is no complaint about the body. */
async function send(caller: Caller, { method }: Route, address: string): Promise<number> {
  for (const body of [[], {}, { firstName: 'Anna' }, 'x']) {
    const { status } = await caller.send(method, address, body, method === 'PATCH' ? patch : {});
    if (![400, 415].includes(status)) return status;
  }
  return 400;
}

const onUsers = routes
  .filter((route) => route.operation.kind === 'write' && inPath.test(pathOf(route)))
  .map((route) => [titleOf(route), route] as const);

describe('whoever only manages users', () => {
  // to impersonate somebody ends the session of the caller
  beforeEach(async () => {
    helper = await userOf(server, realm, 'helper', 'pw');
  });

  it.each(onUsers)('does not act on an administrator: %s', async (_title, route) => {
    const address = addressOf(route, await parametersFor('boss', ids.users.boss ?? ''));
    expect(await send(helper, route, address)).toBe(403);
  });

  it.each(onUsers)('acts on others: %s', async (_title, route) => {
    const address = addressOf(route, await parametersFor(...(await newUser())));
    // what is impossible for other reasons is not forbidden
    expect([401, 403]).not.toContain(await send(helper, route, address));
  });

  it('ends the sessions of all only while no administrator has one', async () => {
    await sessionOf('boss', ids.users.boss);
    expect((await helper.send('POST', `/${realm}/logout-all`)).status).toBe(403);
    await admin.send('POST', `/${realm}/users/${ids.users.boss}/logout`);
    expect((await helper.send('POST', `/${realm}/logout-all`)).status).toBe(200);
  });

  it('unlocks all only while no administrator is among them', async () => {
    const all = `/${realm}/attack-detection/brute-force/users`;
    await expect(userOf(server, realm, 'victim', 'wrong')).rejects.toThrow();
    expect((await helper.send('DELETE', all)).status).toBe(204);
    await expect(userOf(server, realm, 'boss', 'wrong')).rejects.toThrow();
    expect((await helper.send('DELETE', all)).status).toBe(403);
    expect((await admin.send('GET', `${all}/${ids.users.boss}`)).body.numFailures).toBe(1);
    expect((await admin.send('DELETE', all)).status).toBe(204);
  });
});
