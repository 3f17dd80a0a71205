import { createHash } from 'node:crypto';
import type { ClientInput } from './representation.js';

/** The key pair with which a SAML client signs. */
export interface SigningKey {
  certificate: string;
  privateKey: string;
}

/** Whether a key pair has to be made for the new client: a SAML client that signs and brings none. */
export const needsSigningKey = ({ protocol, attributes = {} }: ClientInput): boolean =>
  protocol === 'saml' &&
  (attributes['saml.client.signature'] ?? 'true') === 'true' &&
  !attributes['saml.signing.certificate'];

/**
 * What the reference server fills in for a new client whose protocol is named, and only then: tooling that leaves the
 * protocol out gets other defaults than tooling that names it.
 */
export function withProtocolDefaults(client: ClientInput, signingKey?: SigningKey): ClientInput {
  if (client.protocol === 'openid-connect') return withOpenIdDefaults(client);
  if (client.protocol === 'saml') return withSamlDefaults(client, signingKey);
  return client;
}

function withOpenIdDefaults(client: ClientInput): ClientInput {
  const { rootUrl } = client;
  const fromRoot = rootUrl ? `${rootUrl}${rootUrl.endsWith('/') ? '' : '/'}*` : undefined;
  return {
    ...client,
    publicClient: client.publicClient ?? client.bearerOnly === undefined,
    directAccessGrantsEnabled: client.directAccessGrantsEnabled ?? client.directGrantsOnly ?? true,
    ...(fromRoot && !client.redirectUris?.length && { redirectUris: [fromRoot] }),
    ...(rootUrl && { adminUrl: client.adminUrl ?? rootUrl }),
    // given values do not win here, as recorded
    attributes: {
      ...client.attributes,
      'backchannel.logout.session.required': 'true',
      'backchannel.logout.revoke.offline.tokens': 'false',
    },
  };
}

const samlAttributes = {
  'saml.authnstatement': 'true',
  'saml.client.signature': 'true',
  'saml.force.post.binding': 'true',
  'saml.server.signature': 'true',
  'saml.signature.algorithm': 'RSA_SHA256',
  saml_force_name_id_format: 'false',
  saml_name_id_format: 'username',
  saml_signature_canonicalization_method: 'http://www.w3.org/2001/10/xml-exc-c14n#',
};

function withSamlDefaults(client: ClientInput, signingKey: SigningKey | undefined): ClientInput {
  // an empty text stands for no value, and is one: the default does not take its place
  const attributes = Object.entries({ ...samlAttributes, ...client.attributes }).filter(([, value]) => value !== '');
  return {
    ...client,
    frontchannelLogout: client.frontchannelLogout ?? true,
    attributes: {
      ...(signingKey && {
        'saml.signing.certificate': signingKey.certificate,
        'saml.signing.private.key': signingKey.privateKey,
      }),
      // SAML 2.0 bindings, section 3.6.4: the SHA-1 digest of the entity id
      ...(client.clientId !== undefined && {
        'saml.artifact.binding.identifier': createHash('sha1').update(client.clientId).digest('base64'),
      }),
      ...Object.fromEntries(attributes),
    },
  };
}
