import { type ProviderType, provider, setting } from './provider.js';

/** Conditions of client policies. */
export const policyConditions: readonly ProviderType[] = [
  provider('any-client', 'Met by every client and request.', []),
  provider('client-access-type', 'Holds for clients of these kinds.', [
    setting('type', 'MultivaluedList', {
      defaultValue: 'confidential',
      options: ['bearer-only', 'confidential', 'public'],
    }),
  ]),
  provider('client-roles', 'Holds for clients that have one of these roles.', [setting('roles', 'MultivaluedString')]),
  provider('client-scopes', 'Holds for requests of one of these client scopes.', [
    setting('scopes', 'MultivaluedString', { defaultValue: 'offline_access' }),
    setting('type', 'List', { defaultValue: 'Optional', options: ['Default', 'Optional'] }),
  ]),
  provider('client-updater-context', 'Holds where a client is written in one of these ways.', [
    setting('update-client-source', 'MultivaluedList', {
      defaultValue: 'ByAuthenticatedUser',
      options: ['ByAnonymous', 'ByAuthenticatedUser', 'ByInitialAccessToken', 'ByRegistrationAccessToken'],
    }),
  ]),
  provider('client-updater-source-groups', 'Holds where a member of one of these groups writes the client.', [
    setting('groups', 'MultivaluedString', { defaultValue: 'topGroup' }),
  ]),
  provider('client-updater-source-host', 'Holds where a client is written from one of these hosts.', [
    setting('trusted-hosts', 'MultivaluedString'),
  ]),
  provider('client-updater-source-roles', 'Holds where somebody with one of these roles writes the client.', [
    setting('roles', 'MultivaluedString', { defaultValue: 'admin' }),
  ]),
];

/** Executors of client profiles. */
export const policyExecutors: readonly ProviderType[] = [
  provider('confidential-client', 'Allows only clients that keep a secret.', []),
  provider('consent-required', 'Has clients ask for consent.', []),
  provider('full-scope-disabled', 'Has clients see only the roles in their scope.', [
    setting('auto-configure', 'boolean', { defaultValue: true }),
  ]),
  provider('holder-of-key-enforcer', 'Has tokens bound to the certificate of the client.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('pkce-enforcer', 'Has clients use PKCE with S256.', [
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('secure-ciba-req-sig-algorithm', 'Allows only strong algorithms for signed backchannel requests.', [
    setting('default-algorithm', 'List', {
      defaultValue: 'PS256',
      options: ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'],
    }),
  ]),
  provider('secure-ciba-session', 'Has backchannel requests carry a binding message.', []),
  provider('secure-ciba-signed-authn-req', 'Has backchannel requests signed.', [
    setting('available-period', 'String', { defaultValue: '3600' }),
  ]),
  provider('secure-client-authenticator', 'Allows only certain ways for a client to prove itself.', [
    setting('allowed-client-authenticators', 'MultivaluedList', {
      options: ['client-jwt', 'client-secret', 'client-secret-jwt', 'client-x509'],
    }),
    setting('default-client-authenticator', 'List', {
      defaultValue: 'client-jwt',
      options: ['client-jwt', 'client-secret', 'client-secret-jwt', 'client-x509'],
    }),
  ]),
  provider('secure-client-uris', 'Allows only addresses with https and without wildcards.', []),
  provider('secure-request-object', 'Has authorization requests come as request objects.', [
    setting('available-period', 'String', { defaultValue: '3600' }),
    setting('encryption-required', 'boolean', { defaultValue: false }),
    setting('verify-nbf', 'boolean', { defaultValue: true }),
  ]),
  provider('secure-response-type', 'Allows only answers that an ID token protects.', [
    setting('allow-token-response-type', 'boolean', { defaultValue: false }),
    setting('auto-configure', 'boolean', { defaultValue: false }),
  ]),
  provider('secure-session', 'Has authorization requests carry a nonce or state.', []),
  provider('secure-signature-algorithm', 'Allows only strong algorithms for signatures.', [
    setting('default-algorithm', 'List', {
      defaultValue: 'PS256',
      options: ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'],
    }),
  ]),
  provider('secure-signature-algorithm-signed-jwt', 'Allows only strong algorithms for the assertions of clients.', [
    setting('require-client-assertion', 'boolean', { defaultValue: false }),
  ]),
];
