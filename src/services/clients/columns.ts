import type { Sealer } from '../core/seal.js';
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
  id: at.id,
  realmId: at.realmId,
  clientId: at.clientId,
  name: client.name ?? null,
  description: client.description ?? null,
  enabled: client.enabled ?? true,
  protocol: client.protocol ?? 'openid-connect',
  clientAuthenticatorType: client.clientAuthenticatorType ?? 'client-secret',
  secret: at.secret === undefined ? null : sealedSecret(at, at.secret, at),
  secretVersion: client.secretVersion ?? 0,
  publicClient: client.publicClient ?? false,
  bearerOnly: client.bearerOnly ?? false,
  consentRequired: client.consentRequired ?? false,
  standardFlowEnabled: client.standardFlowEnabled ?? !client.directGrantsOnly,
  implicitFlowEnabled: client.implicitFlowEnabled ?? false,
  directAccessGrantsEnabled: client.directAccessGrantsEnabled ?? client.directGrantsOnly ?? false,
  serviceAccountsEnabled: client.serviceAccountsEnabled ?? false,
  authorizationServicesEnabled: wantsAuthorization(client),
  frontchannelLogout: client.frontchannelLogout ?? false,
  fullScopeAllowed: client.fullScopeAllowed ?? !client.consentRequired,
  surrogateAuthRequired: client.surrogateAuthRequired ?? false,
  alwaysDisplayInConsole: client.alwaysDisplayInConsole ?? false,
  rootUrl: client.rootUrl ?? null,
  adminUrl: client.adminUrl ?? null,
  baseUrl: client.baseUrl ?? null,
  nodeReRegistrationTimeout: client.nodeReRegistrationTimeout ?? -1,
  notBefore: client.notBefore ?? 0,
  redirectUris: client.redirectUris ?? [],
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
