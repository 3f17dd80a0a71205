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

const keyBound = executor('dpop-bind-enforcer', { 'auto-configure': true, 'require-nonce': true });
const certificateBound = executor('holder-of-key-enforcer', { 'auto-configure': true });
const securityOf2 = [
  executor('confidential-client'),
  authenticators('client-jwt', 'client-x509'),
  executor('secure-client-uris'),
  executor('secure-signature-algorithm', { 'default-algorithm': 'PS256' }),
  executor('secure-signature-algorithm-signed-jwt', { 'require-client-assertion': false }),
  executor('consent-required'),
  noFullScope,
  executor('pkce-enforcer', { 'auto-configure': true }),
  executor('reject-implicit-grant', { 'auto-configure': true }),
  executor('reject-ropc-grant', { 'auto-configure': true }),
  executor('secure-par-content'),
  executor('secure-authorization-response', { 'code-lifespan': '60' }),
];
const signingOf2 = [
  executor('secure-request-object', {
    'available-period': '3600',
    'verify-nbf': true,
    'encryption-required': false,
  }),
  executor('secure-response-type'),
];

/** The profiles that every realm has: those of the Financial-grade API 1.0, of CIBA for it, and of the Financial-grade API 2.0. */
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
      certificateBound,
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
  {
    name: 'fapi-2-security-profile',
    description:
      'Requires clients to comply with the Security Profile of FAPI 2.0, with tokens bound to a certificate.',
    executors: [...securityOf2, certificateBound],
  },
  {
    name: 'fapi-2-message-signing',
    description: 'Requires clients to comply with Message Signing of FAPI 2.0, with tokens bound to a certificate.',
    executors: [...securityOf2, ...signingOf2, certificateBound],
  },
  {
    name: 'fapi-2-dpop-security-profile',
    description: 'Requires clients to comply with the Security Profile of FAPI 2.0, with tokens bound to a key.',
    executors: [...securityOf2, keyBound],
  },
  {
    name: 'fapi-2-dpop-message-signing',
    description: 'Requires clients to comply with Message Signing of FAPI 2.0, with tokens bound to a key.',
    executors: [...securityOf2, ...signingOf2, keyBound],
  },
];
