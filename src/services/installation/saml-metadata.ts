import { randomUUID } from 'node:crypto';
import { ownMember } from '../core/json.js';
import { type Element, writeXml } from '../core/xml.js';
import { pemBody } from '../keys/pem.js';
import { type InstalledClient, isOn, pem, privateKeyPem } from './source.js';
import { zip } from './zip.js';

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const artifact = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact';
const soap = 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP';
const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

const nameIdFormats: Record<string, string> = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
};

const namespaces = {
  '@xmlns': 'urn:oasis:names:tc:SAML:2.0:metadata',
  '@xmlns:md': 'urn:oasis:names:tc:SAML:2.0:metadata',
  '@xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
  '@xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
};

const keyDescriptor = (use: 'signing' | 'encryption', certificate: string, kid?: string): Element => ({
  '@use': use,
  'ds:KeyInfo': {
    ...(kid && { 'ds:KeyName': kid }),
    'ds:X509Data': { 'ds:X509Certificate': pemBody(certificate) },
  },
});

/** The client as a service provider: SAML 2.0 metadata, section 2.4.4. */
export function spDescriptor(client: InstalledClient): Promise<string> {
  const { attributes, adminUrl, clientId } = client;
  const binding = isOn(client, 'saml.force.post.binding') ? post : redirect;
  const kind = binding === post ? 'post' : 'redirect';
  const address = (name: string): string => attributes[name]?.trim() || adminUrl?.trim() || 'ERROR:ENDPOINT_NOT_SET';
  const signs = isOn(client, 'saml.client.signature');
  const keys = [
    ...(signs ? [['signing', attributes['saml.signing.certificate']] as const] : []),
    ...(isOn(client, 'saml.encrypt') ? [['encryption', attributes['saml.encryption.certificate']] as const] : []),
  ].flatMap(([use, certificate]) => (certificate ? [keyDescriptor(use, certificate)] : []));
  return writeXml({
    'md:EntityDescriptor': {
      ...namespaces,
      '@entityID': clientId,
      '@ID': `ID_${randomUUID()}`,
      'md:SPSSODescriptor': {
        '@protocolSupportEnumeration': protocol,
        '@AuthnRequestsSigned': String(signs),
        '@WantAssertionsSigned': String(isOn(client, 'saml.assertion.signature')),
        ...(keys.length > 0 && { 'md:KeyDescriptor': keys }),
        'md:SingleLogoutService': {
          '@Binding': binding,
          '@Location': address(`saml_single_logout_service_url_${kind}`),
        },
        'md:NameIDFormat': ownMember(nameIdFormats, attributes.saml_name_id_format ?? '') ?? unspecified,
        'md:AssertionConsumerService': {
          '@Binding': binding,
          '@Location': address(`saml_assertion_consumer_url_${kind}`),
          '@isDefault': 'true',
          '@index': '1',
        },
      },
    },
  });
}

/** The realm as an identity provider: SAML 2.0 metadata, section 2.4.3. */
export function idpDescriptor({
  issuer,
  signingKeys,
}: Pick<InstalledClient, 'issuer' | 'signingKeys'>): Promise<string> {
  const address = `${issuer}/protocol/saml`;
  const services = (...bindings: string[]) =>
    bindings.map((binding) => ({ '@Binding': binding, '@Location': address }));
  return writeXml({
    'md:EntityDescriptor': {
      ...namespaces,
      '@entityID': issuer,
      'md:IDPSSODescriptor': {
        '@WantAuthnRequestsSigned': 'true',
        '@protocolSupportEnumeration': protocol,
        'md:KeyDescriptor': signingKeys.map(({ kid, certificate }) => keyDescriptor('signing', certificate, kid)),
        'md:ArtifactResolutionService': { '@Binding': soap, '@Location': `${address}/resolve`, '@index': '0' },
        'md:SingleLogoutService': services(post, redirect, artifact),
        'md:NameIDFormat': [nameIdFormats.persistent, nameIdFormats.transient, unspecified, nameIdFormats.email],
        'md:SingleSignOnService': services(post, redirect, soap, artifact),
      },
    },
  });
}

/**
 * The configuration of the Apache module mod_auth_mellon, as a zip archive. It contains the private key if the caller
 * may see it.
 */
export async function mellonZip(client: InstalledClient): Promise<Uint8Array> {
  const signs = isOn(client, 'saml.client.signature');
  const privateKey = client.attributes['saml.signing.private.key'];
  const certificate = client.attributes['saml.signing.certificate'];
  return zip({
    'idp-metadata.xml': await idpDescriptor(client),
    'sp-metadata.xml': await spDescriptor(client),
    ...(signs && privateKey && { 'client-private-key.pem': privateKeyPem(privateKey) }),
    ...(signs && certificate && { 'client-cert.pem': pem('CERTIFICATE', certificate) }),
  });
}
