import type { RealmSettings } from '../representation.js';

/** Headers that every page for browsers of a new realm carries. */
export const browserSecurityHeaders: Readonly<Record<string, string>> = {
  contentSecurityPolicyReportOnly: '',
  xContentTypeOptions: 'nosniff',
  xRobotsTag: 'none',
  xFrameOptions: 'SAMEORIGIN',
  contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
  xXSSProtection: '1; mode=block',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
};

export const otpPolicy = {
  otpPolicyType: 'totp',
  otpPolicyAlgorithm: 'HmacSHA1',
  otpPolicyInitialCounter: 0,
  otpPolicyDigits: 6,
  otpPolicyLookAheadWindow: 1,
  otpPolicyPeriod: 30,
} as const satisfies RealmSettings;

export const webAuthnPolicies = {
  webAuthnPolicyRpEntityName: 'keycloak',
  webAuthnPolicySignatureAlgorithms: ['ES256'],
  webAuthnPolicyRpId: '',
  webAuthnPolicyAttestationConveyancePreference: 'not specified',
  webAuthnPolicyAuthenticatorAttachment: 'not specified',
  webAuthnPolicyRequireResidentKey: 'not specified',
  webAuthnPolicyUserVerificationRequirement: 'not specified',
  webAuthnPolicyCreateTimeout: 0,
  webAuthnPolicyAvoidSameAuthenticatorRegister: false,
  webAuthnPolicyAcceptableAaguids: [],
  webAuthnPolicyPasswordlessRpEntityName: 'keycloak',
  webAuthnPolicyPasswordlessSignatureAlgorithms: ['ES256'],
  webAuthnPolicyPasswordlessRpId: '',
  webAuthnPolicyPasswordlessAttestationConveyancePreference: 'not specified',
  webAuthnPolicyPasswordlessAuthenticatorAttachment: 'not specified',
  webAuthnPolicyPasswordlessRequireResidentKey: 'not specified',
  webAuthnPolicyPasswordlessUserVerificationRequirement: 'not specified',
  webAuthnPolicyPasswordlessCreateTimeout: 0,
  webAuthnPolicyPasswordlessAvoidSameAuthenticatorRegister: false,
  webAuthnPolicyPasswordlessAcceptableAaguids: [],
} satisfies RealmSettings;

/** Field of the representation that binds a use to a flow, and the built-in flow it is bound to at first. */
export const flowBindings = {
  browserFlow: 'browser',
  registrationFlow: 'registration',
  directGrantFlow: 'direct grant',
  resetCredentialsFlow: 'reset credentials',
  clientAuthenticationFlow: 'clients',
  dockerAuthenticationFlow: 'docker auth',
} as const satisfies RealmSettings;
export type FlowBinding = keyof typeof flowBindings;

/** The initial content of the column `settings`. */
export const realmSettings = {
  notBefore: 0,
  defaultSignatureAlgorithm: 'RS256',
  revokeRefreshToken: false,
  refreshTokenMaxReuse: 0,
  accessTokenLifespan: 300,
  accessTokenLifespanForImplicitFlow: 900,
  ssoSessionIdleTimeout: 1800,
  ssoSessionMaxLifespan: 36_000,
  ssoSessionIdleTimeoutRememberMe: 0,
  ssoSessionMaxLifespanRememberMe: 0,
  offlineSessionIdleTimeout: 2_592_000,
  offlineSessionMaxLifespanEnabled: false,
  offlineSessionMaxLifespan: 5_184_000,
  clientSessionIdleTimeout: 0,
  clientSessionMaxLifespan: 0,
  clientOfflineSessionIdleTimeout: 0,
  clientOfflineSessionMaxLifespan: 0,
  accessCodeLifespan: 60,
  accessCodeLifespanUserAction: 300,
  accessCodeLifespanLogin: 1800,
  actionTokenGeneratedByAdminLifespan: 43_200,
  actionTokenGeneratedByUserLifespan: 300,
  oauth2DeviceCodeLifespan: 600,
  oauth2DevicePollingInterval: 5,
  sslRequired: 'external',
  registrationAllowed: false,
  registrationEmailAsUsername: false,
  rememberMe: false,
  verifyEmail: false,
  loginWithEmailAllowed: true,
  duplicateEmailsAllowed: false,
  resetPasswordAllowed: false,
  editUsernameAllowed: false,
  userManagedAccessAllowed: false,
  requiredCredentials: ['password'],
  bruteForceProtected: false,
  permanentLockout: false,
  maxFailureWaitSeconds: 900,
  minimumQuickLoginWaitSeconds: 60,
  waitIncrementSeconds: 60,
  quickLoginCheckMilliSeconds: 1000,
  maxDeltaTimeSeconds: 43_200,
  failureFactor: 30,
  ...otpPolicy,
  ...webAuthnPolicies,
  ...flowBindings,
  browserSecurityHeaders,
  smtpServer: {},
  eventsEnabled: false,
  eventsListeners: ['jboss-logging'],
  enabledEventTypes: [],
  adminEventsEnabled: false,
  adminEventsDetailsEnabled: false,
  internationalizationEnabled: false,
  supportedLocales: [],
  clientProfiles: { profiles: [] },
  clientPolicies: { policies: [] },
} satisfies RealmSettings;

/** Attributes that every realm has; two of them mirror a setting with that name. */
export const realmAttributes: Readonly<Record<string, string>> = {
  cibaBackchannelTokenDeliveryMode: 'poll',
  cibaExpiresIn: '120',
  cibaInterval: '5',
  cibaAuthRequestedUserHint: 'login_hint',
  parRequestUriLifespan: '60',
  oauth2DeviceCodeLifespan: '600',
  oauth2DevicePollingInterval: '5',
};

/**
 * The values to which some settings are reset. The reference server stores these settings among the attributes of a
 * realm, and loses them when an update sends attributes.
 */
export const settingsLostWithAttributes = {
  displayNameHtml: undefined,
  browserSecurityHeaders: {},
  bruteForceProtected: false,
  permanentLockout: false,
  maxFailureWaitSeconds: 0,
  minimumQuickLoginWaitSeconds: 0,
  waitIncrementSeconds: 0,
  quickLoginCheckMilliSeconds: 0,
  maxDeltaTimeSeconds: 0,
  failureFactor: 0,
  defaultSignatureAlgorithm: undefined,
  offlineSessionMaxLifespanEnabled: false,
  offlineSessionMaxLifespan: 5_184_000,
  clientSessionIdleTimeout: 0,
  clientSessionMaxLifespan: 0,
  clientOfflineSessionIdleTimeout: 0,
  clientOfflineSessionMaxLifespan: 0,
  actionTokenGeneratedByAdminLifespan: 43_200,
  actionTokenGeneratedByUserLifespan: 300,
  oauth2DeviceCodeLifespan: 600,
  oauth2DevicePollingInterval: 5,
} satisfies RealmSettings;
