import type { SettingChoice } from '../core/setting-types.js';

const canonicalization = 'http://www.w3.org';

/** Enums of settings that only clients have. */
export const clientChoices = {
  PkceMethod: {
    description: 'Code challenge method of PKCE (RFC 7636).',
    values: {
      S256: ['S256', 'SHA-256 of the code verifier.'],
      PLAIN: ['plain', 'The code verifier itself. Not recommended.'],
    },
  },
  RequestObjectRequirement: {
    description: 'Whether authorization requests must contain a request object (RFC 9101).',
    values: {
      NOT_REQUIRED: ['not required', 'No request object is required.'],
      REQUEST_OR_REQUEST_URI: ['request or request_uri', 'The parameter `request` or `request_uri` is required.'],
      REQUEST: ['request only', 'The parameter `request` is required.'],
      REQUEST_URI: ['request_uri only', 'The parameter `request_uri` is required.'],
    },
  },
  RequestObjectAlgorithm: {
    description: 'Signature algorithm of request objects (RFC 9101).',
    values: {
      ANY: ['any', 'Any signature algorithm of the server.'],
      NONE: ['none', 'Request objects are not signed.'],
      ...Object.fromEntries(
        ['RS', 'PS', 'ES', 'HS'].flatMap((family) =>
          [256, 384, 512].map((size) => {
            const name = `${family}${size}`;
            return [name, [name, `Signed with ${name} (RFC 7518).`]];
          }),
        ),
      ),
    },
  },
  CibaDeliveryMode: {
    description: 'How a client learns the result of a backchannel authentication (CIBA).',
    values: {
      POLL: ['poll', 'The client polls the token endpoint.'],
      PING: ['ping', 'The server notifies the client, which then requests the tokens.'],
    },
  },
  SamlSignatureAlgorithm: {
    description: 'Signature algorithm of SAML documents.',
    values: {
      RSA_SHA1: ['RSA_SHA1', 'RSA with SHA-1. Not recommended.'],
      RSA_SHA256: ['RSA_SHA256', 'RSA with SHA-256.'],
      RSA_SHA256_MGF1: ['RSA_SHA256_MGF1', 'RSASSA-PSS with SHA-256.'],
      RSA_SHA512: ['RSA_SHA512', 'RSA with SHA-512.'],
      RSA_SHA512_MGF1: ['RSA_SHA512_MGF1', 'RSASSA-PSS with SHA-512.'],
      DSA_SHA1: ['DSA_SHA1', 'DSA with SHA-1. Realms have no such keys: they sign with RSA and SHA-256 instead.'],
    },
  },
  SamlSignatureKeyName: {
    description: 'Content of the element `KeyName` in signed SAML documents.',
    values: {
      KEY_ID: ['KEY_ID', 'ID of the key.'],
      CERT_SUBJECT: ['CERT_SUBJECT', 'Subject of the certificate.'],
      NONE: ['NONE', 'No element `KeyName`.'],
    },
  },
  SamlCanonicalization: {
    description: 'Canonicalization method of signed XML.',
    values: {
      EXCLUSIVE: [`${canonicalization}/2001/10/xml-exc-c14n#`, 'Exclusive canonicalization without comments.'],
      EXCLUSIVE_WITH_COMMENTS: [
        `${canonicalization}/2001/10/xml-exc-c14n#WithComments`,
        'Exclusive canonicalization that keeps comments.',
      ],
      INCLUSIVE: [`${canonicalization}/TR/2001/REC-xml-c14n-20010315`, 'Inclusive canonicalization without comments.'],
      INCLUSIVE_WITH_COMMENTS: [
        `${canonicalization}/TR/2001/REC-xml-c14n-20010315#WithComments`,
        'Inclusive canonicalization that keeps comments.',
      ],
    },
  },
  SamlNameIdFormat: {
    description: 'Format of the NameID of a user in SAML documents.',
    values: {
      USERNAME: ['username', 'Username of the user.'],
      EMAIL: ['email', 'Email address of the user.'],
      TRANSIENT: ['transient', 'Identifier that is generated for each login.'],
      PERSISTENT: ['persistent', 'Identifier of the user that stays the same for the client.'],
    },
  },
} as const satisfies Record<string, SettingChoice>;

export type ClientChoice = keyof typeof clientChoices;
