import { ownMember } from './json.js';

/**
 * Fields of Keycloak 16 to 26 that mean nothing here, by the names of their representations. They are ignored, and the header
 * `X-Ignored-Fields` names them. Newer fields with a meaning are declared in the representation.
 */
export const newerFields: Readonly<Record<string, readonly string[]>> = {
  AggregatePolicyRepresentation: ['resourceType'],
  AuthenticationExecutionInfoRepresentation: ['priority'],
  AuthorizationClientPolicyRepresentation: ['resourceType'],
  CertificateRepresentation: ['jwks'],
  ClientInitialAccessCreatePresentation: ['webOrigins'],
  ClientPoliciesRepresentation: ['globalPolicies'],
  ClientPolicyRepresentation: ['mode'],
  ClientRepresentation: ['type'],
  ClientScopePolicyRepresentation: ['resourceType'],
  CredentialRepresentation: ['federationLink'],
  GroupPolicyRepresentation: ['resourceType'],
  GroupRepresentation: ['description'],
  IdentityProviderRepresentation: ['organizationId', 'types'],
  JsPolicyRepresentation: ['resourceType'],
  KeyStoreConfig: ['keySize', 'validity'],
  PartialImportRepresentation: ['identityProviderMappers'],
  PolicyRepresentation: ['resourceType'],
  RealmRepresentation: [
    'adminPermissionsClient',
    'adminPermissionsEnabled',
    'bruteForceStrategy',
    'firstBrokerLoginFlow',
    'maxSecondaryAuthFailures',
    'maxTemporaryLockouts',
    'organizations',
    'organizationsEnabled',
    'otpPolicyCodeReusable',
    'scimApiEnabled',
    'verifiableCredentialsEnabled',
    'webAuthnPolicyExtraOrigins',
    'webAuthnPolicyPasswordlessExtraOrigins',
    'webAuthnPolicyPasswordlessMediation',
    'webAuthnPolicyPasswordlessPasskeysEnabled',
    'webAuthnPolicyPasswordlessResidentKey',
    'webAuthnPolicyResidentKey',
  ],
  RegexPolicyRepresentation: ['resourceType', 'targetContextAttributes'],
  ResourceServerRepresentation: ['authorizationSchema'],
  RolePolicyRepresentation: ['resourceType'],
  TimePolicyRepresentation: ['resourceType'],
  UmaPermissionRepresentation: ['resourceType'],
  UserPolicyRepresentation: ['resourceType'],
  UserRepresentation: ['issuedVerifiableCredentials', 'userProfileMetadata', 'verifiableCredentials'],
};

/** Whether a newer version than 15 has this field in the representation, and it means nothing here. */
export const isNewerField = (representation: string, field: string): boolean =>
  ownMember(newerFields, representation)?.includes(field) ?? false;
