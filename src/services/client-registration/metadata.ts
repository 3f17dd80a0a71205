import { flag, type Input, int, json, representation, text, texts } from '../core/shape.js';

/** Metadata of a client, RFC 7591 and OpenID Connect Dynamic Client Registration. */
export const OidcClientRepresentation = representation('OIDCClientRepresentation', {
  redirect_uris: texts,
  post_logout_redirect_uris: texts,
  token_endpoint_auth_method: text,
  token_endpoint_auth_signing_alg: text,
  grant_types: texts,
  response_types: texts,
  client_id: text,
  client_secret: text,
  client_id_issued_at: int,
  client_secret_expires_at: int,
  registration_client_uri: text,
  registration_access_token: text,
  client_name: text,
  client_uri: text,
  logo_uri: text,
  scope: text,
  contacts: texts,
  tos_uri: text,
  policy_uri: text,
  jwks_uri: text,
  jwks: json,
  software_id: text,
  software_version: text,
  application_type: text,
  sector_identifier_uri: text,
  subject_type: text,
  id_token_signed_response_alg: text,
  id_token_encrypted_response_alg: text,
  id_token_encrypted_response_enc: text,
  userinfo_signed_response_alg: text,
  userinfo_encrypted_response_alg: text,
  userinfo_encrypted_response_enc: text,
  request_object_signing_alg: text,
  request_object_encryption_alg: text,
  request_object_encryption_enc: text,
  authorization_signed_response_alg: text,
  authorization_encrypted_response_alg: text,
  authorization_encrypted_response_enc: text,
  default_max_age: int,
  require_auth_time: flag,
  default_acr_values: texts,
  initiate_login_uri: text,
  request_uris: texts,
  require_pushed_authorization_requests: flag,
  tls_client_certificate_bound_access_tokens: flag,
  tls_client_auth_subject_dn: text,
  dpop_bound_access_tokens: flag,
  frontchannel_logout_uri: text,
  frontchannel_logout_session_required: flag,
  backchannel_logout_uri: text,
  backchannel_logout_session_required: flag,
  backchannel_logout_revoke_offline_tokens: flag,
  backchannel_token_delivery_mode: text,
  backchannel_client_notification_endpoint: text,
  backchannel_authentication_request_signing_alg: text,
});
export type OidcClient = Input<typeof OidcClientRepresentation>;

/** Metadata with text values, each with the client attribute that stores it. */
export const textAttributes = [
  ['token_endpoint_auth_signing_alg', 'token.endpoint.auth.signing.alg'],
  ['id_token_signed_response_alg', 'id.token.signed.response.alg'],
  ['id_token_encrypted_response_alg', 'id.token.encrypted.response.alg'],
  ['id_token_encrypted_response_enc', 'id.token.encrypted.response.enc'],
  ['userinfo_signed_response_alg', 'user.info.response.signature.alg'],
  ['userinfo_encrypted_response_alg', 'user.info.encrypted.response.alg'],
  ['userinfo_encrypted_response_enc', 'user.info.encrypted.response.enc'],
  ['request_object_signing_alg', 'request.object.signature.alg'],
  ['request_object_encryption_alg', 'request.object.encryption.alg'],
  ['request_object_encryption_enc', 'request.object.encryption.enc'],
  ['authorization_signed_response_alg', 'authorization.signed.response.alg'],
  ['authorization_encrypted_response_alg', 'authorization.encrypted.response.alg'],
  ['authorization_encrypted_response_enc', 'authorization.encrypted.response.enc'],
  ['tls_client_auth_subject_dn', 'x509.subjectdn'],
  ['frontchannel_logout_uri', 'frontchannel.logout.url'],
  ['backchannel_logout_uri', 'backchannel.logout.url'],
  ['backchannel_token_delivery_mode', 'ciba.backchannel.token.delivery.mode'],
  ['backchannel_client_notification_endpoint', 'ciba.backchannel.client.notification.endpoint'],
  ['backchannel_authentication_request_signing_alg', 'ciba.backchannel.auth.request.signing.alg'],
] as const satisfies [keyof OidcClient, string][];

/** Metadata with boolean values, each with the client attribute that stores it. */
export const flagAttributes = [
  ['require_pushed_authorization_requests', 'require.pushed.authorization.requests'],
  ['tls_client_certificate_bound_access_tokens', 'tls.client.certificate.bound.access.tokens'],
] as const satisfies [keyof OidcClient, string][];

/** Switches that the contract does not have. Answers contain them only for clients that have them set. */
export const newerFlagAttributes = [
  ['dpop_bound_access_tokens', 'dpop.bound.access.tokens'],
  ['frontchannel_logout_session_required', 'frontchannel.logout.session.required'],
] as const satisfies [keyof OidcClient, string][];

/**
 * Client authentication methods of the token endpoint, with the authenticators; the first one of an authenticator is
 * reported.
 */
export const authMethods = [
  ['client_secret_basic', 'client-secret'],
  ['client_secret_post', 'client-secret'],
  ['client_secret_jwt', 'client-secret-jwt'],
  ['private_key_jwt', 'client-jwt'],
  ['tls_client_auth', 'client-x509'],
] as const;

/** Grant types besides the authorization code and refresh tokens. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  implicit: 'implicit',
  password: 'password',
  credentials: 'client_credentials',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  ciba: 'urn:openid:params:grant-type:ciba',
  uma: 'urn:ietf:params:oauth:grant-type:uma-ticket',
} as const;

/** The separator between the addresses of an attribute with several. */
export const between = '##';
