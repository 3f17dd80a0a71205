import type { Prisma } from '../../../generated/sqlite/client.js';
import type { ClientInput } from '../../clients/representation.js';
import { clientSearchText } from '../../clients/search.js';
import { conflict, invalid } from '../../core/refusal.js';
import { adminClient, defaultClients, serviceAccountMappers } from '../defaults/clients.js';
import { adminRoles, type DefaultRole } from '../defaults/roles.js';
import { addMappers, assignScopes, hasMapper } from './client-scopes.js';
import type { ClientRow, Draft } from './draft.js';
import { flowIdOf } from './flows.js';
import { addDefaultRoles } from './roles.js';

/** The clients of the file, then those of the built-in ones that it does not bring. Returns the roles of the latter. */
export function buildClients(draft: Draft): { client: ClientRow; roles: readonly DefaultRole[] }[] {
  const given = draft.input.clients ?? [];
  given.forEach((client, index) => {
    const field = `clients.${index}`;
    const row = addClient(draft, client, field);
    assignScopes(draft, row, { default: client.defaultClientScopes, optional: client.optionalClientScopes });
    if (row.serviceAccountsEnabled) {
      const missing = serviceAccountMappers.filter(({ name }) => !hasMapper(draft, row.id, name ?? ''));
      addMappers(draft, { clientId: row.id }, missing, field);
    }
  });
  const added: { client: ClientRow; roles: readonly DefaultRole[] }[] = [];
  for (const { client, roles } of defaultClients(draft.input.realm, draft.isMaster)) {
    if (draft.clientByName.has(client.clientId)) continue;
    const row = addClient(draft, client, 'clients');
    // The reference server makes them before the scopes of the file.
    if (draft.input.clientScopes === undefined) assignScopes(draft, row, {});
    added.push({ client: row, roles });
  }
  return added;
}

function addClient(draft: Draft, client: ClientInput, field: string): ClientRow {
  const { clientId } = client;
  if (clientId === undefined || clientId === '') throw invalid('A client needs a clientId', `${field}.clientId`);
  if (draft.clientByName.has(clientId)) throw conflict(`Client ${clientId} already exists`, `${field}.clientId`);
  const row = clientRow(draft, client, clientId, field);
  draft.clientByName.set(clientId, row);
  row.search = clientSearchText(row.clientId, row.name);
  draft.rows.Client.push(row);
  addMappers(draft, { clientId: row.id }, client.protocolMappers, `${field}.protocolMappers`);
  return row;
}

/** The columns of a client, with what an input leaves out filled in as the reference server does. */
function clientRow(draft: Draft, client: ClientInput, clientId: string, field: string): ClientRow {
  const protocol = client.protocol ?? 'openid-connect';
  const publicClient = client.publicClient ?? false;
  const bearerOnly = client.bearerOnly ?? false;
  const consentRequired = client.consentRequired ?? false;
  const hasAuthorization = client.authorizationServicesEnabled ?? client.authorizationSettings !== undefined;
  const confidential = protocol === 'openid-connect' && !publicClient && !bearerOnly;
  const secret = client.secret ?? (confidential ? draft.context.newSecret() : undefined);
  return {
    id: client.id ?? draft.context.newId(),
    realmId: draft.realmId,
    clientId,
    name: client.name ?? null,
    description: client.description ?? null,
    enabled: client.enabled ?? true,
    protocol,
    clientAuthenticatorType: client.clientAuthenticatorType ?? 'client-secret',
    secret: secret === undefined ? null : draft.context.seal(secret),
    publicClient,
    bearerOnly,
    consentRequired,
    standardFlowEnabled: client.standardFlowEnabled ?? true,
    implicitFlowEnabled: client.implicitFlowEnabled ?? false,
    directAccessGrantsEnabled: client.directAccessGrantsEnabled ?? false,
    // Authorization services act through the service account.
    serviceAccountsEnabled: (client.serviceAccountsEnabled ?? false) || hasAuthorization,
    authorizationServicesEnabled: hasAuthorization,
    frontchannelLogout: client.frontchannelLogout ?? false,
    fullScopeAllowed: client.fullScopeAllowed ?? !consentRequired,
    surrogateAuthRequired: client.surrogateAuthRequired ?? false,
    alwaysDisplayInConsole: client.alwaysDisplayInConsole ?? false,
    rootUrl: client.rootUrl ?? null,
    adminUrl: client.adminUrl ?? null,
    baseUrl: client.baseUrl ?? null,
    nodeReRegistrationTimeout: client.nodeReRegistrationTimeout ?? -1,
    notBefore: client.notBefore ?? 0,
    redirectUris: client.redirectUris ?? [],
    webOrigins: client.webOrigins ?? originsOf(client.redirectUris ?? []),
    attributes: withDeviceGrant(client),
    authenticationFlowBindingOverrides: flowOverrides(draft, client, `${field}.authenticationFlowBindingOverrides`),
    registeredNodes: client.registeredNodes ?? {},
    ...(client.authorizationSettings && {
      authorizationSettings: client.authorizationSettings as Prisma.InputJsonObject,
    }),
  };
}

/** The documents name the grant as a field; tooling and answers have it among the attributes. */
const withDeviceGrant = (client: ClientInput): Record<string, string> => ({
  ...(client.oauth2DeviceAuthorizationGrantEnabled !== undefined && {
    'oauth2.device.authorization.grant.enabled': String(client.oauth2DeviceAuthorizationGrantEnabled),
  }),
  ...client.attributes,
});

/** The origins of absolute redirect URIs: a client that names no web origins has these. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const origins = new Set<string>();
  for (const uri of redirectUris) {
    const origin = /^https?:\/\/[^/?#]+/.exec(uri)?.[0];
    if (origin !== undefined) origins.add(origin);
  }
  return [...origins];
}

function flowOverrides(draft: Draft, client: ClientInput, field: string): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const [use, flow] of Object.entries(client.authenticationFlowBindingOverrides ?? {})) {
    if (flow.trim() === '') continue;
    const id = flowIdOf(draft, flow);
    if (id === undefined) throw invalid(`There is no authentication flow "${flow}"`, `${field}.${use}`);
    overrides[use] = id;
  }
  return overrides;
}

/** The client in the master realm that stands for this realm, with roles that the master realm's `admin` comprises. */
export function buildAdminClient(draft: Draft, master: { realmId: string; adminRoleId: string }): ClientRow {
  const client = adminClient(draft.input.realm);
  if (draft.clientByName.has(client.clientId)) throw conflict(`Client ${client.clientId} already exists`, 'clients');
  const { authorizationSettings: _, ...row } = clientRow(draft, client, client.clientId, 'clients');
  const inMaster = { ...row, realmId: master.realmId, protocol: null, secret: null };
  inMaster.search = clientSearchText(inMaster.clientId, inMaster.name);
  draft.rows.Client.push(inMaster);
  addDefaultRoles(draft, inMaster, adminRoles);
  for (const { id } of draft.rolesOf.get(inMaster.id)?.values() ?? []) {
    draft.rows.CompositeRole.push({ parentId: master.adminRoleId, childId: id });
  }
  return inMaster;
}
