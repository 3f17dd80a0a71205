import type { Route } from '../../src/rest/table.js';
import type { Caller } from '../support/fixture.js';

/** A realm with one of everything that a path can name. */
export const realmWithEverything = (realm: string, extra: { users?: object[] } = {}) => ({
  realm,
  enabled: true,
  passwordPolicy: 'hashIterations(1)',
  adminEventsEnabled: true,
  eventsEnabled: true,
  roles: {
    realm: [{ name: 'clerk', attributes: { a: ['realm'] } }],
    client: { shop: [{ name: 'seller', attributes: { a: ['client'] } }] },
  },
  groups: [{ name: 'staff', attributes: { floor: ['2'] }, realmRoles: ['clerk'] }],
  clients: [
    {
      clientId: 'shop',
      secret: 'shop-secret',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        resources: [{ name: 'thing', scopes: ['use'] }],
        policies: [
          { name: 'clerks', type: 'role', config: { roles: '[{"id":"clerk"}]' } },
          { name: 'using', type: 'scope', config: { scopes: '["use"]', applyPolicies: '["clerks"]' } },
        ],
      },
    },
  ],
  identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us' } }],
  identityProviderMappers: [
    { name: 'colour', identityProviderAlias: 'partner', identityProviderMapper: 'hardcoded-attribute-idp-mapper' },
  ],
  users: [
    {
      username: 'plain',
      enabled: true,
      email: 'plain@example.org',
      credentials: [{ type: 'password', value: 'secret-1' }],
      groups: ['/staff'],
      realmRoles: ['clerk'],
      clientRoles: { shop: ['seller'] },
    },
    ...(extra.users ?? []),
  ],
  localizationTexts: { en: { hello: 'Hello' } },
});

export type Parameters = Record<string, string>;

/** What the paths of the table name in that realm. */
export async function parametersOf(admin: Caller, realm: string): Promise<Parameters> {
  const found = async (path: string, where: (item: Record<string, string>) => boolean = () => true) =>
    ((await admin.send('GET', `/${realm}${path}`)).body as Record<string, string>[]).find(where)?.id ?? '';
  const client = await found('/clients?clientId=shop');
  const user = await found('/users?username=plain');
  const group = await found('/groups');
  const scope = await found('/client-scopes');
  const steps = '/authentication/flows/first%20broker%20login/executions';
  const server = `/clients/${client}/authz/resource-server`;
  const [resource] = (await admin.send('GET', `/${realm}${server}/resource`)).body;
  const step = await found(steps, ({ authenticationConfig }) => authenticationConfig !== undefined);
  const { authenticatorConfig } = (await admin.send('GET', `/${realm}/authentication/executions/${step}`)).body;
  const storage = { name: 'directory', providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' };
  const off = { ...storage, config: { enabled: ['false'] } };
  const created = await admin.send('POST', `/${realm}/components`, off);
  const storageId = created.headers.get('location')?.split('/').at(-1) ?? '';
  const file = { desired: { roles: { realm: [{ name: 'applied' }] } }, modes: { roles: 'KEEP' } };
  await admin.send('POST', `/${realm}/apply`, file);
  return {
    realm,
    'applies:id': await found('/applies'),
    id: storageId,
    'user-storage:id': storageId,
    'user-storage:parentId': storageId,
    storageMapperId: await found(`/components?parent=${storageId}`),
    'role-name': 'clerk',
    'resource-id': resource._id,
    'scope-id': await found(`${server}/scope`),
    'policy-id': await found(`${server}/policy`),
    'policy:type': 'role',
    'permission:type': 'scope',
    seller: 'seller',
    'role-id': (await admin.send('GET', `/${realm}/roles/clerk`)).body.id,
    client,
    clientUuid: client,
    userId: user,
    groupId: group,
    clientScopeId: scope,
    credentialId: await found(`/users/${user}/credentials`),
    newPreviousCredentialId: 'null',
    provider: 'partner',
    alias: 'partner',
    provider_id: 'oidc',
    'mappers:id': await found('/identity-provider/instances/partner/mappers'),
    flowAlias: 'browser',
    'flows:id': await found('/authentication/flows'),
    executionId: step,
    'config:id': authenticatorConfig,
    'config-description:providerId': 'auth-otp-form',
    locale: 'en',
    key: 'hello',
    path: 'staff',
    session: '00000000-0000-4000-8000-000000000000',
    'users:id': user,
    'groups:id': group,
    'clients:id': client,
    'client-scopes:id': scope,
    'client-templates:id': scope,
    mapperId: await found(`/clients/${client}/protocol-mappers/models`),
    scopeMapperId: await found(`/client-scopes/${scope}/protocol-mappers/models`),
    'clients-initial-access:id': (await admin.send('POST', `/${realm}/clients-initial-access`, {})).body.id,
    'components:id': await found('/components'),
    'required-actions:alias': 'VERIFY_EMAIL',
    protocol: 'openid-connect',
    node: 'node.example',
    attr: 'jwt.credential',
    roleContainerId: client,
    'providers:providerId': 'keycloak-oidc-keycloak-json',
  };
}

/** The path of a route with things that are there; on the admin mount where the documents have no such path. */
export function addressOf(route: Route, params: Parameters): string {
  const path = route.path === '' ? `/admin${route.admin}` : route.path;
  return path.replace(/(?:([\w-]+)\/)?\{([\w-]+)\*?\}/g, (_, before: string | undefined, name: string) => {
    const own =
      (before === 'roles' && name === 'role-name' && path.includes('/clients/{id}/roles') && params.seller) ||
      (name === 'mapperId' && /\/client-(scopes|templates)\/\{id\}\//.test(path) && params.scopeMapperId) ||
      (path.includes('/user-storage/{parentId}/') && name === 'id' && params.storageMapperId) ||
      undefined;
    const value = own ?? params[`${before}:${name}`] ?? params[name];
    if (value === undefined || value === '') throw new Error(`the fixture has nothing for {${name}} of ${path}`);
    return `${before === undefined ? '' : `${before}/`}${encodeURIComponent(value)}`;
  });
}

/** What a test of a route is called. */
export const titleOf = ({ method, path, admin, operation }: Route): string =>
  `${method} ${path || `/admin${admin}`} (${operation.name})`;
