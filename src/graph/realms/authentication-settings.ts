import type { Row } from './setting-kinds.js';

/** Lifespans and signatures of tokens and codes. */
export const tokens: readonly Row[] = [
  ['accessTokenLifespan', 'accessTokenLifespan', 'seconds', 'Seconds until an access token expires. Default 300.'],
  [
    'implicitAccessTokenLifespan',
    'accessTokenLifespanForImplicitFlow',
    'seconds',
    'Seconds until an access token issued by the implicit flow expires. Default 900.',
  ],
  [
    'authorizationCodeLifespan',
    'accessCodeLifespan',
    'seconds',
    'Seconds until an authorization code expires. Default 60.',
  ],
  [
    'loginTimeout',
    'accessCodeLifespanLogin',
    'seconds',
    'Seconds within which a user must complete a login. Default 1800.',
  ],
  [
    'loginActionTimeout',
    'accessCodeLifespanUserAction',
    'seconds',
    'Seconds within which a user must complete an action during login, such as updating the password. Default 300.',
  ],
  [
    'adminActionLifespan',
    'actionTokenGeneratedByAdminLifespan',
    'seconds',
    'Seconds until an action link sent by an administrator expires. Default 43200.',
  ],
  [
    'userActionLifespan',
    'actionTokenGeneratedByUserLifespan',
    'seconds',
    'Seconds until an action link requested by a user expires. Default 300.',
  ],
  ['deviceCodeLifespan', 'oauth2DeviceCodeLifespan', 'seconds', 'Seconds until a device code expires. Default 600.'],
  [
    'devicePollingInterval',
    'oauth2DevicePollingInterval',
    'seconds',
    'Minimum seconds between two polling requests of a device. Default 5.',
  ],
  [
    'revokesRefreshTokens',
    'revokeRefreshToken',
    'flag',
    'Whether a refresh token can be used only `refreshTokenMaxReuse` more times after its first use. Default false.',
  ],
  [
    'refreshTokenMaxReuse',
    'refreshTokenMaxReuse',
    'count',
    'How many times a refresh token can be reused. Default 0. Applies only if `revokesRefreshTokens`.',
  ],
  [
    'signatureAlgorithm',
    'defaultSignatureAlgorithm',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of tokens, unless the client sets its own. Default `RS256`.',
  ],
  [
    'notBefore',
    'notBefore',
    'instant',
    'Tokens issued before this time are rejected. Precision: one second. Null: no limit.',
  ],
];

/** When sessions end. */
export const sessions: readonly Row[] = [
  ['idleTimeout', 'ssoSessionIdleTimeout', 'seconds', 'Seconds until an unused session ends. Default 1800.'],
  [
    'maxLifespan',
    'ssoSessionMaxLifespan',
    'seconds',
    'Seconds until a session ends even if it is used. Default 36000.',
  ],
  [
    'rememberMeIdleTimeout',
    'ssoSessionIdleTimeoutRememberMe',
    'seconds',
    'Seconds until an unused session with "remember me" ends. 0 (default): as `idleTimeout`.',
  ],
  [
    'rememberMeMaxLifespan',
    'ssoSessionMaxLifespanRememberMe',
    'seconds',
    'Seconds until a session with "remember me" ends even if it is used. 0 (default): as `maxLifespan`.',
  ],
  [
    'offlineIdleTimeout',
    'offlineSessionIdleTimeout',
    'seconds',
    'Seconds until an unused offline session ends. Default 2592000 (30 days).',
  ],
  [
    'isOfflineMaxLifespanEnabled',
    'offlineSessionMaxLifespanEnabled',
    'flag',
    'Whether offline sessions end after `offlineMaxLifespan`. Default false.',
  ],
  [
    'offlineMaxLifespan',
    'offlineSessionMaxLifespan',
    'seconds',
    'Seconds until an offline session ends even if it is used. Default 5184000 (60 days). Applies only if `isOfflineMaxLifespanEnabled`.',
  ],
  [
    'clientIdleTimeout',
    'clientSessionIdleTimeout',
    'seconds',
    'Seconds until an unused client session ends. 0 (default): as `idleTimeout`.',
  ],
  [
    'clientMaxLifespan',
    'clientSessionMaxLifespan',
    'seconds',
    'Seconds until a client session ends even if it is used. 0 (default): as `maxLifespan`.',
  ],
  [
    'clientOfflineIdleTimeout',
    'clientOfflineSessionIdleTimeout',
    'seconds',
    'Seconds until an unused offline client session ends. 0 (default): as `offlineIdleTimeout`.',
  ],
  [
    'clientOfflineMaxLifespan',
    'clientOfflineSessionMaxLifespan',
    'seconds',
    'Seconds until an offline client session ends even if it is used. 0 (default): as `offlineMaxLifespan`.',
  ],
];

/** Protection against guessed passwords. */
export const bruteForce: readonly Row[] = [
  ['isEnabled', 'bruteForceProtected', 'flag', 'Whether brute-force detection counts failed logins. Default false.'],
  [
    'isLockoutPermanent',
    'permanentLockout',
    'flag',
    'Whether a user is locked until an administrator unlocks it, rather than temporarily. Default false.',
  ],
  ['maxFailures', 'failureFactor', 'count', 'Number of failed logins after which a user is locked. Default 30.'],
  [
    'waitIncrement',
    'waitIncrementSeconds',
    'seconds',
    'Seconds by which the lock time grows each time the user is locked. Default 60.',
  ],
  ['maxWait', 'maxFailureWaitSeconds', 'seconds', 'Maximum lock time in seconds. Default 900.'],
  [
    'failureResetTime',
    'maxDeltaTimeSeconds',
    'seconds',
    'Seconds without a failed login after which the counter is reset. Default 43200.',
  ],
  [
    'quickLoginCheck',
    'quickLoginCheckMilliSeconds',
    'milliseconds',
    'Two failed logins within this many milliseconds lock the user at once. Default 1000.',
  ],
  [
    'quickLoginWait',
    'minimumQuickLoginWaitSeconds',
    'seconds',
    'Seconds for which a user is locked after two quick failed logins. Default 60.',
  ],
];

/** The policy for one-time codes. */
export const otpPolicy: readonly Row[] = [
  [
    'type',
    'otpPolicyType',
    { choice: 'OtpType' },
    'Whether one-time passwords are time-based or counter-based. Default `TOTP`.',
  ],
  [
    'algorithm',
    'otpPolicyAlgorithm',
    { choice: 'OtpAlgorithm' },
    'Hash algorithm of one-time passwords. Default `SHA1`.',
  ],
  [
    'digits',
    'otpPolicyDigits',
    'count',
    'Number of digits of a one-time password, from 6 to 8. Default 6.',
    { least: 6, most: 8 },
  ],
  [
    'period',
    'otpPolicyPeriod',
    'seconds',
    'Seconds for which a time-based one-time password is displayed, at least 1. Default 30.',
    { least: 1 },
  ],
  [
    'initialCounter',
    'otpPolicyInitialCounter',
    'count',
    'Initial counter of counter-based one-time passwords. Default 0.',
  ],
  [
    'lookAheadWindow',
    'otpPolicyLookAheadWindow',
    'count',
    'Number of adjacent periods or counters in which a one-time password is also accepted. Default 1.',
  ],
];

const webAuthnFields = [
  [
    'relyingPartyName',
    'RpEntityName',
    'text',
    'Name of the relying party, displayed by authenticators. Default `keycloak`.',
  ],
  [
    'relyingPartyId',
    'RpId',
    'text',
    'ID of the relying party: the domain that credentials are bound to. Null: the host of the server URL.',
  ],
  [
    'signatureAlgorithms',
    'SignatureAlgorithms',
    { choices: 'WebAuthnSignatureAlgorithm' },
    'Allowed signature algorithms. Default `ES256`.',
  ],
  [
    'attestationConveyance',
    'AttestationConveyancePreference',
    { choice: 'AttestationConveyance' },
    'Preference for attestation: how an authenticator proves its model.',
  ],
  [
    'authenticatorAttachment',
    'AuthenticatorAttachment',
    { choice: 'AuthenticatorAttachment' },
    'Allowed location of the authenticator: built in or removable.',
  ],
  [
    'residentKey',
    'RequireResidentKey',
    { choice: 'ResidentKey' },
    'Whether the credential must be stored on the authenticator (resident key).',
  ],
  [
    'userVerification',
    'UserVerificationRequirement',
    { choice: 'UserVerification' },
    'Whether the authenticator must verify the user, e.g. by PIN or fingerprint.',
  ],
  [
    'createTimeout',
    'CreateTimeout',
    'seconds',
    'Seconds within which a credential must be registered. 0 (default): the limit of the browser.',
  ],
  [
    'avoidsSameAuthenticator',
    'AvoidSameAuthenticatorRegister',
    'flag',
    'Whether an authenticator can be registered only once per user. Default false.',
  ],
  [
    'acceptableAaguids',
    'AcceptableAaguids',
    'texts',
    'AAGUIDs of the allowed authenticator models. Empty (default): all models.',
  ],
] as const;

/** Security keys; the policies for the second factor and for logins without a password have the same form. */
export const webAuthn = (prefix: 'webAuthnPolicy' | 'webAuthnPolicyPasswordless'): Row[] =>
  webAuthnFields.map(([name, end, kind, description]) => [name, `${prefix}${end}`, kind, description]);
