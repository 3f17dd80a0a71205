import { attributeOf, childrenOf, type Element, textOfChild } from '../core/xml.js';
import { secondsOf } from '../saml/envelope.js';
import { namespaces } from '../saml/names.js';

/** An identity provider that metadata describes. */
export interface DescribedProvider {
  entityId: string;
  /** its element `IDPSSODescriptor` */
  descriptor: Element;
  /** seconds since 1970 until which the description counts; undefined for no end */
  validUntil: number | undefined;
}

/** The identity providers that metadata of SAML describes, at any depth (SAML 2.0 Metadata section 2.3). */
export const describedProviders = (document: Element): DescribedProvider[] => providersIn(document, undefined);

function providersIn(parent: Element, until: number | undefined): DescribedProvider[] {
  const single = childrenOf(parent, 'EntityDescriptor').flatMap((entity) => {
    const descriptor = childrenOf(entity, 'IDPSSODescriptor').find(speaksSaml2);
    if (!descriptor) return [];
    const validUntil = earliest(earliest(until, entity), descriptor);
    return [{ entityId: attributeOf(entity, 'entityID') ?? '', descriptor, validUntil }];
  });
  const grouped = childrenOf(parent, 'EntitiesDescriptor').flatMap((group) =>
    providersIn(group, earliest(until, group)),
  );
  return [...single, ...grouped];
}

/** Whether a descriptor is one of SAML 2.0, or does not say which protocols it is for. */
const speaksSaml2 = (descriptor: Element): boolean =>
  (attributeOf(descriptor, 'protocolSupportEnumeration') ?? namespaces.protocol)
    .split(/\s+/)
    .includes(namespaces.protocol);

/** The earlier one of a time and the end of an element's validity. An end that cannot be read has passed. */
function earliest(until: number | undefined, element: Element): number | undefined {
  const text = attributeOf(element, 'validUntil');
  if (text === undefined) return until;
  return Math.min(until ?? Number.POSITIVE_INFINITY, secondsOf(text) ?? 0);
}

/** Whether a description still counts at a time, in milliseconds since 1970. */
export const isValidAt = ({ validUntil }: Pick<DescribedProvider, 'validUntil'>, now: number): boolean =>
  validUntil === undefined || now < validUntil * 1000;

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings:';

/** The settings for an identity provider that metadata describes (SAML 2.0 Metadata section 2.4.3). `now` is in milliseconds since 1970. */
export function settingsOfProvider(provider: DescribedProvider, now: number): Record<string, string> {
  const { entityId, descriptor } = provider;
  const services = (name: string, binding: string) =>
    childrenOf(descriptor, name)
      .filter((service) => attributeOf(service, 'Binding') === `${bindings}${binding}`)
      .map((service) => attributeOf(service, 'Location') ?? '');
  const [post] = services('SingleSignOnService', 'HTTP-POST');
  const [redirect] = services('SingleSignOnService', 'HTTP-Redirect');
  const isPost = String(post !== undefined);
  const [logout] = services('SingleLogoutService', post === undefined ? 'HTTP-Redirect' : 'HTTP-POST');
  const isSigned = String(attributeOf(descriptor, 'WantAuthnRequestsSigned') === 'true');
  const signing = certificatesOf(descriptor, 'signing').join(',');
  const [encryption] = certificatesOf(descriptor, 'encryption');
  const nameIdFormat = textOfChild(descriptor, 'NameIDFormat');
  const config: Record<string, string | undefined> = {
    idpEntityId: entityId || undefined,
    singleSignOnServiceUrl: post ?? redirect,
    singleLogoutServiceUrl: logout,
    wantAuthnRequestsSigned: isSigned,
    validateSignature: isSigned,
    addExtensionsElementWithKeyInfo: 'false',
    postBindingResponse: isPost,
    postBindingAuthnRequest: isPost,
    postBindingLogout: isPost,
    loginHint: 'false',
    nameIDPolicyFormat: nameIdFormat,
    signingCertificate: signing || undefined,
    encryptionPublicKey: encryption,
    enabledFromMetadata: String(isValidAt(provider, now)),
  };
  return Object.fromEntries(
    Object.entries(config).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The certificates for a use, as base64; a key without a use is for both. */
export function certificatesOf(descriptor: Element, use: 'signing' | 'encryption'): string[] {
  return childrenOf(descriptor, 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? use) === use)
    .flatMap((key) => childrenOf(key, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'X509Data'))
    .map((data) => textOfChild(data, 'X509Certificate')?.replace(/\s/g, ''))
    .filter((text): text is string => text !== undefined);
}
