import {
  AuthenticationFlowRepresentation,
  AuthenticatorConfigRepresentation,
  RequiredActionProviderRepresentation,
} from '../authentication/representation.js';
import { ClientPoliciesRepresentation, ClientProfilesRepresentation } from '../client-policies/representation.js';
import { ClientScopeRepresentation, ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import { ClientRepresentation } from '../clients/representation.js';
import { ComponentExportRepresentation } from '../components/representation.js';
import { flag, type Input, int, list, long, map, record, representation, text, texts } from '../core/shape.js';
import { GroupRepresentation } from '../groups/representation.js';
import {
  IdentityProviderMapperRepresentation,
  IdentityProviderRepresentation,
} from '../identity-providers/representation.js';
import { RoleRepresentation, RolesRepresentation } from '../roles/representation.js';
import { UserRepresentation } from '../users/representation.js';
import { WebhookExportRepresentation } from '../webhooks/representation.js';
import {
  ScopeMappingRepresentation,
  UserFederationMapperRepresentation,
  UserFederationProviderRepresentation,
} from './nested.js';

const lifespans = {
  accessCodeLifespan: int,
  accessCodeLifespanLogin: int,
  accessCodeLifespanUserAction: int,
  accessTokenLifespan: int,
  accessTokenLifespanForImplicitFlow: int,
  actionTokenGeneratedByAdminLifespan: int,
  actionTokenGeneratedByUserLifespan: int,
  clientOfflineSessionIdleTimeout: int,
  clientOfflineSessionMaxLifespan: int,
  clientSessionIdleTimeout: int,
  clientSessionMaxLifespan: int,
  oauth2DeviceCodeLifespan: int,
  oauth2DevicePollingInterval: int,
  offlineSessionIdleTimeout: int,
  offlineSessionMaxLifespan: int,
  offlineSessionMaxLifespanEnabled: flag,
  refreshTokenMaxReuse: int,
  revokeRefreshToken: flag,
  ssoSessionIdleTimeout: int,
  ssoSessionIdleTimeoutRememberMe: int,
  ssoSessionMaxLifespan: int,
  ssoSessionMaxLifespanRememberMe: int,
};

const bruteForce = {
  bruteForceProtected: flag,
  failureFactor: int,
  maxDeltaTimeSeconds: int,
  maxFailureWaitSeconds: int,
  minimumQuickLoginWaitSeconds: int,
  permanentLockout: flag,
  quickLoginCheckMilliSeconds: long,
  waitIncrementSeconds: int,
};

const otpPolicy = {
  otpPolicyAlgorithm: text,
  otpPolicyDigits: int,
  otpPolicyInitialCounter: int,
  otpPolicyLookAheadWindow: int,
  otpPolicyPeriod: int,
  otpPolicyType: text,
};

const webAuthnPolicies = {
  webAuthnPolicyAcceptableAaguids: texts,
  webAuthnPolicyAttestationConveyancePreference: text,
  webAuthnPolicyAuthenticatorAttachment: text,
  webAuthnPolicyAvoidSameAuthenticatorRegister: flag,
  webAuthnPolicyCreateTimeout: int,
  webAuthnPolicyRequireResidentKey: text,
  webAuthnPolicyRpEntityName: text,
  webAuthnPolicyRpId: text,
  webAuthnPolicySignatureAlgorithms: texts,
  webAuthnPolicyUserVerificationRequirement: text,
  webAuthnPolicyPasswordlessAcceptableAaguids: texts,
  webAuthnPolicyPasswordlessAttestationConveyancePreference: text,
  webAuthnPolicyPasswordlessAuthenticatorAttachment: text,
  webAuthnPolicyPasswordlessAvoidSameAuthenticatorRegister: flag,
  webAuthnPolicyPasswordlessCreateTimeout: int,
  webAuthnPolicyPasswordlessRequireResidentKey: text,
  webAuthnPolicyPasswordlessRpEntityName: text,
  webAuthnPolicyPasswordlessRpId: text,
  webAuthnPolicyPasswordlessSignatureAlgorithms: texts,
  webAuthnPolicyPasswordlessUserVerificationRequirement: text,
};

const login = {
  duplicateEmailsAllowed: flag,
  editUsernameAllowed: flag,
  loginWithEmailAllowed: flag,
  passwordPolicy: text,
  registrationAllowed: flag,
  registrationEmailAsUsername: flag,
  rememberMe: flag,
  requiredCredentials: texts,
  resetPasswordAllowed: flag,
  sslRequired: text,
  userManagedAccessAllowed: flag,
  verifyEmail: flag,
};

const appearance = {
  accountTheme: text,
  adminTheme: text,
  defaultLocale: text,
  displayNameHtml: text,
  emailTheme: text,
  internationalizationEnabled: flag,
  loginTheme: text,
  supportedLocales: texts,
};

const flowBindings = {
  browserFlow: text,
  clientAuthenticationFlow: text,
  directGrantFlow: text,
  dockerAuthenticationFlow: text,
  registrationFlow: text,
  resetCredentialsFlow: text,
};

const events = {
  adminEventsDetailsEnabled: flag,
  adminEventsEnabled: flag,
  enabledEventTypes: texts,
  eventsEnabled: flag,
  eventsExpiration: long,
  eventsListeners: texts,
};

/** The fields that the column `settings` of a realm holds under the names they have on the wire. */
export const settingFields = {
  ...lifespans,
  ...bruteForce,
  ...otpPolicy,
  ...webAuthnPolicies,
  ...login,
  ...appearance,
  ...flowBindings,
  ...events,
  browserSecurityHeaders: map,
  clientPolicies: ClientPoliciesRepresentation,
  clientProfiles: ClientProfilesRepresentation,
  defaultSignatureAlgorithm: text,
  notBefore: int,
  smtpServer: map,
};

/** RealmRepresentation of the contract, as an import may bring it: with everything that belongs to the realm. */
export const RealmRepresentation = representation('RealmRepresentation', {
  ...settingFields,
  id: text,
  realm: text,
  enabled: flag,
  displayName: text,
  attributes: map,
  // Answered under `oauth2…` and `keycloakVersion`; the documents spell them so.
  oAuth2DeviceCodeLifespan: int,
  oAuth2DevicePollingInterval: int,
  serviceVersion: text,
  keycloakVersion: text,
  otpSupportedApplications: texts,
  roles: RolesRepresentation,
  defaultRole: RoleRepresentation,
  defaultRoles: texts,
  groups: list(GroupRepresentation),
  defaultGroups: texts,
  users: list(UserRepresentation),
  federatedUsers: list(UserRepresentation),
  clients: list(ClientRepresentation),
  clientScopes: list(ClientScopeRepresentation),
  defaultDefaultClientScopes: texts,
  defaultOptionalClientScopes: texts,
  scopeMappings: list(ScopeMappingRepresentation),
  clientScopeMappings: record(list(ScopeMappingRepresentation)),
  protocolMappers: list(ProtocolMapperRepresentation),
  identityProviders: list(IdentityProviderRepresentation),
  identityProviderMappers: list(IdentityProviderMapperRepresentation),
  components: record(list(ComponentExportRepresentation)),
  userFederationProviders: list(UserFederationProviderRepresentation),
  userFederationMappers: list(UserFederationMapperRepresentation),
  authenticationFlows: list(AuthenticationFlowRepresentation),
  authenticatorConfig: list(AuthenticatorConfigRepresentation),
  requiredActions: list(RequiredActionProviderRepresentation),
  localizationTexts: record(map),
  // not in the contract; only the files of this server have it
  webhooks: list(WebhookExportRepresentation),
});
export type RealmInput = Input<typeof RealmRepresentation>;

/** The content of a realm's column `settings`. */
export type RealmSettings = Pick<RealmInput, keyof typeof settingFields>;
