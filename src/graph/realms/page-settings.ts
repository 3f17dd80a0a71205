import { appearanceAttributes } from '../../services/login/appearance.js';
import type { KeyRow, Row } from './setting-kinds.js';

/** How users sign up and log in. */
export const login: readonly Row[] = [
  ['allowsRegistration', 'registrationAllowed', 'flag', 'Whether users can register themselves. Default false.'],
  [
    'usesEmailAsUsername',
    'registrationEmailAsUsername',
    'flag',
    'Whether the email address of a registering user becomes the username. Default false.',
  ],
  ['allowsUsernameChange', 'editUsernameAllowed', 'flag', 'Whether users can change their username. Default false.'],
  [
    'allowsPasswordReset',
    'resetPasswordAllowed',
    'flag',
    'Whether users can reset a forgotten password. Default false.',
  ],
  [
    'allowsRememberMe',
    'rememberMe',
    'flag',
    'Whether the login page offers "remember me", which keeps users logged in after the browser is closed. Default false.',
  ],
  [
    'requiresVerifiedEmail',
    'verifyEmail',
    'flag',
    'Whether users must verify their email address at the first login. Default false.',
  ],
  [
    'allowsLoginWithEmail',
    'loginWithEmailAllowed',
    'flag',
    'Whether users can log in with their email address. Default true.',
  ],
  [
    'allowsDuplicateEmails',
    'duplicateEmailsAllowed',
    'flag',
    'Whether several users can have the same email address. Default false.',
  ],
  [
    'allowsUserManagedAccess',
    'userManagedAccessAllowed',
    'flag',
    'Whether users can manage access to their own resources (User-Managed Access). Default false.',
  ],
  [
    'sslRequired',
    'sslRequired',
    { choice: 'SslRequired' },
    'Requests for which HTTPS is required. Default `EXTERNAL`.',
  ],
  [
    'passwordPolicy',
    'passwordPolicy',
    'text',
    'Password policy, e.g. `length(12) and notUsername`. Null: any password is accepted.',
  ],
  ['requiredCredentials', 'requiredCredentials', 'texts', 'Credential types that users need. Default `password`.'],
];

/** Looks. */
export const themes: readonly Row[] = [
  ['login', 'loginTheme', 'text', 'Theme of the login pages. Null: the default theme.'],
  ['account', 'accountTheme', 'text', 'Theme of the account console. Null: the default theme.'],
  ['admin', 'adminTheme', 'text', 'Theme of the administration console. Null: the default theme.'],
  ['email', 'emailTheme', 'text', 'Theme of emails. Null: the default theme.'],
];

/** Attributes of the realm for its login pages. */
export const loginPages: readonly KeyRow[] = [
  [
    'accentColor',
    appearanceAttributes.accentColor,
    'text',
    'Colour of buttons and links, as `#rrggbb`. Text on it is black or white. Null: the built-in colour.',
  ],
  [
    'backgroundColor',
    appearanceAttributes.backgroundColor,
    'text',
    'Colour of the page around the form, as `#rrggbb`. Null: the built-in colour.',
  ],
  [
    'logo',
    appearanceAttributes.logo,
    'text',
    'Image in place of the display name: a base64 data URL of a PNG, JPEG, SVG, or WebP image of at most 65536 bytes. Null: the display name.',
  ],
];

/** Languages. */
export const internationalization: readonly Row[] = [
  [
    'isEnabled',
    'internationalizationEnabled',
    'flag',
    'Whether pages and emails are available in several languages. Default false.',
  ],
  ['supportedLocales', 'supportedLocales', 'texts', 'BCP 47 tags of the supported languages, e.g. `de`.'],
  ['defaultLocale', 'defaultLocale', 'text', 'BCP 47 tag of the language for users who have not chosen one.'],
];

/** Settings of stored events. */
export const events: readonly Row[] = [
  ['isEnabled', 'eventsEnabled', 'flag', 'Whether login events are stored. Default false.'],
  ['expiration', 'eventsExpiration', 'seconds', 'Seconds after which login events are deleted. 0: never.'],
  [
    'types',
    'enabledEventTypes',
    { choices: 'LoginEventType' },
    'Types of login events that are stored. Empty (default): all standard types.',
  ],
  ['listeners', 'eventsListeners', 'texts', 'IDs of the event listeners that receive events. Default `jboss-logging`.'],
  [
    'isAdminEnabled',
    'adminEventsEnabled',
    'flag',
    'Whether the REST API lists admin events. Default false. Audit records are always written.',
  ],
  [
    'isAdminDetailsEnabled',
    'adminEventsDetailsEnabled',
    'flag',
    'Whether admin events contain the written data. Default false.',
  ],
  [
    'adminExpiration',
    'adminEventsExpiration',
    'seconds',
    'Seconds after which admin events, the audit records, are deleted. 0 or null: never.',
  ],
];

/** Keys of the map `smtpServer`. */
export const smtp: readonly KeyRow[] = [
  ['host', 'host', 'text', 'Host name of the SMTP server.'],
  ['port', 'port', 'count', 'Port of the SMTP server. 0: the standard port.', { most: 65_535 }],
  ['from', 'from', 'text', 'Email address of the sender.'],
  ['fromDisplayName', 'fromDisplayName', 'text', 'Display name of the sender.'],
  ['replyTo', 'replyTo', 'text', 'Email address for replies.'],
  ['replyToDisplayName', 'replyToDisplayName', 'text', 'Display name of the reply address.'],
  ['envelopeFrom', 'envelopeFrom', 'text', 'Envelope sender address, which receives bounces.'],
  ['usesSsl', 'ssl', 'flag', 'Whether the connection uses TLS from the start.'],
  ['usesStartTls', 'starttls', 'flag', 'Whether the connection switches to TLS with STARTTLS.'],
  ['requiresAuthentication', 'auth', 'flag', 'Whether the SMTP server requires authentication.'],
  ['user', 'user', 'text', 'Username for the SMTP server.'],
  ['password', 'password', 'secret', 'Password for the SMTP server. Can be set but not read.'],
];

/** Keys of the map `browserSecurityHeaders`. */
export const headers: readonly KeyRow[] = [
  [
    'contentSecurityPolicy',
    'contentSecurityPolicy',
    'text',
    'Value of the header `Content-Security-Policy`. Empty: not sent.',
  ],
  [
    'contentSecurityPolicyReportOnly',
    'contentSecurityPolicyReportOnly',
    'text',
    'Value of the header `Content-Security-Policy-Report-Only`. Empty: not sent.',
  ],
  [
    'xContentTypeOptions',
    'xContentTypeOptions',
    'text',
    'Value of the header `X-Content-Type-Options`. Empty: not sent.',
  ],
  ['xFrameOptions', 'xFrameOptions', 'text', 'Value of the header `X-Frame-Options`. Empty: not sent.'],
  ['xRobotsTag', 'xRobotsTag', 'text', 'Value of the header `X-Robots-Tag`. Empty: not sent.'],
  ['xXssProtection', 'xXSSProtection', 'text', 'Value of the header `X-XSS-Protection`. Empty: not sent.'],
  [
    'strictTransportSecurity',
    'strictTransportSecurity',
    'text',
    'Value of the header `Strict-Transport-Security`. Empty: not sent.',
  ],
];
