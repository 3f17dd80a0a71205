import { describeEffect } from '../../services/core/settings-without-effect.js';
import * as authentication from './authentication-settings.js';
import * as pages from './page-settings.js';
import type { KeyRow, Limits, Row, SettingKind } from './setting-kinds.js';

export interface Setting extends Limits {
  /** its name here */
  name: string;
  /** its name in RealmRepresentation, or its key in the map of the group */
  wire: string;
  kind: SettingKind;
  description: string;
}

export interface SettingGroup {
  /** name of the field with the group */
  name: string;
  /** name of the object type; groups of the same form share it */
  type: string;
  description: string;
  /** description of the type, if it differs from the description of the group */
  about?: string;
  /** the field of RealmRepresentation that is a map of texts with the group's settings */
  within?: 'smtpServer' | 'browserSecurityHeaders' | 'attributes';
  settings: readonly Setting[];
}

const settings = (given: readonly (Row | KeyRow)[]): Setting[] =>
  given.map(([name, wire, kind, description, limits]) => ({
    name,
    wire,
    kind,
    description: describeEffect({ of: 'RealmRepresentation' }, wire, description),
    ...limits,
  }));

/** Settings of the mail server. */
export const smtpGroup: SettingGroup = {
  name: 'smtp',
  type: 'RealmSmtp',
  description: 'SMTP server for outgoing emails.',
  within: 'smtpServer',
  settings: settings(pages.smtp),
};

/** Every setting of a realm, in the groups in which it is read and written. */
export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'tokens',
    type: 'RealmTokens',
    description: 'Lifespans and signatures of tokens and codes.',
    settings: settings(authentication.tokens),
  },
  {
    name: 'sessions',
    type: 'RealmSessions',
    description: 'Idle timeouts and maximum lifespans of sessions.',
    settings: settings(authentication.sessions),
  },
  {
    name: 'bruteForce',
    type: 'RealmBruteForce',
    description: 'Brute-force detection: locks users after failed logins.',
    settings: settings(authentication.bruteForce),
  },
  {
    name: 'otpPolicy',
    type: 'RealmOtpPolicy',
    description: 'Policy for one-time passwords.',
    settings: settings(authentication.otpPolicy),
  },
  {
    name: 'webAuthn',
    type: 'RealmWebAuthnPolicy',
    about: 'Policy for WebAuthn credentials.',
    description: 'Policy for WebAuthn credentials used as a second factor.',
    settings: settings(authentication.webAuthn('webAuthnPolicy')),
  },
  {
    name: 'webAuthnPasswordless',
    type: 'RealmWebAuthnPolicy',
    description: 'Policy for WebAuthn credentials used instead of a password.',
    settings: settings(authentication.webAuthn('webAuthnPolicyPasswordless')),
  },
  {
    name: 'login',
    type: 'RealmLogin',
    description: 'Registration and login of users.',
    settings: settings(pages.login),
  },
  { name: 'themes', type: 'RealmThemes', description: 'Themes of pages and emails.', settings: settings(pages.themes) },
  {
    name: 'loginPages',
    type: 'RealmLoginPages',
    description: 'Colours and logo of the login pages.',
    within: 'attributes',
    settings: settings(pages.loginPages),
  },
  {
    name: 'internationalization',
    type: 'RealmInternationalization',
    description: 'Languages of pages and emails.',
    settings: settings(pages.internationalization),
  },
  {
    name: 'events',
    type: 'RealmEvents',
    description: 'Settings for login events and admin events.',
    settings: settings(pages.events),
  },
  smtpGroup,
  {
    name: 'securityHeaders',
    type: 'RealmSecurityHeaders',
    description: 'HTTP security headers of pages for browsers.',
    within: 'browserSecurityHeaders',
    settings: settings(pages.headers),
  },
];
