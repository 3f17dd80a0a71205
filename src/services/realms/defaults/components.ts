import type { ComponentExportInput } from '../../components/representation.js';

export const registrationPolicyType = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Key providers of a realm whose import has none. Their keys are generated when they are first needed. */
export const defaultKeyProviders: readonly ComponentExportInput[] = [
  { name: 'rsa-generated', providerId: 'rsa-generated', config: { priority: ['100'], keyUse: ['sig'] } },
  { name: 'rsa-enc-generated', providerId: 'rsa-generated', config: { priority: ['100'], keyUse: ['enc'] } },
  { name: 'hmac-generated', providerId: 'hmac-generated', config: { priority: ['100'], algorithm: ['HS256'] } },
  { name: 'aes-generated', providerId: 'aes-generated', config: { priority: ['100'] } },
];

const mapperTypes = [
  'oidc-address-mapper',
  'oidc-full-name-mapper',
  'oidc-sha256-pairwise-sub-mapper',
  'oidc-usermodel-attribute-mapper',
  'oidc-usermodel-property-mapper',
  'saml-role-list-mapper',
  'saml-user-attribute-mapper',
  'saml-user-property-mapper',
];

const forBoth = (subType: string): ComponentExportInput[] => [
  {
    name: 'Allowed Protocol Mapper Types',
    providerId: 'allowed-protocol-mappers',
    subType,
    config: { 'allowed-protocol-mapper-types': mapperTypes },
  },
  {
    name: 'Allowed Client Scopes',
    providerId: 'allowed-client-templates',
    subType,
    config: { 'allow-default-scopes': ['true'] },
  },
];

/** The policies for clients that register themselves, with and without a token. */
export const defaultRegistrationPolicies: readonly ComponentExportInput[] = [
  {
    name: 'Trusted Hosts',
    providerId: 'trusted-hosts',
    subType: 'anonymous',
    config: { 'host-sending-registration-request-must-match': ['true'], 'client-uris-must-match': ['true'] },
  },
  { name: 'Consent Required', providerId: 'consent-required', subType: 'anonymous', config: {} },
  { name: 'Full Scope Disabled', providerId: 'scope', subType: 'anonymous', config: {} },
  { name: 'Max Clients Limit', providerId: 'max-clients', subType: 'anonymous', config: { 'max-clients': ['200'] } },
  ...forBoth('anonymous'),
  ...forBoth('authenticated'),
];
