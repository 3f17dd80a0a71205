import type { ProtocolMapperInput } from '../../client-scopes/representation.js';
import type { ClientInput } from '../../clients/representation.js';
import { message } from './message.js';
import { accountRoles, adminRoles, brokerRoles, type DefaultRole, realmAdmin } from './roles.js';

/** A client that every realm has, with the roles it offers. */
export interface DefaultClient {
  client: ClientInput & { clientId: string };
  roles: readonly DefaultRole[];
}

/** The common fields of all built-in clients that other clients lack. */
const builtIn = (clientId: string): ClientInput & { clientId: string } => ({
  clientId,
  name: message(`client_${clientId}`),
  protocol: 'openid-connect',
  fullScopeAllowed: false,
  nodeReRegistrationTimeout: 0,
});

const localeMapper: ProtocolMapperInput = {
  name: 'locale',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usermodel-attribute-mapper',
  config: {
    'userinfo.token.claim': 'true',
    'user.attribute': 'locale',
    'id.token.claim': 'true',
    'access.token.claim': 'true',
    'claim.name': 'locale',
    'jsonType.label': 'String',
  },
};

/** Adds the clients of the token's roles to its audience. */
export const audienceResolveMapper: ProtocolMapperInput = {
  name: 'audience resolve',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-resolve-mapper',
  config: {},
};

/** The clients of a realm that an import need not contain. The master realm has no `realm-management`. */
export function defaultClients(realm: string, isMaster: boolean): DefaultClient[] {
  const accountPages = {
    rootUrl: message('authBaseUrl'),
    baseUrl: `/realms/${realm}/account/`,
    redirectUris: [`/realms/${realm}/account/*`],
  };
  const clients: DefaultClient[] = [
    { client: { ...builtIn('account'), ...accountPages, publicClient: true }, roles: accountRoles },
    {
      client: {
        ...builtIn('account-console'),
        ...accountPages,
        publicClient: true,
        attributes: { 'pkce.code.challenge.method': 'S256' },
        protocolMappers: [audienceResolveMapper],
      },
      roles: [],
    },
    {
      client: {
        ...builtIn('admin-cli'),
        publicClient: true,
        standardFlowEnabled: false,
        directAccessGrantsEnabled: true,
      },
      roles: [],
    },
    { client: { ...builtIn('broker'), bearerOnly: true }, roles: brokerRoles },
    {
      client: {
        ...builtIn('security-admin-console'),
        publicClient: true,
        rootUrl: message('authAdminUrl'),
        baseUrl: `/admin/${realm}/console/`,
        redirectUris: [`/admin/${realm}/console/*`],
        webOrigins: ['+'],
        attributes: { 'pkce.code.challenge.method': 'S256' },
        protocolMappers: [localeMapper],
      },
      roles: [],
    },
  ];
  if (!isMaster)
    clients.push({ client: { ...builtIn('realm-management'), bearerOnly: true }, roles: [...adminRoles, realmAdmin] });
  return clients;
}

/** `clientId` of the client in the master realm whose roles administer the given realm. */
export const adminClientId = (realm: string): string => `${realm}-realm`;

/** The client in the master realm that represents another realm. It has no protocol and no client scopes. */
export const adminClient = (realm: string): ClientInput & { clientId: string } => ({
  clientId: adminClientId(realm),
  name: `${realm} Realm`,
  bearerOnly: true,
  fullScopeAllowed: false,
  nodeReRegistrationTimeout: 0,
});

const sessionNote = (name: string, note: string): ProtocolMapperInput => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usersessionmodel-note-mapper',
  config: {
    'user.session.note': note,
    'id.token.claim': 'true',
    'access.token.claim': 'true',
    'claim.name': note,
    'jsonType.label': 'String',
  },
});

/** Mappers that a client gets with its service account, unless it has one of that name. */
export const serviceAccountMappers: readonly ProtocolMapperInput[] = [
  sessionNote('Client ID', 'clientId'),
  sessionNote('Client Host', 'clientHost'),
  sessionNote('Client IP Address', 'clientAddress'),
];

/** User name of the service account of a client. */
export const serviceAccountName = (clientId: string): string => `service-account-${clientId.toLowerCase()}`;
