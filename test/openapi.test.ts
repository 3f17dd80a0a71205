import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiText } from '../src/rest/openapi.js';
import { administrator, type Caller } from './support/fixture.js';
import { startServer } from './support/server.js';

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; schema: object }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

const document: Document = JSON.parse(await openApiText());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
);

describe('the OpenAPI document', () => {
  it('has a schema for every answer with a body', () => {
    const silent = operations.filter(({ responses }) => responses[200] && !responses[200].content);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('lets no part of a path be empty', () => {
    const inPath = operations.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === 'path'));
    expect(inPath.filter(({ schema }) => !('minLength' in schema))).toEqual([]);
  });

  it('names the failure of the operations that send mail', () => {
    const failing = operations.filter(({ responses }) => responses[500]).map(({ name }) => name);
    expect(failing).toEqual([
      'PUT /admin/realms/{realm}/users/{id}/reset-password-email',
      'POST /{realm}/testSMTPConnection',
      'PUT /{realm}/users/{id}/execute-actions-email',
      'PUT /{realm}/users/{id}/send-verify-email',
    ]);
  });
});

/** The schema of what an operation answers, with those that it refers to. */
function answerOf(method: string, path: string): z.ZodType {
  const content = document.paths[path]?.[method.toLowerCase()]?.responses[200]?.content?.['application/json'];
  if (!content) throw new Error(`Nothing is declared for ${method} ${path}`);
  const whole = { ...content.schema, $defs: document.components.schemas };
  return z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')));
}

const realm = 'described';
const file = { ifResourceExists: 'SKIP', roles: { realm: [{ name: 'clerk' }] }, users: [{ username: 'bob' }] };
const storage = 'org.keycloak.storage.UserStorageProvider';

let admin: Caller;
let ids: Record<string, string>;

beforeAll(async () => {
  admin = await administrator(await startServer());
  const made = await admin.send('POST', '/', {
    realm,
    enabled: true,
    users: [{ username: 'ann', enabled: true }],
    groups: [{ name: 'staff' }],
    clients: [{ clientId: 'shop', secret: 's', serviceAccountsEnabled: true, authorizationServicesEnabled: true }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us' } }],
    components: { [storage]: [{ name: 'People', providerId: 'ldap', config: { enabled: ['false'] } }] },
  });
  expect(made.status).toBe(201);
  const idOf = async (path: string): Promise<string> => (await admin.send('GET', `/${realm}${path}`)).body[0].id;
  const client = await idOf('/clients?clientId=shop');
  const server = `/${realm}/clients/${client}/authz/resource-server`;
  const resource = { name: 'till', scopes: [{ name: 'open' }], attributes: { floor: ['2'] } };
  const { body } = await admin.send('POST', `${server}/resource`, resource);
  const user = await idOf('/users?username=ann');
  const policy = { name: 'ann', users: [user] };
  expect((await admin.send('POST', `${server}/policy/user`, policy)).status).toBe(201);
  const permission = { name: 'tills', resources: [body._id], policies: ['ann'] };
  expect((await admin.send('POST', `${server}/permission/resource`, permission)).status).toBe(201);
  const component = await idOf(`/components?type=${storage}`);
  ids = { realm, client, user, component, resource: body._id };
});

/** Method, documented path, values of its parameters by name, query, and body. */
type Case = [method: string, path: string, values?: Record<string, string>, query?: string, body?: unknown];

const ofClient = { id: 'client' };
const ofResource = { id: 'client', 'resource-id': 'resource' };
const cases: Case[] = [
  ['GET', '/{realm}/keys'],
  ['GET', '/{realm}/groups/count'],
  ['GET', '/{realm}/client-session-stats'],
  ['GET', '/{realm}/authentication/per-client-config-description'],
  ['GET', '/{realm}/identity-provider/instances/{alias}/mapper-types', { alias: '=partner' }],
  ['GET', '/{realm}/identity-provider/providers/{provider_id}', { provider_id: '=oidc' }],
  ['GET', '/{realm}/user-storage/{id}/name', { id: 'component' }],
  ['GET', '/{realm}/components/{id}/sub-component-types', { id: 'component' }, `?type=${storage}`],
  ['GET', '/{realm}/users/{id}/configured-user-storage-credential-types', { id: 'user' }],
  ['GET', '/{realm}/clients/{id}/client-secret', ofClient],
  ['POST', '/{realm}/clients/{id}/client-secret', ofClient],
  ['GET', '/{realm}/clients/{id}/service-account-user', ofClient],
  ['GET', '/{realm}/clients/{id}/test-nodes-available', ofClient],
  ['POST', '/{realm}/clients/{id}/push-revocation', ofClient],
  ['POST', '/{realm}/clients/{id}/registration-access-token', ofClient],
  ['GET', '/{realm}/clients/{id}/authz/resource-server/resource/{resource-id}/scopes', ofResource],
  ['GET', '/{realm}/clients/{id}/authz/resource-server/resource/{resource-id}/attributes', ofResource],
  ['POST', '/{realm}/push-revocation'],
  ['POST', '/{realm}/logout-all'],
  ['POST', '/{realm}/partialImport', {}, '', file],
  ['POST', '/{realm}/users/{id}/impersonation', { id: 'user' }],
];

describe('the declared schema', () => {
  const matching = async (method: string, path: string, address: string, body?: unknown) => {
    const answer = await admin.send(method, address, body);
    expect([answer.status, address]).toEqual([200, address]);
    const checked = answerOf(method, path).safeParse(answer.body);
    expect(checked.error?.issues ?? []).toEqual([]);
    return answer.body;
  };

  it.each(cases)('is true of %s %s', async (method, path, values = {}, query = '', body = undefined) => {
    const address = path.replace(/\{([\w-]+)\}/g, (_all, name: string) => {
      const value = values[name] ?? name;
      return value.startsWith('=') ? value.slice(1) : (ids[value] ?? value);
    });
    await matching(method, path, address + query, body);
  });

  it('is true of the evaluation of policies', async () => {
    const path = '/{realm}/clients/{id}/authz/resource-server/policy/evaluate';
    const address = path.replace('{realm}', realm).replace('{id}', ids.client ?? '');
    const question = { userId: ids.user, roleIds: [], resources: [{ name: 'till', _id: ids.resource }], context: {} };
    const body = await matching('POST', path, address, question);
    expect(body.results).toHaveLength(1);
  });

  it('is true of what the server says of itself and of the caller', async () => {
    const server = await matching('GET', '/', '/admin/serverinfo');
    expect(server.systemInfo.version).toBe('15.0.2');
    await matching('GET', '/admin/{realm}/console/whoami', '/admin/master/console/whoami');
  });
});
