import { newColumns } from '../core/fields.js';
import type { Sealer } from '../core/seal.js';
import { clientFields } from './fields.js';
import type { ClientInput } from './representation.js';
import { clientSearchText } from './search.js';
import { sealedAttributes, sealedSecret } from './secrets.js';

interface NewClient {
  id: string;
  realmId: string;
  clientId: string;
  /** nothing for a client without one */
  secret: string | undefined;
  /** ids of flows by use */
  flowOverrides: Record<string, string>;
  seal: Sealer['seal'];
}

/** Whether a new client has authorization services: it is told so, or brings settings for them. */
export const wantsAuthorization = (client: ClientInput): boolean =>
  client.authorizationServicesEnabled ?? client.authorizationSettings !== undefined;

/** The columns of a new client, with what an input leaves out filled in as the reference server does. */
export const clientColumns = (client: ClientInput, at: NewClient) => ({
  ...newColumns(clientFields, client),
  id: at.id,
  realmId: at.realmId,
  clientId: at.clientId,
  secret: at.secret === undefined ? null : sealedSecret(at, at.secret, at),
  standardFlowEnabled: client.standardFlowEnabled ?? !client.directGrantsOnly,
  directAccessGrantsEnabled: client.directAccessGrantsEnabled ?? client.directGrantsOnly ?? false,
  authorizationServicesEnabled: wantsAuthorization(client),
  fullScopeAllowed: client.fullScopeAllowed ?? !client.consentRequired,
  webOrigins: client.webOrigins ?? originsOf(client.redirectUris ?? []),
  attributes: sealedAttributes(at, withDeviceGrant(client), at),
  authenticationFlowBindingOverrides: at.flowOverrides,
  registeredNodes: client.registeredNodes ?? {},
  search: clientSearchText(at.clientId, client.name),
});

/** The documents name the grant as a field; tooling and answers have it among the attributes. */
export const withDeviceGrant = (client: ClientInput): Record<string, string> => ({
  ...(client.oauth2DeviceAuthorizationGrantEnabled !== undefined && {
    'oauth2.device.authorization.grant.enabled': String(client.oauth2DeviceAuthorizationGrantEnabled),
  }),
  ...client.attributes,
});

/** The origins of absolute redirect URIs: a client that names no web origins has these. */
function originsOf(redirectUris: readonly string[]): string[] {
  const origins = new Set<string>();
  for (const uri of redirectUris) {
    const origin = /^https?:\/\/[^/?#]+/.exec(uri)?.[0];
    if (origin !== undefined) origins.add(origin);
  }
  return [...origins];
}
