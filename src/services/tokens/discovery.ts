import { members, numberOf } from '../core/json.js';
import { contentEncryptions, keyEncryptions } from '../keys/jwe.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { encodeKeySet, type PublicJwk, publicKeyText } from '../keys/metadata.js';
import { realmLevels } from '../login/acr.js';
import { excludesIssuer } from '../login/client-answer.js';
import { backchannelGrant } from './backchannel-requests.js';
import { issuerOf, type TokenContext } from './context.js';
import { proofAlgorithms } from './dpop.js';
import { tokenExchangeGrant } from './exchange.js';
import { realmDoesNotExist } from './parties.js';

const signing = [
  'PS384',
  'ES384',
  'RS384',
  'HS256',
  'HS512',
  'ES256',
  'RS256',
  'HS384',
  'ES512',
  'PS256',
  'PS512',
  'RS512',
];
const authentication = [
  'private_key_jwt',
  'client_secret_basic',
  'client_secret_post',
  'tls_client_auth',
  'client_secret_jwt',
];

/** The addresses of a realm. */
const endpoints = (issuer: string) => {
  const base = `${issuer}/protocol/openid-connect`;
  return {
    authorization: `${base}/auth`,
    // these stand in the list of mutual TLS addresses too
    shared: {
      token_endpoint: `${base}/token`,
      revocation_endpoint: `${base}/revoke`,
      introspection_endpoint: `${base}/token/introspect`,
      device_authorization_endpoint: `${base}/auth/device`,
      registration_endpoint: `${issuer}/clients-registrations/openid-connect`,
      userinfo_endpoint: `${base}/userinfo`,
      pushed_authorization_request_endpoint: `${base}/ext/par/request`,
      backchannel_authentication_endpoint: `${base}/ext/ciba/auth`,
    },
    base,
  };
};

/** The grants that the contract lists. */
export const recordedGrants: readonly string[] = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  backchannelGrant,
];

/** Whether discovery lists a client scope. */
const isListed = ({ attributes }: { attributes: unknown }): boolean =>
  members(attributes)['include.in.openid.provider.metadata'] !== 'false';

/** The realm's provider metadata, OpenID Connect Discovery 1.0 section 3 and RFC 8414. 404 for an unknown realm. */
export async function discovery(
  context: TokenContext,
  realmName: string,
  baseUrl: string,
): Promise<Record<string, unknown>> {
  const realm = await context.database.read.realm.findFirst({
    where: { name: realmName },
    select: {
      name: true,
      attributes: true,
      clientScopes: {
        where: { OR: [{ protocol: 'openid-connect' }, { protocol: null }] },
        orderBy: { name: 'asc' },
        select: { name: true, attributes: true },
      },
    },
  });
  if (!realm) throw realmDoesNotExist();
  const issuer = issuerOf(baseUrl, realm.name);
  const { authorization, shared, base } = endpoints(issuer);
  const levelNames = [...realmLevels(realm).keys()];
  return {
    issuer,
    authorization_endpoint: authorization,
    ...shared,
    end_session_endpoint: `${base}/logout`,
    jwks_uri: `${base}/certs`,
    check_session_iframe: `${base}/login-status-iframe.html`,
    grant_types_supported: [...recordedGrants, tokenExchangeGrant],
    response_types_supported: [
      'code',
      'none',
      'id_token',
      'token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: signing,
    id_token_encryption_alg_values_supported: keyEncryptions,
    id_token_encryption_enc_values_supported: contentEncryptions,
    userinfo_signing_alg_values_supported: [...signing, 'none'],
    userinfo_encryption_alg_values_supported: keyEncryptions,
    userinfo_encryption_enc_values_supported: contentEncryptions,
    request_object_signing_alg_values_supported: [...signing, 'none'],
    request_object_encryption_alg_values_supported: keyEncryptions,
    request_object_encryption_enc_values_supported: contentEncryptions,
    response_modes_supported: ['query', 'fragment', 'form_post', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'],
    token_endpoint_auth_methods_supported: authentication,
    token_endpoint_auth_signing_alg_values_supported: signing,
    introspection_endpoint_auth_methods_supported: authentication,
    introspection_endpoint_auth_signing_alg_values_supported: signing,
    authorization_signing_alg_values_supported: signing,
    authorization_encryption_alg_values_supported: keyEncryptions,
    authorization_encryption_enc_values_supported: contentEncryptions,
    claims_supported: [
      'aud',
      'sub',
      'iss',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'acr',
    ],
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    ...(levelNames.length > 0 && { acr_values_supported: levelNames }),
    scopes_supported: ['openid', ...realm.clientScopes.filter(isListed).map(({ name }) => name)],
    ...(!excludesIssuer(realm) && { authorization_response_iss_parameter_supported: true }),
    dpop_signing_alg_values_supported: proofAlgorithms,
    request_parameter_supported: true,
    request_uri_parameter_supported: true,
    require_request_uri_registration: true,
    code_challenge_methods_supported: ['plain', 'S256'],
    tls_client_certificate_bound_access_tokens: true,
    revocation_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_signing_alg_values_supported: signing,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    backchannel_authentication_request_signing_alg_values_supported: asymmetricAlgorithms,
    require_pushed_authorization_requests: false,
    mtls_endpoint_aliases: shared,
  };
}

/** What anybody may know of a realm, PublishedRealmRepresentation of the contract. 404 for an unknown realm. */
export async function publicRealm(
  context: TokenContext,
  realmName: string,
  baseUrl: string,
): Promise<Record<string, unknown>> {
  const realm = await findRealm(context, realmName);
  const keys = await context.keyring.realmKeys(realm);
  const signingKeys = keys.filter(({ type, use, status }) => type === 'RSA' && use === 'SIG' && status === 'ACTIVE');
  const key = signingKeys.find(({ algorithm }) => algorithm === 'RS256') ?? signingKeys[0];
  const issuer = issuerOf(baseUrl, realm.name);
  return {
    realm: realm.name,
    ...(key && { public_key: publicKeyText(key) }),
    'token-service': `${issuer}/protocol/openid-connect`,
    'account-service': `${issuer}/account`,
    'tokens-not-before': numberOf(members(realm.settings), 'notBefore', 0),
  };
}

/** The realm's JSON Web Key Set, RFC 7517 section 5. 404 for an unknown realm. */
export async function keySet(context: TokenContext, realmName: string): Promise<{ keys: PublicJwk[] }> {
  const realm = await findRealm(context, realmName);
  return encodeKeySet(await context.keyring.realmKeys(realm));
}

async function findRealm({ database }: TokenContext, name: string) {
  const realm = await database.read.realm.findFirst({
    where: { name },
    select: { id: true, name: true, settings: true },
  });
  if (!realm) throw realmDoesNotExist();
  return realm;
}
