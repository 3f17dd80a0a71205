import type { RealmSettings } from '../../services/realms/representation.js';
import type { Choice } from './choices.js';

/** How a setting looks here, and how it is written on the wire. */
export type SettingKind =
  | 'flag'
  | 'count'
  | 'seconds'
  | 'milliseconds'
  | 'instant'
  | 'text'
  | 'texts'
  | 'secret'
  | { choice: Choice }
  | { choices: Choice };

/** Name here, name on the wire, kind and description of a setting. */
export type Row = readonly [name: string, wire: keyof RealmSettings, kind: SettingKind, description: string];
/** The same for a key of a map of texts. */
export type KeyRow = readonly [name: string, key: string, kind: SettingKind, description: string];

/** Lifespans and signatures of tokens and codes. */
export const tokens: readonly Row[] = [
  ['accessTokenLifespan', 'accessTokenLifespan', 'seconds', 'How long an access token is good.'],
  ['implicitAccessTokenLifespan', 'accessTokenLifespanForImplicitFlow', 'seconds', 'The same, from the implicit flow.'],
  ['authorizationCodeLifespan', 'accessCodeLifespan', 'seconds', 'How long a client may take to redeem a code.'],
  ['loginTimeout', 'accessCodeLifespanLogin', 'seconds', 'How long a user may take to log in.'],
  ['loginActionTimeout', 'accessCodeLifespanUserAction', 'seconds', 'How long a user may take for an action at login.'],
  [
    'adminActionLifespan',
    'actionTokenGeneratedByAdminLifespan',
    'seconds',
    'How long a link sent by an administrator works.',
  ],
  [
    'userActionLifespan',
    'actionTokenGeneratedByUserLifespan',
    'seconds',
    'How long a link works that a user asked for.',
  ],
  ['deviceCodeLifespan', 'oauth2DeviceCodeLifespan', 'seconds', 'How long the code of a device is good.'],
  ['devicePollingInterval', 'oauth2DevicePollingInterval', 'seconds', 'How long a device waits between two tries.'],
  ['revokeRefreshToken', 'revokeRefreshToken', 'flag', 'Whether refresh tokens can be used up.'],
  ['refreshTokenMaxReuse', 'refreshTokenMaxReuse', 'count', 'How often a refresh token can be used again, if so.'],
  [
    'signatureAlgorithm',
    'defaultSignatureAlgorithm',
    { choice: 'SignatureAlgorithm' },
    'What signs tokens unless a client says otherwise.',
  ],
  ['notBefore', 'notBefore', 'instant', 'Tokens issued earlier are refused. To the second.'],
];

/** When sessions end. */
export const sessions: readonly Row[] = [
  ['idleTimeout', 'ssoSessionIdleTimeout', 'seconds', 'When an unused session ends.'],
  ['maxLifespan', 'ssoSessionMaxLifespan', 'seconds', 'When a session ends in any case.'],
  [
    'rememberMeIdleTimeout',
    'ssoSessionIdleTimeoutRememberMe',
    'seconds',
    'idleTimeout of users who want to be remembered; 0 for the same.',
  ],
  [
    'rememberMeMaxLifespan',
    'ssoSessionMaxLifespanRememberMe',
    'seconds',
    'maxLifespan of users who want to be remembered; 0 for the same.',
  ],
  ['offlineIdleTimeout', 'offlineSessionIdleTimeout', 'seconds', 'When an unused offline session ends.'],
  [
    'offlineMaxLifespanEnabled',
    'offlineSessionMaxLifespanEnabled',
    'flag',
    'Whether offline sessions end in any case.',
  ],
  ['offlineMaxLifespan', 'offlineSessionMaxLifespan', 'seconds', 'When they do.'],
  [
    'clientIdleTimeout',
    'clientSessionIdleTimeout',
    'seconds',
    'When the session of one client ends, unused; 0 for idleTimeout.',
  ],
  ['clientMaxLifespan', 'clientSessionMaxLifespan', 'seconds', 'When it ends in any case; 0 for maxLifespan.'],
  [
    'clientOfflineIdleTimeout',
    'clientOfflineSessionIdleTimeout',
    'seconds',
    'When the offline session of one client ends, unused; 0 for offlineIdleTimeout.',
  ],
  [
    'clientOfflineMaxLifespan',
    'clientOfflineSessionMaxLifespan',
    'seconds',
    'When it ends in any case; 0 for offlineMaxLifespan.',
  ],
];

/** Protection against guessed passwords. */
export const bruteForce: readonly Row[] = [
  ['enabled', 'bruteForceProtected', 'flag', 'Whether failed logins are counted.'],
  ['permanentLockout', 'permanentLockout', 'flag', 'Whether a user is locked for good, rather than for a while.'],
  ['maxFailures', 'failureFactor', 'count', 'How many failed logins lock a user.'],
  ['waitIncrement', 'waitIncrementSeconds', 'seconds', 'How much longer a user is locked each time.'],
  ['maxWait', 'maxFailureWaitSeconds', 'seconds', 'How long a user is locked at most.'],
  ['failureResetTime', 'maxDeltaTimeSeconds', 'seconds', 'After which time failures are forgotten.'],
  [
    'quickLoginCheck',
    'quickLoginCheckMilliSeconds',
    'milliseconds',
    'Two failures within this time count as an attack.',
  ],
  ['quickLoginWait', 'minimumQuickLoginWaitSeconds', 'seconds', 'How long a user is locked after that.'],
];

/** One-time codes. */
export const otpPolicy: readonly Row[] = [
  ['type', 'otpPolicyType', { choice: 'OtpType' }, 'What the codes follow.'],
  ['algorithm', 'otpPolicyAlgorithm', { choice: 'OtpAlgorithm' }, 'Hash algorithm of the codes.'],
  ['digits', 'otpPolicyDigits', 'count', 'Length of a code.'],
  ['period', 'otpPolicyPeriod', 'seconds', 'How long a code is shown, where codes follow the time.'],
  ['initialCounter', 'otpPolicyInitialCounter', 'count', 'Where counting starts, where codes follow a counter.'],
  ['lookAheadWindow', 'otpPolicyLookAheadWindow', 'count', 'How many codes further on are good, too.'],
];

const webAuthnFields = [
  ['relyingPartyName', 'RpEntityName', 'text', 'Name of the server as devices show it.'],
  ['relyingPartyId', 'RpId', 'text', 'Host name that keys are bound to; that of the address if there is none.'],
  [
    'signatureAlgorithms',
    'SignatureAlgorithms',
    { choices: 'WebAuthnSignatureAlgorithm' },
    'Algorithms that keys may use.',
  ],
  [
    'attestationConveyance',
    'AttestationConveyancePreference',
    { choice: 'AttestationConveyance' },
    'Whether keys have to tell who made them.',
  ],
  [
    'authenticatorAttachment',
    'AuthenticatorAttachment',
    { choice: 'AuthenticatorAttachment' },
    'What kind of device keys may be in.',
  ],
  ['residentKey', 'RequireResidentKey', { choice: 'ResidentKey' }, 'Whether keys have to be kept in the device.'],
  [
    'userVerification',
    'UserVerificationRequirement',
    { choice: 'UserVerification' },
    'Whether the device has to know its user.',
  ],
  ['createTimeout', 'CreateTimeout', 'seconds', "How long setting up a key may take; 0 for the browser's own limit."],
  ['avoidSameAuthenticator', 'AvoidSameAuthenticatorRegister', 'flag', 'Whether a device may be set up only once.'],
  ['acceptableAaguids', 'AcceptableAaguids', 'texts', 'Models of devices that are let in; all if there are none.'],
] as const;

/** Security keys; the policies for the second factor and for logins without a password have the same form. */
export const webAuthn = (prefix: 'webAuthnPolicy' | 'webAuthnPolicyPasswordless'): Row[] =>
  webAuthnFields.map(([name, end, kind, description]) => [name, `${prefix}${end}`, kind, description]);

/** How users sign up and log in. */
export const login: readonly Row[] = [
  ['registrationAllowed', 'registrationAllowed', 'flag', 'Whether users may sign up.'],
  [
    'registrationEmailAsUsername',
    'registrationEmailAsUsername',
    'flag',
    'Whether the e-mail address is the user name.',
  ],
  ['editUsernameAllowed', 'editUsernameAllowed', 'flag', 'Whether users may change their names.'],
  ['resetPasswordAllowed', 'resetPasswordAllowed', 'flag', 'Whether users may ask for a new password.'],
  ['rememberMe', 'rememberMe', 'flag', 'Whether users may stay logged in when the browser is closed.'],
  ['verifyEmail', 'verifyEmail', 'flag', 'Whether users have to confirm their e-mail address.'],
  ['loginWithEmailAllowed', 'loginWithEmailAllowed', 'flag', 'Whether users may log in by e-mail address.'],
  [
    'duplicateEmailsAllowed',
    'duplicateEmailsAllowed',
    'flag',
    'Whether several users may have the same e-mail address.',
  ],
  ['userManagedAccessAllowed', 'userManagedAccessAllowed', 'flag', 'Whether users may share what is theirs.'],
  ['sslRequired', 'sslRequired', { choice: 'SslRequired' }, 'From where plain HTTP is refused.'],
  ['passwordPolicy', 'passwordPolicy', 'text', 'Rules for passwords, e.g. `length(12) and notUsername`.'],
  ['requiredCredentials', 'requiredCredentials', 'texts', 'Kinds of credentials that users need.'],
];

/** Looks. */
export const themes: readonly Row[] = [
  ['login', 'loginTheme', 'text', 'Theme of the login pages.'],
  ['account', 'accountTheme', 'text', 'Theme of the account pages.'],
  ['admin', 'adminTheme', 'text', 'Theme of the administration pages.'],
  ['email', 'emailTheme', 'text', 'Theme of mails.'],
];

/** Languages. */
export const internationalization: readonly Row[] = [
  ['enabled', 'internationalizationEnabled', 'flag', 'Whether pages come in several languages.'],
  ['supportedLocales', 'supportedLocales', 'texts', 'The languages, e.g. `de`.'],
  ['defaultLocale', 'defaultLocale', 'text', 'The language of users who did not choose.'],
];

/** Flows by what they are used for. */
export const flows: readonly Row[] = [
  ['browser', 'browserFlow', 'text', 'Alias of the flow of a login in the browser.'],
  ['registration', 'registrationFlow', 'text', 'Alias of the flow for signing up.'],
  ['directGrant', 'directGrantFlow', 'text', 'Alias of the flow of a password grant.'],
  ['resetCredentials', 'resetCredentialsFlow', 'text', 'Alias of the flow for a new password.'],
  ['clientAuthentication', 'clientAuthenticationFlow', 'text', 'Alias of the flow of clients.'],
  ['dockerAuthentication', 'dockerAuthenticationFlow', 'text', 'Alias of the flow of Docker clients.'],
];

/** Events that are kept. */
export const events: readonly Row[] = [
  ['enabled', 'eventsEnabled', 'flag', 'Whether events of users are kept.'],
  ['expiration', 'eventsExpiration', 'seconds', 'How long they are kept; 0 for good.'],
  ['types', 'enabledEventTypes', { choices: 'EventType' }, 'The types that are kept; all if there are none.'],
  ['listeners', 'eventsListeners', 'texts', 'Who is told of events.'],
  ['adminEnabled', 'adminEventsEnabled', 'flag', 'Whether the list of admin events shows what administrators do.'],
  ['adminDetailsEnabled', 'adminEventsDetailsEnabled', 'flag', 'Whether admin events keep what was written.'],
];

/** Keys of the map `smtpServer`. */
export const smtp: readonly KeyRow[] = [
  ['host', 'host', 'text', 'Host name of the mail server.'],
  ['port', 'port', 'count', 'Its port; 0 for the usual one.'],
  ['from', 'from', 'text', 'Address of the sender.'],
  ['fromDisplayName', 'fromDisplayName', 'text', 'Name of the sender.'],
  ['replyTo', 'replyTo', 'text', 'Address for answers.'],
  ['replyToDisplayName', 'replyToDisplayName', 'text', 'Name that goes with it.'],
  ['envelopeFrom', 'envelopeFrom', 'text', 'Address for mails that cannot be delivered.'],
  ['ssl', 'ssl', 'flag', 'Whether the connection is encrypted from the start.'],
  ['startTls', 'starttls', 'flag', 'Whether encryption is switched on in the connection.'],
  ['auth', 'auth', 'flag', 'Whether the mail server asks who sends.'],
  ['user', 'user', 'text', 'User name there.'],
  ['password', 'password', 'secret', 'Password there. It can be set, never read.'],
];

/** Keys of the map `browserSecurityHeaders`. */
export const headers: readonly KeyRow[] = [
  ['contentSecurityPolicy', 'contentSecurityPolicy', 'text', 'Content-Security-Policy.'],
  [
    'contentSecurityPolicyReportOnly',
    'contentSecurityPolicyReportOnly',
    'text',
    'Content-Security-Policy-Report-Only.',
  ],
  ['xContentTypeOptions', 'xContentTypeOptions', 'text', 'X-Content-Type-Options.'],
  ['xFrameOptions', 'xFrameOptions', 'text', 'X-Frame-Options.'],
  ['xRobotsTag', 'xRobotsTag', 'text', 'X-Robots-Tag.'],
  ['xXssProtection', 'xXSSProtection', 'text', 'X-XSS-Protection.'],
  ['strictTransportSecurity', 'strictTransportSecurity', 'text', 'Strict-Transport-Security.'],
];
