import type { ClientProfile } from './representation.js';

const executor = (name: string, configuration: Record<string, string | boolean | string[]> = {}) => ({
  executor: name,
  configuration,
});
const authenticators = (...allowed: string[]) =>
  executor('secure-client-authenticator', {
    'allowed-client-authenticators': allowed,
    'default-client-authenticator': 'client-jwt',
  });
const noFullScope = executor('full-scope-disabled', { 'auto-configure': true });

/** The profiles that every realm has: those of the Financial-grade API, parts 1 and 2, and of CIBA for it. */
export const globalProfiles: readonly ClientProfile[] = [
  {
    name: 'fapi-1-baseline',
    description: 'Requires clients to comply with the baseline profile of the Financial-grade API 1.0.',
    executors: [
      executor('secure-session'),
      executor('pkce-enforcer', { 'auto-configure': true }),
      authenticators('client-jwt', 'client-secret-jwt', 'client-x509'),
      executor('secure-client-uris'),
      executor('consent-required'),
      noFullScope,
    ],
  },
  {
    name: 'fapi-1-advanced',
    description: 'Requires clients to comply with the advanced profile of the Financial-grade API 1.0.',
    executors: [
      executor('secure-session'),
      executor('confidential-client'),
      authenticators('client-jwt', 'client-x509'),
      executor('secure-client-uris'),
      executor('secure-request-object', { 'available-period': '3600', 'verify-nbf': true }),
      executor('secure-response-type', { 'auto-configure': true, 'allow-token-response-type': false }),
      executor('secure-signature-algorithm', { 'default-algorithm': 'PS256' }),
      executor('secure-signature-algorithm-signed-jwt', { 'require-client-assertion': false }),
      executor('consent-required'),
      noFullScope,
      executor('holder-of-key-enforcer', { 'auto-configure': true }),
    ],
  },
  {
    name: 'fapi-ciba',
    description:
      'Requires clients with client-initiated backchannel authentication (CIBA) to comply with the Financial-grade API.',
    executors: [
      executor('secure-ciba-req-sig-algorithm', { 'default-algorithm': 'PS256' }),
      executor('secure-ciba-session'),
      executor('secure-ciba-signed-authn-req', { 'available-period': '3600' }),
    ],
  },
];
