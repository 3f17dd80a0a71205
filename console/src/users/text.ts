import { catalogue } from '../text/text.js';

/** Texts of the user list. */
export const texts = catalogue({
  things: ['users', 'Benutzer'],
  createdAt: ['Created', 'Erstellt'],
  verified: ['Verified', 'Bestätigt'],
  search: ['Search users', 'Benutzer suchen'],
  emailVerified: ['Email verified', 'E-Mail bestätigt'],
  emailUnverified: ['Email not verified', 'E-Mail nicht bestätigt'],
  anyAction: ['Required action', 'Erforderliche Aktion'],
  withCount: ['{name} ({count})', '{name} ({count})'],
  columns: ['Columns', 'Spalten'],
  none: ['No users yet', 'Noch keine Benutzer'],
  noneHint: [
    'Create the first user here, import a realm file, or connect a directory from which users come at their first login.',
    'Legen Sie hier den ersten Benutzer an, importieren Sie eine Realm-Datei, oder verbinden Sie ein Verzeichnis, aus dem Benutzer bei der ersten Anmeldung kommen.',
  ],
  noMatch: ['No user matches', 'Kein Benutzer passt'],
  noMatchHint: [
    'The search looks at the beginning and the middle of usernames, names, and emails.',
    'Gesucht wird in Benutzernamen, Namen und E-Mail-Adressen.',
  ],
  create: ['Create user', 'Benutzer anlegen'],
  join: ['Join group', 'Gruppe beitreten'],
  addRole: ['Add role', 'Rolle geben'],
});
