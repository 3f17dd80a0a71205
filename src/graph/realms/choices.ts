import { keptEventTypes } from '../../services/realms/defaults/events.js';

/** A type of event in words: `LOGIN_ERROR` is a login that failed. */
function inWords(type: string): string {
  const words = type
    .replace(/_ERROR$/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return type.endsWith('_ERROR') ? `A failed ${words}.` : `A ${words}.`;
}

/** Values of settings: their names here, how they are written on the wire, and what they mean. */
export const choices = {
  SignatureAlgorithm: {
    description: 'Algorithm of a JSON Web Signature (RFC 7518).',
    values: Object.fromEntries(
      ['RS', 'PS', 'ES', 'HS'].flatMap((family) =>
        [256, 384, 512].map((size) => [`${family}${size}`, [`${family}${size}`, `${family}${size} of RFC 7518.`]]),
      ),
    ),
  },
  WebAuthnSignatureAlgorithm: {
    description: 'Algorithm of a security key.',
    values: Object.fromEntries(
      ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'RS1'].map((name) => [
        name,
        [name, `${name} of the COSE registry.`],
      ]),
    ),
  },
  EventType: {
    description: 'What users do.',
    values: Object.fromEntries(keptEventTypes.map((type) => [type, [type, inWords(type)]])),
  },
  OtpType: {
    description: 'What one-time codes follow.',
    values: { TOTP: ['totp', 'The time (RFC 6238).'], HOTP: ['hotp', 'A counter (RFC 4226).'] },
  },
  OtpAlgorithm: {
    description: 'Hash algorithm of one-time codes.',
    values: {
      SHA1: ['HmacSHA1', 'What every application knows.'],
      SHA256: ['HmacSHA256', 'Not every application knows it.'],
      SHA512: ['HmacSHA512', 'Not every application knows it.'],
    },
  },
  SslRequired: {
    description: 'From where plain HTTP is refused.',
    values: {
      ALL: ['all', 'From everywhere.'],
      EXTERNAL: ['external', 'From everywhere but private addresses.'],
      NONE: ['none', 'From nowhere.'],
    },
  },
  AttestationConveyance: {
    description: 'Whether security keys have to tell who made them.',
    values: {
      NOT_SPECIFIED: ['not specified', 'As the browser likes.'],
      NONE: ['none', 'No.'],
      INDIRECT: ['indirect', 'Yes, possibly in an anonymous form.'],
      DIRECT: ['direct', 'Yes.'],
    },
  },
  AuthenticatorAttachment: {
    description: 'What kind of device security keys may be in.',
    values: {
      NOT_SPECIFIED: ['not specified', 'Any.'],
      PLATFORM: ['platform', 'The one that the browser runs on.'],
      CROSS_PLATFORM: ['cross-platform', 'One that can be carried from one machine to another.'],
    },
  },
  ResidentKey: {
    description: 'Whether security keys have to be kept in the device.',
    values: {
      NOT_SPECIFIED: ['not specified', 'As the browser likes.'],
      YES: ['Yes', 'They have to.'],
      NO: ['No', 'They need not.'],
    },
  },
  UserVerification: {
    description: 'Whether the device has to know its user.',
    values: {
      NOT_SPECIFIED: ['not specified', 'As the browser likes.'],
      REQUIRED: ['required', 'It has to.'],
      PREFERRED: ['preferred', 'It should, if it can.'],
      DISCOURAGED: ['discouraged', 'It should not.'],
    },
  },
} as const satisfies Record<string, { description: string; values: Record<string, readonly string[]> }>;

export type Choice = keyof typeof choices;

/** The ways in which a choice can be written on the wire. */
export const wireValues = Object.fromEntries(
  Object.entries(choices).map(([name, { values }]) => [name, new Set(Object.values(values).map(([wire]) => wire))]),
) as unknown as Record<Choice, ReadonlySet<string>>;
