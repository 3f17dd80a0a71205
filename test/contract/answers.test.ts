import { beforeAll, describe, expect, it } from 'vitest';
import { oauthCallerTable } from '../../src/rest/oauth-caller-table.js';
import { openApiText } from '../../src/rest/openapi.js';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { addressOf, type Parameters } from '../matrix/addresses.js';
import { type Answer, administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { bodyOf } from './bodies.js';
import { misfits, misfitsOfAnswer, type Schema } from './conformance.js';
import { fillRealm, realmWithLists } from './realm.js';

// What clients with the fixed classes of the reference read: every operation that answers with JSON, asked of a realm that
// has one of everything, against the recorded classes. A route that nothing is asked of here is a failure.
const { paths, components } = JSON.parse(await openApiText()) as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
};

/** Operations that need another server: their answers are compared in the tests of these. */
const elsewhere: Record<string, string> = {
  'POST /{realm}/ldap-server-capabilities': 'a directory',
  'GET /{realm}/clients/{id}/client-secret/rotated': 'a secret that was rotated',
  'POST /{realm}/clients/{id}/authz/resource-server/policy/js': 'a script that is uploaded',
  'POST /{realm}/user-storage/{id}/sync': 'a directory',
  'POST /{realm}/user-storage/{parentId}/mappers/{id}/sync': 'a directory',
};

/** Lists and maps in which this realm has nothing. */
const empty = new Set([
  // scripts are not uploaded, and no directory keeps the credentials of its user
  'GET /{realm}/clients/{id}/authz/resource-server/policy/js',
  // the roles of a client are always in its own scope
  'GET /{realm}/clients/{id}/scope-mappings/clients/{client}/available',
  // the permission that is asked about is part of no other
  'GET /{realm}/clients/{id}/authz/resource-server/policy/{policy-id}/dependentPolicies',
  'GET /{realm}/clients/{id}/authz/resource-server/permission/{policy-id}/dependentPolicies',
  // answers of version 26, which are compared in test/groups and test/newer-contract
  'GET /{realm}/groups/{id}/children',
  'GET /{realm}/users/{id}/unmanagedAttributes',
  'GET /{realm}/users/{id}/configured-user-storage-credential-types',
  // the policy that is asked about by its type goes by roles, and no other policy consists of it
  ...['policy', 'permission'].flatMap((kind) =>
    ['dependentPolicies', 'resources', 'scopes'].map(
      (list) => `GET /{realm}/clients/{id}/authz/resource-server/${kind}/{type}/{policy-id}/${list}`,
    ),
  ),
]);

/** What our own export has beyond the class of the reference, which has no such operation. */
const ownExport = /^\.(webhooks|localizationTexts)|oauth2DeviceAuthorizationGrantEnabled/;

let server: TestServer;
let admin: Caller;
let shop: Caller;
let plain: Caller;
let params: Parameters;

const realm = 'answers';
const pathOf = ({ path, admin: own }: Pick<Route, 'path' | 'admin'>) =>
  path === '' ? `/admin${own}` : path.replace('*}', '}');
const schemaOf = (route: Pick<Route, 'method' | 'path' | 'admin' | 'status'>): Schema | undefined =>
  paths[pathOf(route)]?.[route.method.toLowerCase()]?.responses[route.status]?.content?.['application/json']?.schema;

async function tokenOf(form: Record<string, string>): Promise<string> {
  const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'shop', client_secret: 'shop-secret', ...form }),
  });
  return (await answer.json()).access_token;
}

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const created = await admin.send('POST', '/', realmWithLists(realm));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  params = await fillRealm(admin, realm);
  for (const scope of ['openid offline_access', 'openid'])
    plain = callerWith(
      server,
      await tokenOf({ grant_type: 'password', username: 'plain', password: 'secret-1', scope }),
    );
  shop = callerWith(server, await tokenOf({ grant_type: 'client_credentials' }));
});

const isEmpty = (body: unknown) => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/** What is wrong with an answer: its status, its length, that it has nothing to look at, or fields and types. */
function faultsOf(title: string, answer: Answer, status: number, schema: Schema): string[] {
  const said = JSON.stringify(answer.body)?.slice(0, 200);
  if (answer.status !== status) return [`${title}: ${answer.status} ${said}`];
  const length = answer.headers.get('content-length');
  return [
    ...(length === null && !title.endsWith('/export') ? [`${title}: no content-length`] : []),
    ...(isEmpty(answer.body) !== empty.has(title) ? [`${title}: ${said}`] : []),
    ...misfitsOfAnswer(answer.body, schema, components.schemas)
      .filter((misfit) => title !== 'GET /{realm}/export' || !ownExport.test(misfit))
      .slice(0, 5)
      .map((misfit) => `${title}${misfit}`),
  ];
}

const answering = routes.filter((route) => schemaOf(route) && !(`${route.method} ${pathOf(route)}` in elsewhere));
const reading = answering.filter(({ method }) => method === 'GET');
const others = answering.filter(({ method }) => method !== 'GET');

async function faultsOfRoute(route: Route): Promise<string[]> {
  const title = `${route.method} ${pathOf(route)}`;
  const address = addressOf(route, params);
  const { body, type, query = '' } = await bodyOf(title, { admin, params, address });
  const answer = await (route.console ? plain : admin).send(
    route.method,
    address + query,
    body,
    type === undefined ? {} : { 'content-type': type },
  );
  return faultsOf(title, answer, route.status, schemaOf(route) as Schema);
}

const titleOf = (route: Pick<Route, 'method' | 'path'>) => `${route.method} ${route.path}`;

describe('answers to clients and resource servers', () => {
  it('have the fields and types of the classes of the reference', async () => {
    const faults: string[] = [];
    const asked = new Set<string>();
    const ask = async (title: string, caller: Caller, body?: unknown, names: Parameters = {}, query = '') => {
      const route = oauthCallerTable.find(
        (one) => titleOf(one) === `${title.split(' ')[0]} /realms/{realm}${title.split(' ')[1]}`,
      );
      if (!route) throw new Error(`${title} is not in the table`);
      const at = route.path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? realm);
      const answer = await caller.send(route.method, at + query, body);
      asked.add(titleOf(route));
      const schema = schemaOf(route);
      if (schema) faults.push(...faultsOf(titleOf(route), answer, route.status, schema));
      return answer.body;
    };
    const protection = '/authz/protection';
    const album = { name: 'album', owner: 'plain', ownerManagedAccess: true, resource_scopes: ['see'] };
    const { _id: id } = await ask(`POST ${protection}/resource_set`, shop, album);
    await ask(`GET ${protection}/resource_set`, shop, undefined, {}, '?deep=true');
    await ask(`GET ${protection}/resource_set/{id}`, shop, undefined, { id });
    await ask(`POST ${protection}/permission`, shop, [{ resource_id: id, resource_scopes: ['see'] }]);
    const wanted = { resource: id, scopeName: 'see', requesterName: 'service-account-shop' };
    await ask(`POST ${protection}/permission/ticket`, plain, wanted);
    await ask(`GET ${protection}/permission/ticket`, plain);
    await ask(`GET ${protection}/permission/ticket/count`, plain);
    const sharing = { name: 'shared', scopes: ['see'], clients: ['shop'] };
    const shared = await ask(`POST ${protection}/uma-policy/{id}`, plain, sharing, { id });
    await ask(`GET ${protection}/uma-policy`, plain);
    await ask(`GET ${protection}/uma-policy/{id}`, plain, undefined, { id: shared.id });
    const initial = (await admin.send('POST', `/${realm}/clients-initial-access`, { count: 9, expiration: 900 })).body;
    const registrant = callerWith(server, initial.token);
    const changed: Record<string, (clientId: string) => object> = {
      default: (clientId) => ({ clientId }),
      'openid-connect': (clientId) => ({ client_id: clientId }),
    };
    const kinds = {
      default: { clientId: 'registered' },
      'openid-connect': { redirect_uris: ['https://app.example/'] },
    };
    for (const [kind, description] of Object.entries(kinds)) {
      const made = await ask(`POST /clients-registrations/${kind}`, registrant, description);
      const own = (body: { registrationAccessToken?: string; registration_access_token?: string }) =>
        callerWith(server, body.registrationAccessToken ?? body.registration_access_token);
      const clientId = made.clientId ?? made.client_id;
      const at = `/clients-registrations/${kind}/{clientId}`;
      const read = await ask(`GET ${at}`, own(made), undefined, { clientId });
      await ask(`PUT ${at}`, own({ ...made, ...read }), { ...description, ...changed[kind]?.(clientId) }, { clientId });
    }
    const basic = `Basic ${Buffer.from('shop:shop-secret').toString('base64')}`;
    const install = `/realms/${realm}/clients-registrations/install/shop`;
    const adapter = await callerWith(server, undefined).send('GET', install, undefined, { authorization: basic });
    expect(misfits(adapter.body, 'AdapterConfig')).toEqual([]);
    asked.add('GET /realms/{realm}/clients-registrations/install/{clientId}');
    expect(faults).toEqual([]);
    // the answers of the account API are compared with recorded ones, in test/account
    const others = oauthCallerTable.filter(({ security }) => !security.includes('account'));
    const answering = others.filter((route) => schemaOf(route)).map(titleOf);
    expect(answering.filter((title) => !asked.has(title))).toEqual([]);
  });
});

/** The classes of what admin events hold below a resource, by the end of the path. */
const classesBelow: readonly (readonly [RegExp, string])[] = [
  [/(\/management\/|-management-)permissions$/, 'ManagementPermissionReference'],
  [/\/client-secret$/, 'CredentialRepresentation'],
  [/\/certificates\//, 'CertificateRepresentation'],
  [/\/composites$/, 'RoleRepresentation[]'],
  [/\/permission\/ticket\//, 'PermissionTicketRepresentation'],
];

/** The classes of what other admin events hold, by the type of the resource. */
const classOfEvent: Record<string, string> = {
  AUTHENTICATOR_CONFIG: 'AuthenticatorConfigRepresentation',
  AUTHORIZATION_POLICY: 'PolicyRepresentation',
  AUTHORIZATION_RESOURCE: 'ResourceRepresentation',
  AUTHORIZATION_SCOPE: 'ScopeRepresentation',
  AUTH_FLOW: 'AuthenticationFlowRepresentation',
  CLIENT: 'ClientRepresentation',
  CLIENT_INITIAL_ACCESS_MODEL: 'ClientInitialAccessPresentation',
  CLIENT_ROLE: 'RoleRepresentation',
  CLIENT_SCOPE: 'ClientScopeRepresentation',
  COMPONENT: 'ComponentRepresentation',
  GROUP: 'GroupRepresentation',
  PROTOCOL_MAPPER: 'ProtocolMapperRepresentation',
  REALM_ROLE: 'RoleRepresentation',
  REALM_ROLE_MAPPING: 'RoleRepresentation[]',
  REALM_SCOPE_MAPPING: 'RoleRepresentation[]',
  CLIENT_ROLE_MAPPING: 'RoleRepresentation[]',
  CLIENT_SCOPE_MAPPING: 'RoleRepresentation[]',
  IDENTITY_PROVIDER: 'IdentityProviderRepresentation',
  IDENTITY_PROVIDER_MAPPER: 'IdentityProviderMapperRepresentation',
  REALM: 'RealmRepresentation',
  REQUIRED_ACTION: 'RequiredActionProviderRepresentation',
  USER: 'UserRepresentation',
};

describe('answers of administrators', () => {
  it('have the fields and types of the classes of the reference: reads', async () => {
    const faults: string[] = [];
    for (const route of reading) faults.push(...(await faultsOfRoute(route)));
    expect(faults).toEqual([]);
  });

  it('have the fields and types of the classes of the reference: all others', async () => {
    const faults: string[] = [];
    for (const route of others) faults.push(...(await faultsOfRoute(route)));
    expect(faults).toEqual([]);
  });

  it('have representations in admin events that fit their classes', async () => {
    const events = (await admin.send('GET', `/${realm}/admin-events?max=1000`)).body as Record<string, string>[];
    // the reference has no applies
    const held = events.filter(
      ({ representation, resourcePath }) =>
        representation !== undefined && !/^(apply|revert|unmanage)/.test(resourcePath ?? ''),
    );
    expect(held.length).toBeGreaterThan(20);
    const faults = held.flatMap(({ resourceType = '', resourcePath = '', representation = '' }) => {
      const below = classesBelow.find(([path]) => path.test(resourcePath))?.[1];
      const value = JSON.parse(representation);
      const recorded = below ?? classOfEvent[resourceType];
      if (recorded === undefined) return [`${resourceType} ${resourcePath} has no class: ${representation}`];
      const found = misfits(value, recorded, `${resourceType} ${resourcePath}`);
      // the policies of users have a class of their own
      return resourceType === 'AUTHORIZATION_POLICY' && found.length > 0
        ? misfits(value, 'UmaPermissionRepresentation', `${resourceType} ${resourcePath}`)
        : found;
    });
    expect(faults).toEqual([]);
  });
});
