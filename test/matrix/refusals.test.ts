import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// Every operation of the table, as nobody, as a user without any role, in a realm that is not there, with a bad body.
let admin: Caller;
let nobody: Caller;
let plain: Caller;
let params: Record<string, string>;

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  nobody = callerWith(server, undefined);
  await admin.send('POST', '/', {
    realm: 'matrix',
    enabled: true,
    roles: { realm: [{ name: 'clerk' }], client: { shop: [{ name: 'seller' }] } },
    groups: [{ name: 'staff' }],
    clients: [{ clientId: 'shop', secret: 'shop-secret', serviceAccountsEnabled: true }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us' } }],
    users: [{ username: 'plain', enabled: true, credentials: [{ type: 'password', value: 'secret-1' }] }],
    localizationTexts: { en: { hello: 'Hello' } },
  });
  plain = await userOf(server, 'matrix', 'plain', 'secret-1');
  const found = async (path: string, where: (item: Record<string, string>) => boolean = () => true) =>
    ((await admin.send('GET', `/matrix${path}`)).body as Record<string, string>[]).find(where)?.id ?? '';
  const client = await found('/clients?clientId=shop');
  const user = await found('/users?username=plain');
  params = {
    realm: 'matrix',
    'role-name': 'clerk',
    'role-id': (await admin.send('GET', '/matrix/roles/clerk')).body.id,
    client,
    clientUuid: client,
    groupId: await found('/groups'),
    clientScopeId: await found('/client-scopes'),
    credentialId: await found(`/users/${user}/credentials`),
    newPreviousCredentialId: 'null',
    provider: 'partner',
    alias: 'partner',
    flowAlias: 'browser',
    locale: 'en',
    key: 'hello',
    path: 'staff',
    'users:id': user,
    'groups:id': await found('/groups'),
    'clients:id': client,
    'client-scopes:id': await found('/client-scopes'),
    'components:id': await found('/components'),
    'required-actions:alias': 'VERIFY_EMAIL',
    protocol: 'openid-connect',
  };
});

/** The path of a route with things that are there; on the admin mount where the documents have no such path. */
function address(route: Route, changed: Record<string, string> = {}): string {
  if (route.path === '') return `/admin${route.admin}`;
  const all = { ...params, ...changed };
  return route.path.replace(/(?:([\w-]+)\/)?\{([\w-]+)\*?\}/g, (_, before: string | undefined, name: string) => {
    const own =
      (before === 'roles' && name === 'role-name' && route.path.includes('/clients/{id}/roles') && 'seller') ||
      undefined;
    const value = own ?? all[`${before}:${name}`] ?? all[name];
    if (value === undefined || value === '') throw new Error(`the fixture has nothing for {${name}} of ${route.path}`);
    return `${before === undefined ? '' : `${before}/`}${encodeURIComponent(value)}`;
  });
}

const title = ({ method, path, admin: other, operation }: Route) =>
  `${method} ${path || `/admin${other}`} (${operation.name})`;
const table = routes.map((route) => [title(route), route] as const);
const takesJson = ({ takes }: Route) => takes === 'json';
const body = (route: Route) => (takesJson(route) ? {} : undefined);

describe('every operation', () => {
  it.each(table)('%s is refused without a token: 401', async (_title, route) => {
    const answer = await nobody.send(route.method, address(route), body(route));
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: 'HTTP 401 Unauthorized' });
  });

  it.each(table)('%s is refused to a user without roles: 403', async (_title, route) => {
    const answer = await plain.send(route.method, address(route), body(route));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ error: 'unknown_error' });
  });

  it.each(table.filter(([, { path }]) => path.startsWith('/{realm}')))(
    '%s in an unknown realm: 404',
    async (_title, route) => {
      const answer = await admin.send(route.method, address(route, { realm: 'no-such-realm' }), body(route));
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'Realm not found.' });
    },
  );

  it.each(table.filter(([, route]) => takesJson(route)))('%s with malformed JSON: 400', async (_title, route) => {
    const answer = await admin.send(route.method, address(route), '{"a":', { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unknown_error' } });
  });

  it('is in the registry under its name, and reads have no audit record', () => {
    for (const { operation } of routes) expect(operations().get(operation.name)).toBe(operation);
  });
});
