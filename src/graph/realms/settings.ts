import * as rows from './setting-rows.js';

export interface Setting {
  /** its name here */
  name: string;
  /** its name in RealmRepresentation, or its key in the map that the group stands for */
  wire: string;
  kind: rows.SettingKind;
  description: string;
}

export interface SettingGroup {
  /** name of the field that holds the group */
  name: string;
  /** name of the object type; groups of the same form share it */
  type: string;
  description: string;
  /** description of the type, where it is not that of the group */
  about?: string;
  /** the field of RealmRepresentation that is a map of texts with the group's settings */
  within?: 'smtpServer' | 'browserSecurityHeaders';
  settings: readonly Setting[];
}

const settings = (given: readonly (rows.Row | rows.KeyRow)[]): Setting[] =>
  given.map(([name, wire, kind, description]) => ({ name, wire, kind, description }));

/** Every setting of a realm, in the groups in which it is read and written. */
export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'tokens',
    type: 'RealmTokens',
    description: 'Lifespans and signatures of tokens and codes.',
    settings: settings(rows.tokens),
  },
  {
    name: 'sessions',
    type: 'RealmSessions',
    description: 'Idle timeouts and maximum lifespans of sessions.',
    settings: settings(rows.sessions),
  },
  {
    name: 'bruteForce',
    type: 'RealmBruteForce',
    description: 'Brute-force detection: locks users after failed logins.',
    settings: settings(rows.bruteForce),
  },
  {
    name: 'otpPolicy',
    type: 'RealmOtpPolicy',
    description: 'Policy for one-time passwords.',
    settings: settings(rows.otpPolicy),
  },
  {
    name: 'webAuthn',
    type: 'RealmWebAuthnPolicy',
    about: 'Policy for WebAuthn credentials.',
    description: 'Policy for WebAuthn credentials used as a second factor.',
    settings: settings(rows.webAuthn('webAuthnPolicy')),
  },
  {
    name: 'webAuthnPasswordless',
    type: 'RealmWebAuthnPolicy',
    description: 'Policy for WebAuthn credentials used instead of a password.',
    settings: settings(rows.webAuthn('webAuthnPolicyPasswordless')),
  },
  {
    name: 'login',
    type: 'RealmLogin',
    description: 'Registration and login of users.',
    settings: settings(rows.login),
  },
  { name: 'themes', type: 'RealmThemes', description: 'Themes of pages and emails.', settings: settings(rows.themes) },
  {
    name: 'internationalization',
    type: 'RealmInternationalization',
    description: 'Languages of pages and emails.',
    settings: settings(rows.internationalization),
  },
  {
    name: 'flows',
    type: 'RealmFlows',
    description: 'Authentication flows and the purposes they are used for.',
    settings: settings(rows.flows),
  },
  {
    name: 'events',
    type: 'RealmEvents',
    description: 'Settings for login events and admin events.',
    settings: settings(rows.events),
  },
  {
    name: 'smtp',
    type: 'RealmSmtp',
    description: 'SMTP server for outgoing emails.',
    within: 'smtpServer',
    settings: settings(rows.smtp),
  },
  {
    name: 'securityHeaders',
    type: 'RealmSecurityHeaders',
    description: 'HTTP security headers of pages for browsers.',
    within: 'browserSecurityHeaders',
    settings: settings(rows.headers),
  },
];
