import { eventTypes } from '../../../src/services/events/types.js';
import { type FormField, fieldsOf, type Section } from '../parts/fields.js';
import { contractNames } from './contract-names.js';
import { texts } from './text.js';

const required = { isRequired: true };
const algorithms = ['RS', 'PS', 'ES', 'HS'].flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits));

/**
 * Whether the names of a setting contain all words of a search: its label and hint in each language, and its names in the API and the
 * contract.
 */
export function isFound({ label, path, hint = ['', ''] }: FormField, search: string): boolean {
  const names = [...label, ...hint, path, contractNames[path] ?? ''].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}

/** The fields of a policy for WebAuthn: the one of second factors, or the one of passkeys. */
const webAuthnFields = (policy: string): FormField[] =>
  fieldsOf({
    [`${policy}.relyingPartyName`]: ['text', 'Name of the relying party', 'Name der Relying Party', required],
    [`${policy}.relyingPartyId`]: [
      'text',
      'ID of the relying party',
      'ID der Relying Party',
      { hint: ['Empty: the host of the server.', 'Leer: der Host des Servers.'] },
    ],
    [`${policy}.signatureAlgorithms`]: [
      'choices',
      'Signature algorithms',
      'Signaturverfahren',
      { choices: ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'RS1'] },
    ],
    [`${policy}.attestationConveyance`]: [
      ['NOT_SPECIFIED', 'NONE', 'INDIRECT', 'DIRECT'],
      'Attestation',
      'Attestierung',
      required,
    ],
    [`${policy}.authenticatorAttachment`]: [
      ['NOT_SPECIFIED', 'PLATFORM', 'CROSS_PLATFORM'],
      'Place of the authenticator',
      'Ort des Authenticators',
      required,
    ],
    [`${policy}.residentKey`]: [
      ['NOT_SPECIFIED', 'YES', 'NO'],
      'Stored on the authenticator',
      'Auf dem Authenticator gespeichert',
      required,
    ],
    [`${policy}.userVerification`]: [
      ['NOT_SPECIFIED', 'REQUIRED', 'PREFERRED', 'DISCOURAGED'],
      'Verification of the user',
      'Überprüfung des Benutzers',
      required,
    ],
    [`${policy}.createTimeout`]: ['seconds', 'Registration within', 'Registrierung innerhalb von'],
    [`${policy}.acceptableAaguids`]: [
      'lines',
      'Allowed models (AAGUID)',
      'Erlaubte Modelle (AAGUID)',
      { hint: ['Empty: all.', 'Leer: alle.'] },
    ],
    [`${policy}.avoidsSameAuthenticator`]: [
      'flag',
      'An authenticator only once per user',
      'Ein Authenticator nur einmal je Benutzer',
    ],
  });

/** The settings of a realm, by the name of their section in the address. The form, the search, and the comparison follow from them. */
export const sections: Record<string, Section> = {
  general: {
    title: texts.general,
    fields: fieldsOf({
      displayName: ['text', ...texts.displayName],
      displayNameHtml: ['text', 'Display name as HTML', 'Anzeigename als HTML'],
      isEnabled: ['flag', ...texts.enabled],
      'themes.login': ['text', 'Theme of the login page', 'Theme der Anmeldeseite'],
      'themes.account': ['text', 'Theme of the account console', 'Theme der Kontoverwaltung'],
      'themes.admin': ['text', 'Theme of the administration', 'Theme der Verwaltung'],
      'themes.email': ['text', 'Theme of emails', 'Theme der E-Mails'],
    }),
  },
  login: {
    title: ['Login', 'Anmeldung'],
    fields: fieldsOf({
      'login.allowsRegistration': ['flag', 'Users register themselves', 'Benutzer registrieren sich selbst'],
      'login.usesEmailAsUsername': ['flag', 'Email is the username', 'E-Mail ist der Benutzername'],
      'login.allowsUsernameChange': ['flag', 'Users change their username', 'Benutzer ändern ihren Benutzernamen'],
      'login.allowsPasswordReset': ['flag', 'Forgotten passwords are reset', 'Vergessene Passwörter zurücksetzen'],
      'login.allowsRememberMe': ['flag', 'Remember me', 'Angemeldet bleiben'],
      'login.requiresVerifiedEmail': ['flag', 'Email must be verified', 'E-Mail muss bestätigt werden'],
      'login.allowsLoginWithEmail': ['flag', 'Login with email', 'Anmeldung mit E-Mail'],
      'login.allowsDuplicateEmails': ['flag', 'Several users may have an email', 'E-Mail darf mehrfach vorkommen'],
      'login.allowsUserManagedAccess': ['flag', 'User-managed access', 'Benutzer verwalten Zugriffe'],
      'login.passwordPolicy': ['text', 'Password policy', 'Passwortrichtlinie'],
      'login.sslRequired': [['ALL', 'EXTERNAL', 'NONE'], 'HTTPS is required', 'HTTPS ist erforderlich', required],
    }),
  },
  loginPages: {
    title: ['Login pages', 'Anmeldeseiten'],
    fields: fieldsOf({
      'loginPages.accentColor': ['color', 'Accent colour', 'Akzentfarbe'],
      'loginPages.backgroundColor': ['color', 'Background colour', 'Hintergrundfarbe'],
      'loginPages.logo': ['logo', 'Logo', 'Logo'],
    }),
  },
  sessions: {
    title: texts.sessions,
    fields: fieldsOf({
      'sessions.idleTimeout': ['seconds', 'Session, unused', 'Sitzung, unbenutzt'],
      'sessions.maxLifespan': ['seconds', 'Session, at most', 'Sitzung, höchstens'],
      'sessions.rememberMeIdleTimeout': ['seconds', 'Remembered session, unused', 'Gemerkte Sitzung, unbenutzt'],
      'sessions.rememberMeMaxLifespan': ['seconds', 'Remembered session, at most', 'Gemerkte Sitzung, höchstens'],
      'sessions.clientIdleTimeout': ['seconds', 'Client session, unused', 'Client-Sitzung, unbenutzt'],
      'sessions.clientMaxLifespan': ['seconds', 'Client session, at most', 'Client-Sitzung, höchstens'],
      'sessions.offlineIdleTimeout': ['seconds', 'Offline session, unused', 'Offline-Sitzung, unbenutzt'],
      'sessions.isOfflineMaxLifespanEnabled': ['flag', 'Offline sessions are limited', 'Offline-Sitzungen begrenzen'],
      'sessions.offlineMaxLifespan': ['seconds', 'Offline session, at most', 'Offline-Sitzung, höchstens'],
      'sessions.clientOfflineIdleTimeout': [
        'seconds',
        'Offline client session, unused',
        'Offline-Client-Sitzung, unbenutzt',
      ],
      'sessions.clientOfflineMaxLifespan': [
        'seconds',
        'Offline client session, at most',
        'Offline-Client-Sitzung, höchstens',
      ],
    }),
  },
  tokens: {
    title: ['Tokens', 'Tokens'],
    fields: fieldsOf({
      'tokens.signatureAlgorithm': [algorithms, 'Signature algorithm', 'Signaturverfahren', required],
      'tokens.accessTokenLifespan': ['seconds', 'Access token', 'Access-Token'],
      'tokens.implicitAccessTokenLifespan': [
        'seconds',
        'Access token, implicit flow',
        'Access-Token, impliziter Ablauf',
      ],
      'tokens.revokesRefreshTokens': ['flag', 'Refresh tokens are revoked', 'Refresh-Tokens widerrufen'],
      'tokens.refreshTokenMaxReuse': ['number', 'Reuses of a refresh token', 'Wiederverwendungen eines Refresh-Tokens'],
      'tokens.authorizationCodeLifespan': ['seconds', 'Authorization code', 'Autorisierungscode'],
      'tokens.loginTimeout': ['seconds', 'Login', 'Anmeldung'],
      'tokens.loginActionTimeout': ['seconds', 'Action during login', 'Aktion bei der Anmeldung'],
      'tokens.userActionLifespan': ['seconds', 'Link requested by a user', 'Link, den ein Benutzer anfordert'],
      'tokens.adminActionLifespan': ['seconds', 'Link sent by an administrator', 'Link, den ein Verwalter sendet'],
      'tokens.deviceCodeLifespan': ['seconds', 'Device code', 'Gerätecode'],
      'tokens.devicePollingInterval': ['seconds', 'Interval of devices', 'Abfrageabstand der Geräte'],
    }),
  },
  otp: {
    title: ['One-time passwords', 'Einmalpasswörter'],
    fields: fieldsOf({
      'otpPolicy.type': [['TOTP', 'HOTP'], 'Kind', 'Art', required],
      'otpPolicy.algorithm': [['SHA1', 'SHA256', 'SHA512'], 'Hash algorithm', 'Hash-Verfahren', required],
      'otpPolicy.digits': ['number', 'Digits', 'Ziffern', required],
      'otpPolicy.period': ['seconds', 'Time-based: shown for', 'Zeitbasiert: angezeigt für'],
      'otpPolicy.initialCounter': ['number', 'Counter-based: first counter', 'Zählerbasiert: erster Zähler'],
      'otpPolicy.lookAheadWindow': ['number', 'Adjacent passwords accepted', 'Benachbarte Passwörter akzeptiert'],
    }),
  },
  webAuthn: { title: ['Security keys', 'Sicherheitsschlüssel'], fields: webAuthnFields('webAuthn') },
  webAuthnPasswordless: { title: ['Passkeys', 'Passkeys'], fields: webAuthnFields('webAuthnPasswordless') },
  protection: {
    title: ['Protection', 'Schutz'],
    fields: fieldsOf({
      'bruteForce.isEnabled': ['flag', 'Failed logins are counted', 'Fehlgeschlagene Anmeldungen zählen'],
      'bruteForce.isLockoutPermanent': ['flag', 'Lock until unlocked', 'Sperren, bis jemand entsperrt'],
      'bruteForce.maxFailures': ['number', 'Failures before the lock', 'Fehlversuche bis zur Sperre'],
      'bruteForce.waitIncrement': ['seconds', 'Lock grows by', 'Sperre wächst um'],
      'bruteForce.maxWait': ['seconds', 'Lock, at most', 'Sperre, höchstens'],
      'bruteForce.failureResetTime': ['seconds', 'Failures are forgotten after', 'Fehlversuche vergessen nach'],
      'bruteForce.quickLoginCheck': ['number', 'Quick failures, milliseconds', 'Schnelle Fehlversuche, Millisekunden'],
      'bruteForce.quickLoginWait': ['seconds', 'Lock after quick failures', 'Sperre nach schnellen Fehlversuchen'],
      'securityHeaders.contentSecurityPolicy': ['text', 'Content-Security-Policy', 'Content-Security-Policy'],
      'securityHeaders.contentSecurityPolicyReportOnly': [
        'text',
        'Content-Security-Policy-Report-Only',
        'Content-Security-Policy-Report-Only',
      ],
      'securityHeaders.strictTransportSecurity': ['text', 'Strict-Transport-Security', 'Strict-Transport-Security'],
      'securityHeaders.xContentTypeOptions': ['text', 'X-Content-Type-Options', 'X-Content-Type-Options'],
      'securityHeaders.xFrameOptions': ['text', 'X-Frame-Options', 'X-Frame-Options'],
      'securityHeaders.xRobotsTag': ['text', 'X-Robots-Tag', 'X-Robots-Tag'],
      'securityHeaders.xXssProtection': ['text', 'X-XSS-Protection', 'X-XSS-Protection'],
    }),
  },
  email: {
    title: texts.email,
    fields: fieldsOf({
      'smtp.host': ['text', 'SMTP server', 'SMTP-Server'],
      'smtp.port': [
        'number',
        'Port',
        'Port',
        { hint: ['0: 465 with TLS from the start, otherwise 25.', '0: 465 mit TLS von Anfang an, sonst 25.'] },
      ],
      'smtp.usesSsl': ['flag', 'TLS from the start', 'TLS von Anfang an'],
      'smtp.usesStartTls': ['flag', 'STARTTLS', 'STARTTLS'],
      'smtp.from': ['email', 'Sender', 'Absender'],
      'smtp.fromDisplayName': ['text', 'Name of the sender', 'Name des Absenders'],
      'smtp.replyTo': ['email', 'Reply address', 'Antwortadresse'],
      'smtp.replyToDisplayName': ['text', 'Name of the reply address', 'Name der Antwortadresse'],
      'smtp.envelopeFrom': ['email', 'Address for bounces', 'Adresse für Unzustellbares'],
      'smtp.requiresAuthentication': ['flag', 'Server requires a login', 'Server verlangt Anmeldung'],
      'smtp.user': ['text', 'Username at the server', 'Benutzername beim Server'],
      'smtp.password': [
        'secret',
        'New password at the server',
        'Neues Passwort beim Server',
        { hint: texts.unchanged },
      ],
    }),
  },
  languages: {
    title: ['Languages and events', 'Sprachen und Ereignisse'],
    fields: fieldsOf({
      'internationalization.isEnabled': ['flag', 'Users choose a language', 'Benutzer wählen eine Sprache'],
      'internationalization.supportedLocales': ['lines', 'Languages', 'Sprachen'],
      'internationalization.defaultLocale': ['text', 'Default language', 'Standardsprache'],
      'events.isEnabled': ['flag', 'Login events are stored', 'Anmeldeereignisse speichern'],
      'events.expiration': ['seconds', 'Login events are deleted after', 'Anmeldeereignisse löschen nach'],
      'events.isAdminEnabled': ['flag', 'REST lists admin events', 'REST listet Verwaltungsereignisse'],
      'events.isAdminDetailsEnabled': ['flag', 'Admin events contain data', 'Verwaltungsereignisse enthalten Daten'],
      'events.adminExpiration': ['seconds', 'Admin events are deleted after', 'Verwaltungsereignisse löschen nach'],
      'events.types': [
        'choices',
        'Types of login events that are stored',
        'Arten von Anmeldeereignissen, die gespeichert werden',
        { hint: ['Empty: all standard types.', 'Leer: alle üblichen Arten.'], choices: eventTypes },
      ],
      'events.listeners': ['lines', 'Event listeners', 'Empfänger von Ereignissen'],
    }),
  },
};
