import { attribute, type ClientSetting, fieldSettings } from './setting-rows.js';

export const flows: readonly ClientSetting[] = [
  ...fieldSettings('flows'),
  attribute(
    'isDeviceEnabled',
    'oauth2.device.authorization.grant.enabled',
    'flag',
    'Device authorization grant (RFC 8628). Default for a new client: false.',
  ),
  attribute(
    'isCibaEnabled',
    'oidc.ciba.grant.enabled',
    'flag',
    'Client-initiated backchannel authentication (CIBA). Default for a new client: false.',
  ),
];

const ofRealm = 'Null: as set for the realm.';

export const tokens: readonly ClientSetting[] = [
  attribute(
    'accessTokenLifespan',
    'access.token.lifespan',
    'seconds',
    `Seconds until an access token expires. -1: at the end of the session. ${ofRealm}`,
    { least: -1 },
  ),
  attribute(
    'sessionIdleTimeout',
    'client.session.idle.timeout',
    'seconds',
    `Seconds until a refresh token expires if it is not used. ${ofRealm}`,
  ),
  attribute(
    'sessionMaxLifespan',
    'client.session.max.lifespan',
    'seconds',
    `Seconds until the session of the client ends, even if it is used. ${ofRealm}`,
  ),
  attribute(
    'offlineSessionIdleTimeout',
    'client.offline.session.idle.timeout',
    'seconds',
    `Seconds until an offline token expires if it is not used. ${ofRealm}`,
  ),
  attribute(
    'offlineSessionMaxLifespan',
    'client.offline.session.max.lifespan',
    'seconds',
    `Seconds until the offline session of the client ends, even if it is used. ${ofRealm}`,
  ),
  attribute(
    'deviceCodeLifespan',
    'oauth2.device.code.lifespan',
    'seconds',
    `Seconds until a device code expires. ${ofRealm}`,
  ),
  attribute(
    'devicePollingInterval',
    'oauth2.device.polling.interval',
    'seconds',
    `Least seconds between two requests of a device for its token. ${ofRealm}`,
  ),
  attribute(
    'accessTokenAlgorithm',
    'access.token.signed.response.alg',
    { choice: 'SignatureAlgorithm' },
    `Signature algorithm of access tokens. ${ofRealm}`,
  ),
  attribute(
    'idTokenAlgorithm',
    'id.token.signed.response.alg',
    { choice: 'SignatureAlgorithm' },
    `Signature algorithm of ID tokens. ${ofRealm}`,
  ),
  attribute(
    'idTokenEncryptionAlgorithm',
    'id.token.encrypted.response.alg',
    'text',
    'Key management algorithm (RFC 7518) of encrypted ID tokens, e.g. `RSA-OAEP`. Null: not encrypted.',
  ),
  attribute(
    'idTokenContentEncryption',
    'id.token.encrypted.response.enc',
    'text',
    'Content encryption algorithm (RFC 7518) of encrypted ID tokens, e.g. `A256GCM`. Null: `A128CBC-HS256`.',
  ),
  attribute(
    'userInfoAlgorithm',
    'user.info.response.signature.alg',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of answers of the UserInfo endpoint. Null: not signed.',
  ),
  attribute(
    'userInfoEncryptionAlgorithm',
    'user.info.encrypted.response.alg',
    'text',
    'Key management algorithm (RFC 7518) of encrypted answers of the UserInfo endpoint, e.g. `RSA-OAEP`. Null: not encrypted.',
  ),
  attribute(
    'userInfoContentEncryption',
    'user.info.encrypted.response.enc',
    'text',
    'Content encryption algorithm (RFC 7518) of encrypted answers of the UserInfo endpoint. Null: `A128CBC-HS256`.',
  ),
  attribute(
    'usesRefreshTokens',
    'use.refresh.tokens',
    'flag',
    'Whether the client gets refresh tokens. Default for a new client: true.',
    { standard: true },
  ),
  attribute(
    'usesRefreshTokensForClientCredentials',
    'client_credentials.use_refresh_token',
    'flag',
    'Whether the client gets refresh tokens for the client credentials grant. Default for a new client: false.',
  ),
  attribute(
    'followsAccessTokenProfile',
    'access.token.header.type.rfc9068',
    'flag',
    'Whether access tokens have the form of RFC 9068: the type `at+jwt`, the claim `client_id`, and always an audience. Default for a new client: false.',
  ),
  attribute(
    'usesLightweightAccessTokens',
    'client.use.lightweight.access.token.enabled',
    'flag',
    'Whether access tokens have only the claims of mappers with `lightweight.claim`. Introspection tells the others. Default for a new client: false.',
  ),
  attribute(
    'exchangesTokens',
    'standard.token.exchange.enabled',
    'flag',
    'Whether the client exchanges tokens for its own ones, limited to the `audience` that it names, without the permission `token-exchange` of another client. Has no effect for public clients. Default for a new client: false.',
  ),
  attribute(
    'isKeyBound',
    'dpop.bound.access.tokens',
    'flag',
    'Whether the client must prove the possession of a key (DPoP, RFC 9449), to which its tokens are bound. Default for a new client: false.',
  ),
  attribute(
    'requiresProofNonce',
    'dpop.nonce.required',
    'flag',
    'Whether each proof of the client (DPoP) must contain a nonce that the server has given out in the last 5 minutes. Default for a new client: false.',
  ),
  attribute(
    'isCertificateBound',
    'tls.client.certificate.bound.access.tokens',
    'flag',
    'Whether tokens are bound to the certificate of the client (RFC 8705). Default for a new client: false.',
  ),
];

export const authorizationRequests: readonly ClientSetting[] = [
  attribute(
    'pkceMethod',
    'pkce.code.challenge.method',
    { choice: 'PkceMethod' },
    'Code challenge method that the client must use (PKCE). Null: PKCE is not required.',
  ),
  attribute(
    'requiresPushedRequests',
    'require.pushed.authorization.requests',
    'flag',
    'Whether only pushed authorization requests (RFC 9126) are accepted. Default for a new client: false.',
  ),
  attribute(
    'requestObject',
    'request.object.required',
    { choice: 'RequestObjectRequirement' },
    'Whether the client must send a request object. Null: not required.',
  ),
  attribute(
    'requestObjectAlgorithm',
    'request.object.signature.alg',
    { choice: 'RequestObjectAlgorithm' },
    'Signature algorithm of the request objects of the client. Null: any.',
  ),
  attribute(
    'requestObjectEncryptionAlgorithm',
    'request.object.encryption.alg',
    'text',
    'Key management algorithm (RFC 7518) of request objects, which must be encrypted. Null or `any`: any, also none.',
  ),
  attribute(
    'requestObjectContentEncryption',
    'request.object.encryption.enc',
    'text',
    'Content encryption algorithm (RFC 7518) of request objects, which must be encrypted. Null or `any`: any, also none.',
  ),
  attribute('requestUris', 'request.uris', 'texts', 'Addresses from which request objects are accepted.'),
  attribute(
    'excludesSessionState',
    'exclude.session.state.from.auth.response',
    'flag',
    'Whether authorization responses lack the parameter `session_state`. Default for a new client: false.',
  ),
  attribute(
    'excludesIssuer',
    'exclude.issuer.from.auth.response',
    'flag',
    'Whether authorization responses lack the parameter `iss` (RFC 9207), for clients that refuse unknown parameters. Default for a new client: false.',
  ),
  attribute(
    'responseAlgorithm',
    'authorization.signed.response.alg',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of authorization responses in the form of a JWT (JARM). Null: as set for the realm.',
  ),
  attribute(
    'responseEncryptionAlgorithm',
    'authorization.encrypted.response.alg',
    'text',
    'Key management algorithm (RFC 7518) of encrypted authorization responses. Null: not encrypted.',
  ),
  attribute(
    'responseContentEncryption',
    'authorization.encrypted.response.enc',
    'text',
    'Content encryption algorithm (RFC 7518) of encrypted authorization responses. Null: `A128CBC-HS256`.',
  ),
];

export const ciba: readonly ClientSetting[] = [
  attribute(
    'deliveryMode',
    'ciba.backchannel.token.delivery.mode',
    { choice: 'CibaDeliveryMode' },
    'How the client learns the result of a backchannel authentication. Null: as set for the realm.',
  ),
  attribute(
    'notificationEndpoint',
    'ciba.backchannel.client.notification.endpoint',
    'text',
    'URL at which the client is notified of results. Null: none.',
  ),
  attribute(
    'requestAlgorithm',
    'ciba.backchannel.auth.request.signing.alg',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of backchannel authentication requests. Null: any.',
  ),
];
