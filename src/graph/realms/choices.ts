import { eventTypes } from '../../services/events/types.js';
import { describeEventType } from '../events/event-descriptions.js';

/** Values of settings: their names in GraphQL, their stored texts, and their descriptions. */
export const choices = {
  SignatureAlgorithm: {
    description: 'Signature algorithm (RFC 7518).',
    values: Object.fromEntries(
      Object.entries({ RS: 'RSASSA-PKCS1-v1_5', PS: 'RSASSA-PSS', ES: 'ECDSA', HS: 'HMAC' }).flatMap(
        ([family, method]) =>
          [256, 384, 512].map((size) => [`${family}${size}`, [`${family}${size}`, `${method} with SHA-${size}.`]]),
      ),
    ),
  },
  WebAuthnSignatureAlgorithm: {
    description: 'Signature algorithm of a WebAuthn credential.',
    values: Object.fromEntries(
      ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'RS1'].map((name) => [
        name,
        [name, `COSE algorithm ${name}.`],
      ]),
    ),
  },
  LoginEventType: {
    description: 'Type of a login event, with the names of the REST API.',
    values: Object.fromEntries(eventTypes.map((type) => [type, [type, describeEventType(type)]])),
  },
  OtpType: {
    description: 'Type of one-time passwords.',
    values: { TOTP: ['totp', 'Time-based (RFC 6238).'], HOTP: ['hotp', 'Counter-based (RFC 4226).'] },
  },
  OtpAlgorithm: {
    description: 'Hash algorithm of one-time passwords.',
    values: {
      SHA1: ['HmacSHA1', 'HMAC-SHA-1, supported by every authenticator application.'],
      SHA256: ['HmacSHA256', 'HMAC-SHA-256, not supported by every authenticator application.'],
      SHA512: ['HmacSHA512', 'HMAC-SHA-512, not supported by every authenticator application.'],
    },
  },
  SslRequired: {
    description: 'Requests for which HTTPS is required.',
    values: {
      ALL: ['all', 'HTTPS required for all requests.'],
      EXTERNAL: ['external', 'HTTPS required except from private IP addresses.'],
      NONE: ['none', 'HTTPS never required.'],
    },
  },
  AttestationConveyance: {
    description: 'Preference for attestation: how an authenticator proves its model.',
    values: {
      NOT_SPECIFIED: ['not specified', 'Decided by the browser.'],
      NONE: ['none', 'No attestation is requested.'],
      INDIRECT: ['indirect', 'Requires attestation, which may be anonymised.'],
      DIRECT: ['direct', 'Requires attestation as the authenticator makes it.'],
    },
  },
  AuthenticatorAttachment: {
    description: 'Where a WebAuthn authenticator may be located.',
    values: {
      NOT_SPECIFIED: ['not specified', 'Any location is allowed.'],
      PLATFORM: ['platform', 'Built into the device that runs the browser.'],
      CROSS_PLATFORM: ['cross-platform', 'Removable, such as a USB security key.'],
    },
  },
  ResidentKey: {
    description: 'Whether the credential must be stored on the authenticator (resident key).',
    values: {
      NOT_SPECIFIED: ['not specified', 'Decided by the browser.'],
      YES: ['Yes', 'A resident key is required.'],
      NO: ['No', 'A resident key is not required.'],
    },
  },
  UserVerification: {
    description: 'Whether the authenticator must verify the user, e.g. by PIN or fingerprint.',
    values: {
      NOT_SPECIFIED: ['not specified', 'Decided by the browser.'],
      REQUIRED: ['required', 'User verification is required.'],
      PREFERRED: ['preferred', 'User verification is preferred, but not required.'],
      DISCOURAGED: ['discouraged', 'User verification is not wanted.'],
    },
  },
} as const satisfies Record<string, { description: string; values: Record<string, readonly string[]> }>;

export type Choice = keyof typeof choices;

/** The stored texts of each choice. */
// fromEntries does not keep the names of the choices in its type
export const wireValues = Object.fromEntries(
  Object.entries(choices).map(([name, { values }]) => [name, new Set(Object.values(values).map(([wire]) => wire))]),
) as unknown as Record<Choice, ReadonlySet<string>>;
