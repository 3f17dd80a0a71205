import {
  AuthenticationFlowRepresentation,
  AuthenticatorConfigRepresentation,
  RequiredActionProviderRepresentation,
} from '../authentication/representation.js';
import { ClientPoliciesRepresentation, ClientProfilesRepresentation } from '../client-policies/representation.js';
import { ClientScopeRepresentation, ProtocolMapperRepresentation } from '../client-scopes/representation.js';
import { ClientRepresentation } from '../clients/representation.js';
import { ComponentExportRepresentation } from '../components/representation.js';
import {
  flag,
  type Input,
  idText,
  ignored,
  int,
  list,
  long,
  longMap,
  map,
  mapUpTo,
  older,
  record,
  representation,
  shortText,
  shortTexts,
  text,
  texts,
} from '../core/shape.js';
import { GroupRepresentation } from '../groups/representation.js';
import {
  IdentityProviderMapperRepresentation,
  IdentityProviderRepresentation,
} from '../identity-providers/representation.js';
import { RoleRepresentation, RolesRepresentation } from '../roles/representation.js';
import { UserRepresentation } from '../users/representation.js';
import { WebhookExportRepresentation } from '../webhooks/representation.js';
import {
  ApplicationRepresentation,
  ClientTemplateRepresentation,
  OAuthClientRepresentation,
  ScopeMappingRepresentation,
  UserFederationMapperRepresentation,
  UserFederationProviderRepresentation,
} from './nested-representations.js';

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

const sslRequirements = ['all', 'external', 'none'];

/** The origins of requests for which plain HTTP is refused, in upper or lower case. */
const sslRequired = shortText.refine(
  (value) => sslRequirements.includes(value.toLowerCase()),
  `Must be one of ${sslRequirements.join(', ')}`,
);

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
  sslRequired,
  userManagedAccessAllowed: flag,
  verifyEmail: flag,
};

const appearance = {
  accountTheme: shortText,
  adminTheme: shortText,
  defaultLocale: shortText,
  displayNameHtml: text,
  emailTheme: shortText,
  internationalizationEnabled: flag,
  loginTheme: shortText,
  supportedLocales: shortTexts,
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
  adminEventsExpiration: long,
  enabledEventTypes: texts,
  eventsEnabled: flag,
  eventsExpiration: long,
  eventsListeners: texts,
};

/** The fields of the column `settings`, under their names in the contract. */
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
  smtpServer: mapUpTo(255),
};

/** RealmRepresentation of the contract in the form of an import: with everything that belongs to the realm. */
const olderFields = {
  applications: older(list(ApplicationRepresentation)),
  oauthClients: older(list(OAuthClientRepresentation)),
  applicationScopeMappings: older(record(list(ScopeMappingRepresentation))),
  clientTemplates: older(list(ClientTemplateRepresentation)),
  userFederationProviders: older(list(UserFederationProviderRepresentation)),
  userFederationMappers: older(list(UserFederationMapperRepresentation)),
  privateKey: older(text),
  certificate: older(text),
  publicKey: older(text),
  codeSecret: ignored,
  social: ignored,
  socialProviders: ignored,
  passwordCredentialGrantAllowed: ignored,
  updateProfileOnInitialSocialLogin: ignored,
};

export const RealmRepresentation = representation('RealmRepresentation', {
  ...settingFields,
  id: idText,
  realm: shortText,
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
  authenticationFlows: list(AuthenticationFlowRepresentation),
  authenticatorConfig: list(AuthenticatorConfigRepresentation),
  requiredActions: list(RequiredActionProviderRepresentation),
  localizationTexts: record(longMap),
  ...olderFields,
  // not in the contract; only files of this server have it
  webhooks: list(WebhookExportRepresentation),
});
export type RealmInput = Input<typeof RealmRepresentation>;

/** The content of a realm's column `settings`. */
export type RealmSettings = Pick<RealmInput, keyof typeof settingFields>;
