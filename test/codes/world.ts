import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

/** A realm in which every refusal with a code can be provoked, and the IDs of what it has, by what recipes call it. */
export interface World {
  server: TestServer;
  admin: Caller;
  id: (name: string) => string;
}

export const realm = 'codes';
/** A name that is longer than any may be. */
export const tooLong = 'x'.repeat(300);

const authorizationSettings = {
  resources: [{ name: 'thing', scopes: ['use'] }, { name: 'other' }],
  scopes: [{ name: 'use' }, { name: 'spare' }],
  policies: [
    { name: 'clerks', type: 'role', config: { roles: '[{"id":"clerk"}]' } },
    { name: 'both', type: 'aggregate', config: { applyPolicies: '["clerks"]' } },
    { name: 'all', type: 'aggregate', config: { applyPolicies: '["both"]' } },
  ],
};
const hook = (at: number) => ({ name: `hook-${at}`, url: `https://hooks.example/${at}`, isEnabled: false });
const smtpServer = { host: 'mail.example', from: 'from@example.org', auth: 'true', user: 'u', password: 'secret' };

const flow = (alias: string, { topLevel = true, steps = 0 } = {}) => ({
  alias,
  providerId: 'basic-flow',
  topLevel,
  builtIn: false,
  authenticationExecutions: Array.from({ length: steps }, (_, priority) => ({
    authenticator: 'auth-cookie',
    requirement: 'ALTERNATIVE',
    priority,
  })),
});

export const longName = 'n'.repeat(250);

interface Branch {
  name: string;
  subGroups?: Branch[];
}
/** A path of groups that has no room for a long name below it, with a group of a short name at its end. */
const branch = (levels: number): Branch => ({
  name: levels === 0 ? 'leaf' : longName,
  ...(levels > 0 && { subGroups: [branch(levels - 1)] }),
});

const realmFile = {
  realm,
  enabled: true,
  passwordPolicy: 'hashIterations(1) and length(8)',
  editUsernameAllowed: true,
  resetCredentialsFlow: 'bound',
  smtpServer,
  roles: { realm: [{ name: 'clerk' }, { name: 'writer' }] },
  groups: [
    { name: 'staff', subGroups: [{ name: 'inner' }] },
    { name: 'other', subGroups: [{ name: 'inner' }] },
    { name: 'free' },
    branch(7),
    { name: `${longName}n` },
  ],
  clients: [
    { clientId: 'shop', serviceAccountsEnabled: true, authorizationServicesEnabled: true, authorizationSettings },
    {
      clientId: 'nodes',
      registeredNodes: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`n${at}.example`, 1])),
    },
  ],
  clientScopes: ['one', 'two'].map((name) => ({
    name,
    protocol: 'openid-connect',
    protocolMappers: [{ name: 'mapper', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' }],
  })),
  identityProviders: [
    {
      alias: 'partner',
      providerId: 'oidc',
      config: { clientId: 'us', clientSecret: 'secret', tokenUrl: 'https://partner.example/token' },
    },
    { alias: 'second', providerId: 'oidc', config: { clientId: 'us' } },
  ],
  identityProviderMappers: [
    { name: 'colour', identityProviderAlias: 'partner', identityProviderMapper: 'hardcoded-attribute-idp-mapper' },
  ],
  users: [
    {
      username: 'ann',
      enabled: true,
      email: 'ann@example.org',
      federatedIdentities: [{ identityProvider: 'partner', userId: '1', userName: 'ann' }],
    },
    { username: 'bob', enabled: true },
    { username: 'cop' },
    { username: 'off', enabled: false, email: 'off@example.org' },
    { username: 'service-account-taken', enabled: true },
  ],
  authenticationFlows: [
    ...['mine', 'spare', 'bound'].map((alias) => flow(alias)),
    flow('loose', { topLevel: false }),
    flow('full', { steps: 100 }),
  ],
};

const node = (typename: string, id: string): string => Buffer.from(`${typename}:${id}`).toString('base64');

interface Named {
  id: string;
  name?: string;
  alias?: string;
  clientId?: string;
  username?: string;
  subGroups?: Named[];
  _id?: string;
}

/** Starts a server with the realm. */
export async function makeWorld(): Promise<World> {
  const { server, admin } = await startWithRealm(realmFile);
  const known = new Map<string, string>();
  const get = async <R = Named[]>(path: string, of = realm): Promise<R> =>
    (await admin.send('GET', `/${of}${path}`)).body;
  const keep = (typename: string, found: readonly Named[], prefix = typename) => {
    for (const one of found) {
      const name = one.clientId ?? one.username ?? one.alias ?? one.name ?? '';
      known.set(`${prefix} ${name}`, node(typename, one.id ?? one._id ?? ''));
    }
  };
  for (const of of [realm, 'master']) known.set(`Realm ${of}`, node('Realm', (await get<Named>('', of)).id));
  keep('Role', await get('/roles'));
  keep('Role', await get('/roles', 'master'), 'Role of master');
  keep('User', await get('/users'));
  keep('Client', await get('/clients?max=100'));
  keep('Client', await get('/clients', 'master'), 'Client of master');
  keep('ClientScope', await get('/client-scopes'));
  keep('AuthenticationFlow', await get('/authentication/flows'));
  const loose = await server.database.read.authenticationFlow.findFirst({
    where: { alias: 'loose' },
    select: { id: true },
  });
  known.set('AuthenticationFlow loose', node('AuthenticationFlow', loose?.id ?? ''));
  for (const [name, where] of [
    ['leaf', { name: 'leaf' }],
    ['deepest', { children: { some: { name: 'leaf' } } }],
  ] as const) {
    const group = await server.database.read.group.findFirst({ where, select: { id: true } });
    known.set(`Group ${name}`, node('Group', group?.id ?? ''));
  }
  const groups = await get('/groups');
  keep('Group', groups);
  for (const { name, subGroups = [] } of groups) keep('Group', subGroups, `Group ${name}`);
  for (const { alias, internalId } of await get<{ alias: string; internalId: string }[]>(
    '/identity-provider/instances',
  ))
    known.set(`IdentityProvider ${alias}`, node('IdentityProvider', internalId));
  const authz = `/clients/${atob(known.get('Client shop') ?? '').split(':')[1]}/authz/resource-server`;
  for (const [kind, typename] of [
    ['scope', 'AuthorizationScope'],
    ['resource', 'AuthorizationResource'],
  ] as const) {
    const found = await get(`${authz}/${kind}`);
    keep(
      typename,
      found.map((one) => ({ ...one, id: one.id ?? one._id ?? '' })),
    );
  }
  const policies = await get<(Named & { type: string })[]>(`${authz}/policy`);
  keep(
    'RoleAuthorizationPolicy',
    policies.filter(({ type }) => type === 'role'),
  );
  keep(
    'AggregatedAuthorizationPolicy',
    policies.filter(({ type }) => type === 'aggregate'),
  );
  const [step] = await get('/authentication/flows/browser/executions');
  known.set('FlowExecution built in', node('FlowExecution', step?.id ?? ''));
  const storage = {
    name: 'directory',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: {
      enabled: ['false'],
      connectionUrl: ['ldap://directory.example'],
      bindDn: ['cn=admin'],
      bindCredential: ['secret'],
      authType: ['simple'],
    },
  };
  const made = await admin.send('POST', `/${realm}/components`, storage);
  known.set('Component directory', node('Component', made.headers.get('location')?.split('/').at(-1) ?? ''));
  const actions = await admin.graphql<{ realm: { requiredActions: { edges: { node: { id: string } }[] } } }>(
    `{ realm(name: "${realm}") { requiredActions(first: 1) { edges { node { id } } } } }`,
  );
  known.set('RequiredAction', actions.data.realm.requiredActions.edges[0]?.node.id ?? '');
  for (let at = 0; at < 50; at += 1) {
    await admin.graphql(
      'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { userErrors { message } } }',
      { input: { realm: known.get(`Realm ${realm}`), ...hook(at) } },
    );
  }
  const applied = await admin.send('POST', `/${realm}/apply`, { desired: { displayName: 'Applied' } });
  if (applied.status !== 200) throw new Error(`The file was not applied: ${applied.status}`);
  const [{ id: apply }] = await get<[Named]>('/applies');
  known.set('RealmApply expired', node('RealmApply', apply));
  await server.database.transaction((tx) => tx.realmApply.updateMany({ data: { appliedAt: 0n } }));
  const id = (name: string): string => {
    const found = known.get(name);
    if (found === undefined) throw new Error(`The world has no ${name}`);
    return found;
  };
  return { server, admin, id };
}
