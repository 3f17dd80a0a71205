import type { ClientInput } from '../clients/representation.js';
import { members } from '../core/json.js';
import type { Refusal } from '../core/refusal.js';
import { pairwiseMapper } from '../protocol-mappers/pairwise.js';
import { badMetadata } from './faults.js';
import {
  authMethods,
  between,
  flagAttributes,
  grantTypes,
  newerFlagAttributes,
  type OidcClient,
  textAttributes,
} from './metadata.js';

const notValid = (): Refusal => badMetadata('Client metadata invalid');

const responseTypes = new Set(['code', 'token', 'id_token', 'none']);

/** The flows that response types enable: the code flow, and flows with tokens in the redirect. */
function flowsOf(listed: readonly string[] | undefined): { code: boolean; implicit: boolean } {
  const parts = (listed?.length ? listed : ['code']).flatMap((types) => types.split(' ')).filter(Boolean);
  if (parts.length === 0 || !parts.every((type) => responseTypes.has(type))) throw notValid();
  return { code: parts.includes('code'), implicit: parts.some((type) => type === 'token' || type === 'id_token') };
}

function authenticatorOf({ token_endpoint_auth_method: method }: OidcClient): string {
  if (method === undefined) return 'client-secret';
  if (method === 'none') return 'none';
  const authenticator = authMethods.find(([name]) => name === method)?.[1];
  if (!authenticator) throw notValid();
  return authenticator;
}

/** The keys of the client as attributes: the address of a key set (RFC 7517), or the key set itself. */
function keysOf({ jwks_uri: address, jwks, token_endpoint_auth_method: method }: OidcClient): Record<string, string> {
  const isSet = Array.isArray(members(jwks).keys);
  if ((jwks !== undefined && !isSet) || (jwks !== undefined && address !== undefined)) throw notValid();
  if (address !== undefined) {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw notValid();
    return { 'use.jwks.url': 'true', 'jwks.url': address };
  }
  if (jwks !== undefined) return { 'use.jwks.string': 'true', 'jwks.string': JSON.stringify(jwks) };
  if (method === 'private_key_jwt') throw notValid();
  return {};
}

function attributesOf(metadata: OidcClient): Record<string, string> {
  const { grant_types: grants, request_uris: requests, post_logout_redirect_uris: afterLogout } = metadata;
  const given = [...textAttributes, ...flagAttributes, ...newerFlagAttributes].flatMap(([field, attribute]) => {
    const value = metadata[field];
    return value === undefined ? [] : [[attribute, String(value)] as const];
  });
  return {
    ...Object.fromEntries(given),
    ...keysOf(metadata),
    // a name and no pattern (RFC 8705 section 2.1.2)
    ...(metadata.tls_client_auth_subject_dn && { 'x509.allow.regex.pattern.comparison': 'false' }),
    ...(requests && { 'request.uris': requests.join(between) }),
    ...(afterLogout && { 'post.logout.redirect.uris': afterLogout.join(between) }),
    ...(grants && { 'oidc.ciba.grant.enabled': String(grants.includes(grantTypes.ciba)) }),
    ...(grants?.includes(grantTypes.device) && { 'oauth2.device.authorization.grant.enabled': 'true' }),
    ...(grants && !grants.includes(grantTypes.refresh) && { 'use.refresh.tokens': 'false' }),
    'backchannel.logout.session.required': String(metadata.backchannel_logout_session_required ?? true),
    'backchannel.logout.revoke.offline.tokens': String(metadata.backchannel_logout_revoke_offline_tokens ?? false),
  };
}

/**
 * Converts OpenID Connect metadata to a client in the form of the contract. Refuses metadata that is invalid for a
 * client.
 */
export function clientOfMetadata(metadata: OidcClient): ClientInput {
  const { client_id, client_name, client_uri, redirect_uris, scope, grant_types: grants } = metadata;
  const flows = flowsOf(metadata.response_types);
  const authenticator = authenticatorOf(metadata);
  return {
    protocol: 'openid-connect',
    ...(client_id !== undefined && { clientId: client_id }),
    ...(client_name !== undefined && { name: client_name }),
    ...(client_uri !== undefined && { baseUrl: client_uri }),
    ...(redirect_uris && { redirectUris: redirect_uris }),
    ...(scope !== undefined && { optionalClientScopes: scope.split(' ').filter((name) => name && name !== 'openid') }),
    standardFlowEnabled: flows.code,
    implicitFlowEnabled: flows.implicit,
    ...(grants && {
      directAccessGrantsEnabled: grants.includes(grantTypes.password),
      serviceAccountsEnabled: grants.includes(grantTypes.credentials) || grants.includes(grantTypes.uma),
    }),
    ...(grants?.includes(grantTypes.uma) && { authorizationServicesEnabled: true }),
    ...(metadata.frontchannel_logout_uri !== undefined && {
      frontchannelLogout: metadata.frontchannel_logout_uri !== '',
    }),
    publicClient: authenticator === 'none',
    clientAuthenticatorType: authenticator,
    attributes: attributesOf(metadata),
    ...pairwiseOf(metadata),
  };
}

/** The mapper for pairwise subjects (OpenID Connect Core, section 8.1). */
function pairwiseOf(metadata: OidcClient): Pick<ClientInput, 'protocolMappers'> {
  const { subject_type: type = 'public', sector_identifier_uri: sector = '' } = metadata;
  if (type !== 'public' && type !== 'pairwise') throw notValid();
  if (type === 'public') return {};
  const config: Record<string, string> = { sectorIdentifierUri: sector };
  return {
    protocolMappers: [
      { name: 'pairwise subject identifier', protocol: 'openid-connect', protocolMapper: pairwiseMapper, config },
    ],
  };
}
