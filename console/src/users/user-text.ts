import { catalogue } from '../text/text.js';

/** Texts of the screen of a user. */
export const userTexts = catalogue({
  isEnabledHint: ['A disabled user cannot log in.', 'Ein deaktivierter Benutzer kann sich nicht anmelden.'],
  isEmailVerified: ['Email verified', 'E-Mail bestätigt'],
  requiredActions: ['Required actions', 'Erforderliche Aktionen'],
  requiredActionsHint: [
    'What the user has to do at the next login, e.g. UPDATE_PASSWORD.',
    'Was der Benutzer bei der nächsten Anmeldung tun muss, z. B. UPDATE_PASSWORD.',
  ],
  removeQuestion: [
    'Deletes the user with credentials, sessions, and consents. This cannot be undone.',
    'Löscht den Benutzer mit Anmeldedaten, Sitzungen und Einwilligungen. Das kann nicht rückgängig gemacht werden.',
  ],
  access: ['Consents and identities', 'Einwilligungen und Identitäten'],
  events: ['Events', 'Ereignisse'],
  noGroups: [
    'In no group. A group gives its members roles and attributes.',
    'In keiner Gruppe. Eine Gruppe gibt ihren Mitgliedern Rollen und Attribute.',
  ],
  joinGroup: ['Join group', 'Gruppe beitreten'],
  addRole: ['Add role', 'Rolle geben'],
  why: ['Why?', 'Warum?'],
  whyOf: ['Why does the user have {name}?', 'Warum hat der Benutzer {name}?'],
  isDirect: ['It is given to the user directly.', 'Sie ist dem Benutzer direkt gegeben.'],
  fromGroup: ['The group {name} has it.', 'Die Gruppe {name} hat sie.'],
  fromRole: [
    'The role {name}, which the user has, contains it.',
    'Die Rolle {name}, die der Benutzer hat, enthält sie.',
  ],
  fromHidden: ['It comes from something that you may not view.', 'Sie kommt von etwas, das Sie nicht ansehen dürfen.'],
  noCredentials: ['No credentials', 'Keine Anmeldedaten'],
  noCredentialsHint: [
    'Without a credential, the user can log in only by an identity provider. Set a password above.',
    'Ohne Anmeldedaten kann sich der Benutzer nur über einen Identity-Provider anmelden. Setzen Sie oben ein Passwort.',
  ],
  needsManage: [
    'Permission manage-users is required to view credentials.',
    'Um Anmeldedaten zu sehen, ist die Berechtigung manage-users erforderlich.',
  ],
  password: ['New password', 'Neues Passwort'],
  temporary: ['To be changed at the next login', 'Bei der nächsten Anmeldung zu ändern'],
  setPassword: ['Set password', 'Passwort setzen'],
  passwordSet: ['The password is set.', 'Das Passwort ist gesetzt.'],
  noSessions: ['No sessions', 'Keine Sitzungen'],
  noSessionsHint: ['A session begins when the user logs in.', 'Eine Sitzung beginnt, wenn sich der Benutzer anmeldet.'],
  since: ['since {moment}, last used {last}', 'seit {moment}, zuletzt benutzt {last}'],
  consents: ['Consents', 'Einwilligungen'],
  noConsents: ['The user has consented to no client.', 'Der Benutzer hat keinem Client zugestimmt.'],
  revoke: ['Revoke consent to {name}', 'Einwilligung für {name} widerrufen'],
  identities: ['Identities at other providers', 'Identitäten bei anderen Anbietern'],
  noIdentities: [
    'The user is linked to no identity provider.',
    'Der Benutzer ist mit keinem Identity-Provider verbunden.',
  ],
  logins: ['Logins', 'Anmeldungen'],
  noEvents: ['No events', 'Keine Ereignisse'],
  noChanges: ['Nobody has changed this user yet.', 'Noch niemand hat diesen Benutzer geändert.'],
  locked: ['Locked after {count} failed logins', 'Nach {count} fehlgeschlagenen Anmeldungen gesperrt'],
  federated: ['From the directory {name}', 'Aus dem Verzeichnis {name}'],
});
