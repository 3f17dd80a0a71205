import { encodeProtocolMapper } from '../client-scopes/encode.js';
import { type Seen, view } from '../core/view.js';
import { ClientRepresentation } from './representation.js';
import { maskedAttributes, openedAttributes } from './secrets.js';
import { type FullClient, full } from './store.js';

/** Names of the client's scopes; those of another protocol than its own have no effect and are not shown. */
export const scopeNames = (
  { protocol, scopes }: Pick<FullClient, 'protocol' | 'scopes'>,
  optional: boolean,
): string[] =>
  scopes
    .filter((scope) => scope.optional === optional && scope.clientScope.protocol === (protocol ?? 'openid-connect'))
    .map(({ clientScope }) => clientScope.name)
    .sort();

/** ClientRepresentation without `access` and with masked secrets, as audit records have it. */
export const encodeClient = (client: FullClient) => {
  const { realmId: _realmId, version: _version, scopes: _scopes, protocolMappers, ...columns } = client;
  const { name, description, protocol, rootUrl, adminUrl, baseUrl, registeredNodes, clientAuthenticatorType } = columns;
  const { authorizationServicesEnabled, ...rest } = columns;
  const nodes = registeredNodes as Record<string, number>;
  return Object.assign(rest, {
    name: name ?? undefined,
    description: description ?? undefined,
    protocol: protocol ?? undefined,
    clientAuthenticatorType: clientAuthenticatorType ?? undefined,
    rootUrl: rootUrl ?? undefined,
    adminUrl: adminUrl ?? undefined,
    baseUrl: baseUrl ?? undefined,
    // no field of the contract
    secretVersion: columns.secretVersion || undefined,
    // the field is only there while it is on
    ...(authorizationServicesEnabled && { authorizationServicesEnabled }),
    attributes: maskedAttributes(client.attributes),
    registeredNodes: Object.keys(nodes).length > 0 ? nodes : undefined,
    ...(protocolMappers.length > 0 && { protocolMappers: protocolMappers.map(encodeProtocolMapper) }),
    defaultClientScopes: scopeNames(client, false),
    optionalClientScopes: scopeNames(client, true),
  });
};

/** ClientRepresentation for a caller. Callers who may not change clients do not see their private keys. */
const encodeForCaller = (client: FullClient, { permit, open }: Seen) => {
  const manage = permit.may('manage:clients', 'client', client.id);
  const encoded = encodeClient(client);
  return Object.assign(encoded, {
    attributes: manage ? openedAttributes(client, { open }) : encoded.attributes,
    access: {
      view: permit.may('view:clients', 'client', client.id),
      configure: permit.may('configure:clients', 'client', client.id),
      manage,
    },
  });
};

export const fullClient = view<FullClient>(ClientRepresentation, full, encodeForCaller);
