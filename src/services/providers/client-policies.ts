import { type ProviderType, provider, setting } from './provider.js';

/** Conditions of client policies. */
export const policyConditions: readonly ProviderType[] = [
  provider('any-client', 'Met by every client and request.', []),
  provider('client-access-type', 'Met by clients of the given access types.', [
    setting('type', 'MultivaluedList', {
      defaultValue: 'confidential',
      options: ['bearer-only', 'confidential', 'public'],
    }),
  ]),
  provider('client-roles', 'Met by clients that have one of the given roles.', [setting('roles', 'MultivaluedString')]),
  provider('client-scopes', 'Met by requests with one of the given client scopes.', [
    setting('scopes', 'MultivaluedString', { defaultValue: 'offline_access' }),
    setting('type', 'List', { defaultValue: 'Optional', options: ['Default', 'Optional'] }),
  ]),
  provider('client-updater-context', 'Met if a client is created or updated in one of the given ways.', [
    setting('update-client-source', 'MultivaluedList', {
      defaultValue: 'ByAuthenticatedUser',
      options: ['ByAnonymous', 'ByAuthenticatedUser', 'ByInitialAccessToken', 'ByRegistrationAccessToken'],
    }),
  ]),
  provider(
    'client-updater-source-groups',
    'Met if a member of one of the given groups creates or updates the client.',
    [setting('groups', 'MultivaluedString', { defaultValue: 'topGroup' })],
  ),
  provider('client-updater-source-host', 'Met if a client is created or updated from one of the given hosts.', [
    setting('trusted-hosts', 'MultivaluedString'),
  ]),
  provider('client-updater-source-roles', 'Met if a user with one of the given roles creates or updates the client.', [
    setting('roles', 'MultivaluedString', { defaultValue: 'admin' }),
  ]),
];

/** Executors of client profiles. */
export const policyExecutors: readonly ProviderType[] = [
  provider('confidential-client', 'Requires confidential clients.', []),
  provider('consent-required', 'Requires user consent.', []),
  provider('dpop-bind-enforcer', 'Requires tokens bound to a key (DPoP).', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
    setting('require-nonce', 'boolean', { defaultValue: false }),
  ]),
  provider('full-scope-disabled', 'Requires clients without full scope.', [
    setting('auto-configure', 'boolean', { defaultValue: true }),
  ]),
  provider('holder-of-key-enforcer', 'Requires access tokens bound to the certificate of the client.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('pkce-enforcer', 'Requires PKCE with the method S256.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('reject-implicit-grant', 'Refuses the implicit and the hybrid flow.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('reject-ropc-grant', 'Refuses the password grant.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider(
    'secure-authorization-response',
    'Limits the lifespan of codes, and has authorization responses name the issuer, whatever the settings of the client say.',
    [setting('code-lifespan', 'String', { defaultValue: '60' })],
  ),
  provider(
    'secure-ciba-req-sig-algorithm',
    'Requires strong algorithms for signed backchannel authentication requests.',
    [
      setting('default-algorithm', 'List', {
        defaultValue: 'PS256',
        options: ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'],
      }),
    ],
  ),
  provider('secure-ciba-session', 'Requires a binding message in backchannel authentication requests.', []),
  provider('secure-ciba-signed-authn-req', 'Requires signed backchannel authentication requests.', [
    setting('available-period', 'String', { defaultValue: '3600' }),
  ]),
  provider('secure-client-authenticator', 'Requires one of the given client authenticators.', [
    setting('allowed-client-authenticators', 'MultivaluedList', {
      options: ['client-jwt', 'client-secret', 'client-secret-jwt', 'client-x509'],
    }),
    setting('default-client-authenticator', 'List', {
      defaultValue: 'client-jwt',
      options: ['client-jwt', 'client-secret', 'client-secret-jwt', 'client-x509'],
    }),
  ]),
  provider('secure-client-uris', 'Requires redirect URIs with HTTPS and without wildcards.', []),
  provider('secure-par-content', 'Requires pushed authorization requests.', []),
  provider('secure-request-object', 'Requires request objects in authorization requests.', [
    setting('available-period', 'String', { defaultValue: '3600' }),
    setting('encryption-required', 'boolean', { defaultValue: false }),
    setting('verify-nbf', 'boolean', { defaultValue: true }),
  ]),
  provider('secure-response-type', 'Requires response types that an ID token protects.', [
    setting('allow-token-response-type', 'boolean', { defaultValue: false }),
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('secure-session', 'Requires a nonce or state in authorization requests.', []),
  provider('secure-signature-algorithm', 'Requires strong signature algorithms.', [
    setting('default-algorithm', 'List', {
      defaultValue: 'PS256',
      options: ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'],
    }),
  ]),
  provider('secure-signature-algorithm-signed-jwt', 'Requires strong algorithms for client assertions.', [
    setting('require-client-assertion', 'boolean', { defaultValue: false }),
  ]),
  provider('use-lightweight-access-token', 'Gives clients access tokens with few claims.', []),
];
