import { scopeNames } from '../clients/encode.js';
import { members, textsOf } from '../core/json.js';
import { pairwiseMapper } from '../protocol-mappers/pairwise.js';
import {
  authMethods,
  between,
  flagAttributes,
  grantTypes,
  newerFlagAttributes,
  type OidcClient,
  textAttributes,
} from './metadata.js';
import type { Registration } from './operations.js';

/** The values of the response besides the client. */
export interface Issued {
  /** address of the registration */
  address: string;
  /** seconds since 1970; only for a new client */
  issuedAt?: number;
}

type Client = Registration['client'];

const isOn = (attributes: Record<string, unknown>, name: string): boolean => attributes[name] === 'true';

function grantTypesOf(client: Client, attributes: Record<string, unknown>): string[] {
  const held: [boolean, string][] = [
    [client.standardFlowEnabled, grantTypes.code],
    [client.implicitFlowEnabled, grantTypes.implicit],
    [client.directAccessGrantsEnabled, grantTypes.password],
    [client.serviceAccountsEnabled, grantTypes.credentials],
    [isOn(attributes, 'oauth2.device.authorization.grant.enabled'), grantTypes.device],
    [isOn(attributes, 'oidc.ciba.grant.enabled'), grantTypes.ciba],
    [client.authorizationServicesEnabled, grantTypes.uma],
    [attributes['use.refresh.tokens'] !== 'false', grantTypes.refresh],
  ];
  return held.flatMap(([isHeld, name]) => (isHeld ? [name] : []));
}

const responseTypesOf = ({ standardFlowEnabled: code, implicitFlowEnabled: implicit }: Client): string[] => [
  ...(code ? ['code', 'none'] : []),
  ...(implicit ? ['id_token', 'id_token token'] : []),
  ...(code && implicit ? ['code id_token', 'code token', 'code id_token token'] : []),
];

function authenticationOf({ client, secret }: Registration): OidcClient {
  const { clientAuthenticatorType: type, publicClient } = client;
  const method = publicClient ? 'none' : authMethods.find(([, authenticator]) => authenticator === type)?.[0];
  return {
    ...(method && { token_endpoint_auth_method: method }),
    ...(method?.startsWith('client_secret') && {
      ...(secret !== undefined && { client_secret: secret }),
      client_secret_expires_at: 0,
    }),
  };
}

function subjectOf({ protocolMappers }: Client): OidcClient {
  const pairwise = protocolMappers.find(({ protocolMapper }) => protocolMapper === pairwiseMapper);
  const sector = members(pairwise?.config).sectorIdentifierUri;
  return {
    subject_type: pairwise ? 'pairwise' : 'public',
    ...(typeof sector === 'string' && sector !== '' && { sector_identifier_uri: sector }),
  };
}

function ofAttributes(attributes: Record<string, unknown>): OidcClient {
  const present = (names: readonly (readonly [string, string])[]) =>
    names.flatMap(([field, attribute]) => {
      const value = attributes[attribute];
      return typeof value === 'string' && value !== '' ? [[field, value]] : [];
    });
  const flags = flagAttributes.map(([field, attribute]) => [field, isOn(attributes, attribute)]);
  const newerFlags = newerFlagAttributes.flatMap(([field, attribute]) =>
    attributes[attribute] === undefined ? [] : [[field, isOn(attributes, attribute)]],
  );
  const requests = String(attributes['request.uris'] ?? '');
  const afterLogout = String(attributes['post.logout.redirect.uris'] ?? '');
  const set = attributes['jwks.string'];
  return {
    ...Object.fromEntries([...present(textAttributes), ...flags, ...newerFlags]),
    ...(isOn(attributes, 'use.jwks.url') && { jwks_uri: String(attributes['jwks.url'] ?? '') }),
    ...(isOn(attributes, 'use.jwks.string') && typeof set === 'string' && { jwks: JSON.parse(set) }),
    request_uris: requests === '' ? [] : requests.split(between),
    ...(afterLogout !== '' && { post_logout_redirect_uris: afterLogout.split(between) }),
    // has a meaning only with a logout address
    backchannel_logout_session_required:
      Boolean(attributes['backchannel.logout.url']) && isOn(attributes, 'backchannel.logout.session.required'),
  };
}

/** The metadata of a client, RFC 7591 section 3.2.1. */
export function metadataOf(registration: Registration, { address, issuedAt }: Issued): OidcClient {
  const { client, token } = registration;
  const attributes = members(client.attributes);
  return {
    client_id: client.clientId,
    ...(issuedAt !== undefined && { client_id_issued_at: issuedAt }),
    ...authenticationOf(registration),
    ...(client.name !== null && { client_name: client.name }),
    ...(client.baseUrl !== null && { client_uri: client.baseUrl }),
    redirect_uris: textsOf(client.redirectUris),
    grant_types: grantTypesOf(client, attributes),
    response_types: responseTypesOf(client),
    scope: scopeNames(client, true).join(' '),
    ...subjectOf(client),
    ...ofAttributes(attributes),
    ...(token !== undefined && { registration_access_token: token }),
    registration_client_uri: address,
  };
}
