import { catalogue } from '../text/text.js';

/** Texts of the sessions of a realm. */
export const texts = catalogue({
  search: ['Search by username or IP address', 'Nach Benutzername oder IP-Adresse suchen'],
  regular: ['regular', 'normal'],
  startedAt: ['Login', 'Anmeldung'],
  lastAccessAt: ['Last used', 'Zuletzt benutzt'],
  none: ['No sessions', 'Keine Sitzungen'],
  noneHint: ['A session begins when a user logs in.', 'Eine Sitzung beginnt, wenn sich ein Benutzer anmeldet.'],
  session: ['Session of {name}', 'Sitzung von {name}'],
  openUser: ['Open user', 'Benutzer öffnen'],
  endOfUser: ['End all sessions of the user', 'Alle Sitzungen des Benutzers beenden'],
  endAllHint: [
    'Ends the sessions of all users of the realm and revokes every token issued until now. Administrators of the realm are signed out too.',
    'Beendet die Sitzungen aller Benutzer des Realms und widerruft alle bisher ausgestellten Tokens. Auch Administratoren des Realms werden abgemeldet.',
  ],
});
