import type { ClientInput } from '../clients/representation.js';
import { invalid } from '../core/refusal.js';
import { attributeOf, childrenOf, type Element, parseXml } from '../core/xml.js';

const bindings = {
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  artifact: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact',
} as const;

/** Name ID formats (SAML 2.0 core, section 8.3) that clients support, with the value of the attribute. */
const nameIds = new Map([
  ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'email'],
  ['urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified', 'username'],
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:transient', 'transient'],
  ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'persistent'],
]);

const nameFormats = new Map([
  ['urn:oasis:names:tc:SAML:2.0:attrname-format:basic', 'Basic'],
  ['urn:oasis:names:tc:SAML:2.0:attrname-format:uri', 'URI Reference'],
]);

const textIn = (element: Element): string | undefined =>
  typeof element['#text'] === 'string' ? element['#text'] : undefined;

/** The addresses of a service of the provider, for each binding with a client attribute. */
function locationsOf(provider: Element, service: string, attribute: string): Record<string, string> {
  const services = childrenOf(provider, service);
  return Object.fromEntries(
    Object.entries(bindings).flatMap(([name, binding]) => {
      const found = services.find((element) => attributeOf(element, 'Binding') === binding);
      const location = found && attributeOf(found, 'Location');
      return location ? [[`${attribute}_${name}`, location]] : [];
    }),
  );
}

/** The certificates (SAML 2.0 metadata, section 2.4.1.1); one without a use is for signing as well. */
function keysOf(provider: Element): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const descriptor of childrenOf(provider, 'KeyDescriptor')) {
    const [info = {}] = childrenOf(descriptor, 'KeyInfo');
    const [data = {}] = childrenOf(info, 'X509Data');
    const [certificate = {}] = childrenOf(data, 'X509Certificate');
    const text = textIn(certificate)?.replace(/\s/g, '');
    if (!text) continue;
    const use = attributeOf(descriptor, 'use');
    if (use !== 'encryption') {
      attributes['saml.client.signature'] = 'true';
      attributes['saml.signing.certificate'] = text;
    }
    if (use !== 'signing') {
      attributes['saml.encryption.certificate'] = text;
      if (use === 'encryption') attributes['saml.encrypt'] = 'true';
    }
  }
  return attributes;
}

function nameIdOf(provider: Element): Record<string, string> {
  for (const format of childrenOf(provider, 'NameIDFormat')) {
    const name = nameIds.get(textIn(format) ?? '');
    if (name) return { saml_name_id_format: name };
  }
  return {};
}

/** A mapper for each attribute that the provider requests (SAML 2.0 metadata, section 2.4.4.2). */
const mappersOf = (provider: Element): NonNullable<ClientInput['protocolMappers']> =>
  childrenOf(provider, 'AttributeConsumingService')
    .flatMap((service) => childrenOf(service, 'RequestedAttribute'))
    .flatMap((requested) => {
      const name = attributeOf(requested, 'Name');
      if (name === undefined) return [];
      const friendly = attributeOf(requested, 'FriendlyName');
      const config: Record<string, string> = {
        'attribute.name': name,
        'attribute.nameformat': nameFormats.get(attributeOf(requested, 'NameFormat') ?? '') ?? 'Unspecified',
        'user.attribute': friendly ?? name,
        ...(friendly !== undefined && { 'friendly.name': friendly }),
      };
      return [{ name: friendly ?? name, protocol: 'saml', protocolMapper: 'saml-user-attribute-mapper', config }];
    });

/** A client in the form of the contract, out of the metadata of a SAML service provider. Throws `invalid`. */
export async function clientOfSamlMetadata(text: string, field: string): Promise<ClientInput> {
  const document = await parseXml(text, field);
  const [several] = childrenOf(document, 'EntitiesDescriptor');
  const [entity] = childrenOf(several ?? document, 'EntityDescriptor');
  const [provider] = entity ? childrenOf(entity, 'SPSSODescriptor') : [];
  const entityId = entity && attributeOf(entity, 'entityID');
  if (!provider || !entityId) throw invalid('The document must be the metadata of a SAML service provider', field);
  const consumers = childrenOf(provider, 'AssertionConsumerService');
  const redirectUris = consumers.flatMap((consumer) => attributeOf(consumer, 'Location') ?? []);
  return {
    clientId: entityId,
    protocol: 'saml',
    fullScopeAllowed: true,
    redirectUris: [...new Set(redirectUris)],
    attributes: {
      'saml.server.signature': 'true',
      'saml.server.signature.keyinfo.ext': 'false',
      'saml.signature.algorithm': 'RSA_SHA256',
      'saml.authnstatement': 'true',
      ...(attributeOf(provider, 'WantAssertionsSigned') === 'true' && { 'saml.assertion.signature': 'true' }),
      ...locationsOf(provider, 'SingleLogoutService', 'saml_single_logout_service_url'),
      ...locationsOf(provider, 'AssertionConsumerService', 'saml_assertion_consumer_url'),
      ...nameIdOf(provider),
      ...keysOf(provider),
    },
    protocolMappers: mappersOf(provider),
  };
}
