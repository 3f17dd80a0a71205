import { mapperSettings } from '../../src/graph/protocol-mappers/settings.js';
import type { Caller } from '../support/fixture.js';

/** A field of a resource: how both surfaces change it, and where its value is in the representation. */
export interface Field {
  input(text: string): object;
  wire(text: string): object;
  seen(representation: Representation): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: representations of every shape are looked into
export type Representation = any;

/** A resource that an update mutation changes, with all its fields set. */
export interface Kind {
  /** the inputs that name it */
  named: Record<string, string>;
  /** its address below the realm; the alias that is part of some changes with it */
  path?: string;
  /** the address whose ETag is its version, where that is the one of what it belongs to */
  versioned?: string;
  read(): Promise<Representation>;
  /** two values for an input where those of its type will not do */
  values?: Record<string, readonly [unknown, unknown]>;
  /** inputs that the representation does not show, or that say what others say already */
  silent?: readonly string[];
  /** inputs that are never null alone, or that only come with others */
  skipped?: readonly string[];
  /** inputs of the same group that have to come with an input */
  besides?: Record<string, object>;
  /** two fields that do not depend on one another */
  pair: readonly [Field, Field];
}

/** Inputs that change what another input replaces; test/core/payloads.test.ts sends them. */
const attributeChanges = ['setAttributes', 'removeAttributes'];

export const realm = 'updates';
/** Settings that a mapper of user attributes does not have. */
const otherMapperSettings = mapperSettings
  .filter(
    ({ entry }) =>
      !/^(claim\.name|jsonType|(id|access|userinfo)\.token\.|user\.attribute$|multivalued|aggregate)/.test(entry),
  )
  .map(({ name }) => `settings.${name}`);

/** The update mutation whose resource has no address in REST. */
export const ofGraphqlAlone = 'webhookUpdate';
const nodeId = (typename: string, id: string): string => Buffer.from(`${typename}:${id}`).toString('base64');

const plain = (name: string, wire = name): Field => ({
  input: (text) => ({ [name]: text }),
  wire: (text) => ({ [wire]: text }),
  seen: (representation) => representation[wire],
});
const entry = (name: string, wire: string, key: string, isList = false): Field => ({
  input: (text) => ({ [name]: [{ name: key, ...(isList ? { values: [text] } : { value: text }) }] }),
  wire: (text) => ({ [wire]: { [key]: isList ? [text] : text } }),
  seen: (representation) => String(representation[wire]?.[key]),
});
/** One of two values in turn. */
const chosen = (name: string, wire: string, choices: readonly [string | boolean, string | boolean]): Field => {
  const of = (text: string) => choices[Number(text.replace(/\D/g, '')) % 2];
  return {
    input: (text) => ({ [name]: of(text) }),
    wire: (text) => ({ [wire]: of(text) }),
    seen: (representation) => representation[wire],
  };
};

const file = {
  realm,
  enabled: true,
  editUsernameAllowed: true,
  displayName: 'Updates',
  displayNameHtml: '<b>Updates</b>',
  loginTheme: 'base',
  attributes: { motto: 'kept' },
  smtpServer: { host: 'mail.example', from: 'from@mail.example', user: 'me', password: 'secret-1', auth: 'true' },
  roles: { realm: [{ name: 'role', description: 'kept', attributes: { kept: ['1'] } }] },
  groups: [{ name: 'group', attributes: { kept: ['1'] } }],
  clients: [
    {
      clientId: 'client',
      name: 'Client',
      description: 'kept',
      secret: 'secret-1',
      serviceAccountsEnabled: false,
      rootUrl: 'https://app.example',
      baseUrl: '/base',
      adminUrl: 'https://app.example/admin',
      redirectUris: ['https://app.example/*'],
      webOrigins: ['https://app.example'],
      attributes: { kept: '1' },
    },
    {
      clientId: 'server',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
      authorizationSettings: {
        resources: [
          {
            name: 'resource',
            displayName: 'Resource',
            type: 'kept',
            icon_uri: 'https://icon.example',
            uris: ['/kept'],
            scopes: [{ name: 'read' }],
            ownerManagedAccess: true,
            attributes: { kept: ['1'] },
          },
          { name: 'fixed' },
        ],
        scopes: [
          { name: 'read' },
          { name: 'write' },
          { name: 'scope', displayName: 'Scope', iconUri: 'https://icon.example' },
        ],
        policies: [
          { name: 'fixed-policy', type: 'aggregate' },
          {
            name: 'policy',
            description: 'kept',
            type: 'time',
            logic: 'NEGATIVE',
            decisionStrategy: 'AFFIRMATIVE',
            config: { nbf: '2030-01-01 00:00:00', noa: '2040-01-01 00:00:00' },
          },
        ],
      },
    },
  ],
  clientScopes: [
    {
      name: 'client-scope',
      description: 'kept',
      protocol: 'openid-connect',
      attributes: { kept: '1', 'consent.screen.text': 'Consent', 'include.in.token.scope': 'false' },
      protocolMappers: [
        {
          name: 'mapper',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-usermodel-attribute-mapper',
          config: { 'claim.name': 'kept', 'user.attribute': 'kept' },
        },
      ],
    },
  ],
  identityProviders: [
    {
      alias: 'partner',
      displayName: 'Partner',
      providerId: 'oidc',
      enabled: false,
      trustEmail: true,
      storeToken: true,
      linkOnly: true,
      addReadTokenRoleOnCreate: true,
      authenticateByDefault: true,
      firstBrokerLoginFlowAlias: 'browser',
      postBrokerLoginFlowAlias: 'direct grant',
      config: { clientId: 'kept', clientSecret: 'secret-1', tokenUrl: 'https://partner.example/token' },
    },
  ],
  identityProviderMappers: [
    { name: 'one', identityProviderAlias: 'partner', identityProviderMapper: 'any', config: { kept: '1' } },
  ],
  users: [
    {
      username: 'user',
      email: 'user@mail.example',
      emailVerified: true,
      firstName: 'First',
      lastName: 'Last',
      enabled: true,
      attributes: { kept: ['1'] },
      requiredActions: ['VERIFY_EMAIL'],
    },
  ],
};

/** Values of settings that name algorithms of encryption. */
const encryptions = Object.fromEntries(
  [
    ['tokens.idTokenEncryptionAlgorithm', 'tokens.idTokenContentEncryption'],
    ['tokens.userInfoEncryptionAlgorithm', 'tokens.userInfoContentEncryption'],
    ['authorizationRequests.responseEncryptionAlgorithm', 'authorizationRequests.responseContentEncryption'],
    ['authorizationRequests.requestObjectEncryptionAlgorithm', 'authorizationRequests.requestObjectContentEncryption'],
  ].flatMap(([algorithm = '', content = '']) => [
    [algorithm, ['RSA-OAEP', 'RSA-OAEP-256']],
    [content, ['A128GCM', 'A256GCM']],
  ]),
);

/** Creates the realm, and says of each update mutation what it changes there. */
export async function kindsOf(admin: Caller): Promise<Record<string, Kind>> {
  const created = await admin.send('POST', '/', file);
  if (created.status !== 201) throw new Error(`The realm was refused: ${JSON.stringify(created.body)}`);
  const read = async (path: string) => (await admin.send('GET', `/${realm}${path}`)).body;
  const idOf = async (path: string, name: string, key = 'name') => {
    const found = (await read(path)).find((one: Representation) => one[key] === name);
    return (found.id ?? found._id ?? found.internalId) as string;
  };
  const { id: realmId } = await read('');
  const client = await idOf('/clients?clientId=client', 'client', 'clientId');
  const server = await idOf('/clients?clientId=server', 'server', 'clientId');
  const authorization = `/clients/${server}/authz/resource-server`;
  const scope = await idOf('/client-scopes', 'client-scope');
  const mapper = await idOf(`/client-scopes/${scope}/protocol-mappers/models`, 'mapper');
  // without steps they can be bound for each purpose
  const flowNamed = async (alias: string, providerId = 'basic-flow'): Promise<string> => {
    await admin.send('POST', `/${realm}/authentication/flows`, { alias, providerId, topLevel: true });
    return idOf('/authentication/flows', alias, 'alias');
  };
  const flow = await flowNamed('flow');
  const nodesOf = (one: string, other: string) =>
    [nodeId('AuthenticationFlow', one), nodeId('AuthenticationFlow', other)] as const;
  const flows = nodesOf(flow, await flowNamed('other'));
  const clientFlows = nodesOf(await flowNamed('of clients', 'client-flow'), await flowNamed('others', 'client-flow'));
  const steps = await read('/authentication/flows/browser/executions');
  const step = steps.find((one: Representation) => one.providerId === 'identity-provider-redirector').id;
  const configured = await admin.send('POST', `/${realm}/authentication/executions/${step}/config`, {
    alias: 'config',
    config: { defaultProvider: 'kept' },
  });
  const config = configured.headers.get('location')?.split('/').at(-1) ?? '';
  const provider = (await read('/identity-provider/instances/partner')).internalId as string;
  const providerMapper = await idOf('/identity-provider/instances/partner/mappers', 'one');
  const component = await idOf('/components', 'Max Clients Limit');
  const resource = await idOf(`${authorization}/resource`, 'resource');
  const authorizationScope = await idOf(`${authorization}/scope`, 'scope');
  const policy = await idOf(`${authorization}/policy`, 'policy');
  const found = await admin.graphql<{
    realm: { requiredActions: { edges: { node: { id: string; alias: string } }[] } };
  }>(`{ realm(name: "${realm}") { requiredActions(first: 50) { edges { node { id alias } } } } }`);
  const actions = found.data.realm.requiredActions.edges.map(({ node }) => node);
  const action = actions.find(({ alias }) => alias === 'UPDATE_PROFILE')?.id ?? '';
  const made = await admin.graphql<{ webhookCreate: { webhook: { id: string } } }>(
    `mutation { webhookCreate(input: { realm: "${nodeId('Realm', realmId)}", name: "hook", url: "https://hooks.example/one",
      includesLoginEvents: true, includesAdminEvents: true, isEnabled: false }) { webhook { id } } }`,
  );
  const webhook = made.data.webhookCreate.webhook.id;
  const at = (path: string) => ({ path, read: () => read(path) });
  const urls = (path: string) => [`https://one.example${path}`, `https://two.example${path}`] as const;
  const inServer = nodeId('Client', server);
  return {
    realmUpdate: {
      named: { id: nodeId('Realm', realmId) },
      ...at(''),
      // a stored password stays only where it goes to the same place
      besides: Object.fromEntries(
        ['host', 'port', 'usesSsl', 'usesStartTls', 'user'].map((name) => [`smtp.${name}`, { password: 'again' }]),
      ),
      values: {
        passwordPolicy: ['length(8)', 'length(9)'],
        'login.passwordPolicy': ['length(8)', 'length(9)'],
        'login.sslRequired': ['NONE', 'EXTERNAL'],
        'login.allowsUsernameChange': [false, true],
        'flows.browser': flows,
        'flows.registration': flows,
        'flows.directGrant': flows,
        'flows.resetCredentials': flows,
        'flows.clientAuthentication': clientFlows,
        'flows.dockerAuthentication': flows,
        'tokens.notBefore': ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'],
        'loginPages.accentColor': ['#112233', '#445566'],
        'loginPages.backgroundColor': ['#112233', '#445566'],
        'loginPages.logo': ['data:image/png;base64,AAAA', 'data:image/webp;base64,BBBB'],
      },
      silent: ['smtp.password'],
      pair: [plain('displayName'), plain('displayNameHtml')],
    },
    roleUpdate: {
      named: { id: nodeId('Role', (await read('/roles/role')).id) },
      skipped: attributeChanges,
      ...at(`/roles-by-id/${(await read('/roles/role')).id}`),
      pair: [plain('description'), entry('attributes', 'attributes', 'a', true)],
    },
    groupUpdate: {
      named: { id: nodeId('Group', await idOf('/groups', 'group')) },
      skipped: attributeChanges,
      ...at(`/groups/${await idOf('/groups', 'group')}`),
      pair: [plain('name'), entry('attributes', 'attributes', 'a', true)],
    },
    userUpdate: {
      named: { id: nodeId('User', await idOf('/users', 'user', 'username')) },
      ...at(`/users/${await idOf('/users', 'user', 'username')}`),
      values: {
        email: ['one@mail.example', 'two@mail.example'],
        requiredActions: [['UPDATE_PASSWORD'], ['UPDATE_PROFILE']],
      },
      skipped: ['password', 'credentials', ...attributeChanges, 'addRequiredActions', 'removeRequiredActions'],
      pair: [plain('firstName'), plain('lastName')],
    },
    clientUpdate: {
      named: { id: nodeId('Client', client) },
      ...at(`/clients/${client}`),
      values: {
        kind: ['PUBLIC', 'CONFIDENTIAL'],
        'authentication.authenticator': ['client-jwt', 'client-secret'],
        redirectUris: [[urls('/*')[0]], [urls('/*')[1]]],
        webOrigins: [[urls('')[0]], [urls('')[1]]],
        'urls.root': urls(''),
        'urls.base': urls('/base'),
        'urls.admin': urls('/admin'),
        'logout.backChannelUrl': urls('/logout'),
        'logout.frontChannelUrl': urls('/front'),
        ...encryptions,
        'flowOverrides.browser': flows,
        'flowOverrides.directGrant': flows,
        notBefore: ['2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'],
      },
      silent: ['secret'],
      // requires a service account, and changes it
      skipped: [
        'addRedirectUris',
        'removeRedirectUris',
        'addWebOrigins',
        'removeWebOrigins',
        'hasAuthorizationServices',
      ],
      pair: [plain('name'), plain('description')],
    },
    clientScopeUpdate: {
      named: { id: nodeId('ClientScope', scope) },
      ...at(`/client-scopes/${scope}`),
      pair: [plain('description'), entry('attributes', 'attributes', 'a')],
    },
    protocolMapperUpdate: {
      named: { id: nodeId('ProtocolMapper', mapper) },
      versioned: `/client-scopes/${scope}`,
      ...at(`/client-scopes/${scope}/protocol-mappers/models/${mapper}`),
      values: { type: ['USER_PROPERTY', 'USER_ATTRIBUTE'] },
      skipped: otherMapperSettings,
      pair: [
        {
          input: (text) => ({ settings: { claimName: text } }),
          wire: (text) => ({ config: { 'claim.name': text } }),
          seen: ({ config }) => String(config['claim.name']),
        },
        entry('config', 'config', 'kept.by.scripts'),
      ],
    },
    authenticationFlowUpdate: {
      named: { id: nodeId('AuthenticationFlow', flow) },
      ...at(`/authentication/flows/${flow}`),
      pair: [plain('alias'), plain('description')],
    },
    requiredActionUpdate: {
      named: { id: action },
      path: '/authentication/required-actions/UPDATE_PROFILE',
      read: async () =>
        (await read('/authentication/required-actions')).find(
          (one: Representation) => one.providerId === 'UPDATE_PROFILE',
        ),
      pair: [plain('name'), chosen('isDefault', 'defaultAction', [true, false])],
    },
    authenticatorConfigUpdate: {
      named: { id: nodeId('AuthenticatorConfig', config) },
      ...at(`/authentication/config/${config}`),
      pair: [plain('alias'), entry('settings', 'config', 'defaultProvider')],
    },
    identityProviderUpdate: {
      named: { id: nodeId('IdentityProvider', provider) },
      path: '/identity-provider/instances/partner',
      read: async () =>
        (await read('/identity-provider/instances')).find((one: Representation) => one.internalId === provider),
      values: { firstLoginFlow: flows, postLoginFlow: flows },
      pair: [plain('displayName'), entry('settings', 'config', 'clientId')],
    },
    identityProviderMapperUpdate: {
      named: { id: nodeId('IdentityProviderMapper', providerMapper) },
      path: `/identity-provider/instances/partner/mappers/${providerMapper}`,
      read: async () => {
        const { identityProviderMappers } = await read('');
        return identityProviderMappers.find((one: Representation) => one.id === providerMapper);
      },
      pair: [plain('type', 'identityProviderMapper'), entry('settings', 'config', 'a')],
    },
    componentUpdate: {
      named: { id: nodeId('Component', component) },
      ...at(`/components/${component}`),
      values: {
        settings: [[{ name: 'max-clients', values: ['7'] }], [{ name: 'max-clients', values: ['8'] }]],
      },
      pair: [plain('name'), entry('settings', 'config', 'note', true)],
    },
    webhookUpdate: {
      named: { id: webhook },
      read: async () => {
        const fields = 'name url isEnabled loginEventTypes resourceTypes';
        const query = `query ($id: ID!) { node(id: $id) { ... on Webhook { ${fields} } } }`;
        return (await admin.graphql<{ node: Representation }>(query, { id: webhook })).data.node;
      },
      values: { url: urls('/'), includesLoginEvents: [true, true], includesAdminEvents: [true, true] },
      silent: ['includesLoginEvents', 'includesAdminEvents'],
      pair: [
        plain('name'),
        {
          ...plain('url'),
          input: (text) => ({ url: `https://${text}.example/` }),
          wire: (text) => ({ url: `https://${text}.example/` }),
        },
      ],
    },
    resourceServerUpdate: {
      named: { client: inServer },
      ...at(authorization),
      values: { enforcement: ['PERMISSIVE', 'DISABLED'], decisionStrategy: ['AFFIRMATIVE', 'UNANIMOUS'] },
      pair: [
        chosen('allowsRemoteManagement', 'allowRemoteResourceManagement', [true, false]),
        chosen('enforcement', 'policyEnforcementMode', ['PERMISSIVE', 'DISABLED']),
      ],
    },
    authorizationScopeUpdate: {
      named: { id: nodeId('AuthorizationScope', authorizationScope) },
      ...at(`${authorization}/scope/${authorizationScope}`),
      pair: [plain('displayName'), plain('iconUri')],
    },
    authorizationResourceUpdate: {
      named: { id: nodeId('AuthorizationResource', resource) },
      ...at(`${authorization}/resource/${resource}`),
      values: { scopeNames: [['write'], ['read', 'write']] },
      pair: [plain('displayName'), plain('type')],
    },
    authorizationPolicyUpdate: {
      named: { id: nodeId('TimeAuthorizationPolicy', policy) },
      ...at(`${authorization}/policy/${policy}`),
      values: {
        settings: [
          { time: { notBefore: '2031-01-01T00:00:00.000Z' } },
          { time: { notBefore: '2032-01-01T00:00:00.000Z', notOnOrAfter: '2040-01-01T00:00:00.000Z' } },
        ],
      },
      pair: [plain('description'), chosen('logic', 'logic', ['POSITIVE', 'NEGATIVE'])],
    },
  };
}
