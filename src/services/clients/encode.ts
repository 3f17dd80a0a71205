import { encodeProtocolMapper } from '../client-scopes/encode.js';
import { storedEncoder } from '../core/fields.js';
import { type Seen, view } from '../core/view.js';
import { clientFields } from './fields.js';
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

const encodeStored = storedEncoder(clientFields);

/** ClientRepresentation without `access` and with masked secrets, as audit records have it. */
export const encodeClient = (client: FullClient) => {
  const { id, authenticationFlowBindingOverrides, protocolMappers } = client;
  const nodes = client.registeredNodes as Record<string, number>;
  return Object.assign(encodeStored(client), {
    id,
    secretVersion: client.secretVersion || undefined,
    // the field is only there while it is on
    authorizationServicesEnabled: client.authorizationServicesEnabled || undefined,
    attributes: maskedAttributes(client.attributes),
    authenticationFlowBindingOverrides,
    registeredNodes: Object.keys(nodes).length > 0 ? nodes : undefined,
    protocolMappers: protocolMappers.length > 0 ? protocolMappers.map(encodeProtocolMapper) : undefined,
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
