import { findReason } from '../../../src/services/core/settings-without-effect.js';
import { eventTypes } from '../../../src/services/events/types.js';
import { type FieldLines, type FormField, fieldsOf as fieldsOfTable, keysOf, type Section } from '../parts/fields.js';
import { inLanguages } from '../text/catalogue.js';
import { contractNames } from './contract-names.js';
import { texts } from './texts.js';

const required = { isRequired: true };
const algorithms = ['RS', 'PS', 'ES', 'HS'].flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits));

/**
 * Whether the names of a setting contain all words of a search: its label and hint in each language, and its names in the API and the
 * contract.
 */
export function isFound({ label, path, hint = '' }: FormField, search: string): boolean {
  const names = [inLanguages(label), inLanguages(hint), path, contractNames[path] ?? ''].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}

/** The fields of a table, with a hint at each that has no effect. */
const fieldsOf = (lines: FieldLines<typeof texts>): FormField[] =>
  fieldsOfTable(texts, lines).map((field) => {
    const name = contractNames[field.path] ?? keysOf(field.path).at(-1) ?? '';
    return findReason({ of: 'RealmRepresentation' }, name) ? { ...field, hint: texts.noEffect } : field;
  });

/** The fields of a policy for WebAuthn: the one of second factors, or the one of passkeys. */
const webAuthnFields = (policy: string): FormField[] =>
  fieldsOf({
    'webAuthn.relyingPartyName': ['text', required],
    'webAuthn.relyingPartyId': ['text', { hint: texts.emptyTheHostOfTheServer }],
    'webAuthn.signatureAlgorithms': [
      'choices',
      { choices: ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'RS1'] },
    ],
    'webAuthn.attestationConveyance': [['NOT_SPECIFIED', 'NONE', 'INDIRECT', 'DIRECT'], required],
    'webAuthn.authenticatorAttachment': [['NOT_SPECIFIED', 'PLATFORM', 'CROSS_PLATFORM'], required],
    'webAuthn.residentKey': [['NOT_SPECIFIED', 'YES', 'NO'], required],
    'webAuthn.userVerification': [['NOT_SPECIFIED', 'REQUIRED', 'PREFERRED', 'DISCOURAGED'], required],
    'webAuthn.createTimeout': ['seconds'],
    'webAuthn.acceptableAaguids': ['lines', { hint: texts.emptyAll }],
    'webAuthn.avoidsSameAuthenticator': ['flag'],
  }).map((field) => ({ ...field, path: field.path.replace('webAuthn', policy) }));

/** The settings of a realm, by the name of their section in the address. The form, the search, and the comparison follow from them. */
export const sections: Record<string, Section> = {
  general: {
    title: texts.general,
    fields: fieldsOf({
      displayName: ['text'],
      displayNameHtml: ['text'],
      isEnabled: ['flag'],
      'themes.login': ['text'],
      'themes.account': ['text'],
      'themes.admin': ['text'],
      'themes.email': ['text'],
    }),
  },
  login: {
    title: texts.loginGroup,
    fields: fieldsOf({
      'login.allowsRegistration': ['flag'],
      'login.usesEmailAsUsername': ['flag'],
      'login.allowsUsernameChange': ['flag'],
      'login.allowsPasswordReset': ['flag'],
      'login.allowsRememberMe': ['flag'],
      'login.requiresVerifiedEmail': ['flag'],
      'login.allowsLoginWithEmail': ['flag'],
      'login.allowsDuplicateEmails': ['flag'],
      'login.allowsUserManagedAccess': ['flag'],
      'login.passwordPolicy': ['text'],
      'login.sslRequired': [['ALL', 'EXTERNAL', 'NONE'], required],
    }),
  },
  loginPages: {
    title: texts.loginPages,
    fields: fieldsOf({
      'loginPages.accentColor': ['color'],
      'loginPages.backgroundColor': ['color'],
      'loginPages.logo': ['logo'],
    }),
  },
  sessions: {
    title: texts.sessions,
    fields: fieldsOf({
      'sessions.idleTimeout': ['seconds'],
      'sessions.maxLifespan': ['seconds'],
      'sessions.rememberMeIdleTimeout': ['seconds'],
      'sessions.rememberMeMaxLifespan': ['seconds'],
      'sessions.clientIdleTimeout': ['seconds'],
      'sessions.clientMaxLifespan': ['seconds'],
      'sessions.offlineIdleTimeout': ['seconds'],
      'sessions.isOfflineMaxLifespanEnabled': ['flag'],
      'sessions.offlineMaxLifespan': ['seconds'],
      'sessions.clientOfflineIdleTimeout': ['seconds'],
      'sessions.clientOfflineMaxLifespan': ['seconds'],
    }),
  },
  tokens: {
    title: texts.tokens,
    fields: fieldsOf({
      'tokens.signatureAlgorithm': [algorithms, required],
      'tokens.accessTokenLifespan': ['seconds'],
      'tokens.implicitAccessTokenLifespan': ['seconds'],
      'tokens.revokesRefreshTokens': ['flag'],
      'tokens.refreshTokenMaxReuse': ['number'],
      'tokens.authorizationCodeLifespan': ['seconds'],
      'tokens.loginTimeout': ['seconds'],
      'tokens.loginActionTimeout': ['seconds'],
      'tokens.userActionLifespan': ['seconds'],
      'tokens.adminActionLifespan': ['seconds'],
      'tokens.deviceCodeLifespan': ['seconds'],
      'tokens.devicePollingInterval': ['seconds'],
    }),
  },
  otp: {
    title: texts.oneTimePasswords,
    fields: fieldsOf({
      'otpPolicy.type': [['TOTP', 'HOTP'], required],
      'otpPolicy.algorithm': [['SHA1', 'SHA256', 'SHA512'], required],
      'otpPolicy.digits': ['number', required],
      'otpPolicy.period': ['seconds'],
      'otpPolicy.initialCounter': ['number'],
      'otpPolicy.lookAheadWindow': ['number'],
    }),
  },
  webAuthn: { title: texts.securityKeys, fields: webAuthnFields('webAuthn') },
  webAuthnPasswordless: { title: texts.passkeys, fields: webAuthnFields('webAuthnPasswordless') },
  protection: {
    title: texts.protection,
    fields: fieldsOf({
      'bruteForce.isEnabled': ['flag'],
      'bruteForce.isLockoutPermanent': ['flag'],
      'bruteForce.maxFailures': ['number'],
      'bruteForce.waitIncrement': ['seconds'],
      'bruteForce.maxWait': ['seconds'],
      'bruteForce.failureResetTime': ['seconds'],
      'bruteForce.quickLoginCheck': ['number'],
      'bruteForce.quickLoginWait': ['seconds'],
      'securityHeaders.contentSecurityPolicy': ['text'],
      'securityHeaders.contentSecurityPolicyReportOnly': ['text'],
      'securityHeaders.strictTransportSecurity': ['text'],
      'securityHeaders.xContentTypeOptions': ['text'],
      'securityHeaders.xFrameOptions': ['text'],
      'securityHeaders.xRobotsTag': ['text'],
      'securityHeaders.xXssProtection': ['text'],
    }),
  },
  email: {
    title: texts.email,
    fields: fieldsOf({
      'smtp.host': ['text'],
      'smtp.port': ['number', { hint: texts.portHint }],
      'smtp.usesSsl': ['flag'],
      'smtp.usesStartTls': ['flag'],
      'smtp.from': ['email'],
      'smtp.fromDisplayName': ['text'],
      'smtp.replyTo': ['email'],
      'smtp.replyToDisplayName': ['text'],
      'smtp.envelopeFrom': ['email'],
      'smtp.requiresAuthentication': ['flag'],
      'smtp.user': ['text'],
      'smtp.password': ['secret', { hint: texts.unchanged }],
    }),
  },
  languages: {
    title: texts.languagesAndEvents,
    fields: fieldsOf({
      'internationalization.isEnabled': ['flag'],
      'internationalization.supportedLocales': ['lines'],
      'internationalization.defaultLocale': ['text'],
      'events.isEnabled': ['flag'],
      'events.expiration': ['seconds'],
      'events.isAdminEnabled': ['flag'],
      'events.isAdminDetailsEnabled': ['flag'],
      'events.adminExpiration': ['seconds'],
      'events.types': ['choices', { hint: texts.typesHint, choices: eventTypes }],
      'events.listeners': ['lines'],
    }),
  },
};
