import { catalogue } from '../text/text.js';

/** Texts of the directories. */
export const texts = catalogue({
  directory: ['Directory', 'Verzeichnis'],
  create: ['Connect a directory', 'Verzeichnis anbinden'],
  editMode: ['Edit mode', 'Schreibweise'],
  lastSync: ['Last synchronisation', 'Letzte Synchronisierung'],
  none: ['No directories', 'Keine Verzeichnisse'],
  noneHint: [
    'A directory such as OpenLDAP or Active Directory has users who can log in here.',
    'Ein Verzeichnis wie OpenLDAP oder Active Directory hat Benutzer, die sich hier anmelden können.',
  ],
  sync: ['Synchronisation', 'Synchronisierung'],
  CONNECTION: ['Test connection', 'Verbindung testen'],
  AUTHENTICATION: ['Test authentication', 'Authentifizierung testen'],
  works: ['The directory answers.', 'Das Verzeichnis antwortet.'],
  FULL: ['Synchronise all users', 'Alle Benutzer synchronisieren'],
  CHANGED: ['Synchronise changed users', 'Geänderte Benutzer synchronisieren'],
  synchronised: ['The synchronisation has ended.', 'Die Synchronisierung ist beendet.'],
  ignored: [
    'Nothing was synchronised: the directory is disabled, or another synchronisation is running.',
    'Nichts wurde synchronisiert: Das Verzeichnis ist deaktiviert, oder eine andere Synchronisierung läuft.',
  ],
  NEVER: ['Not synchronised yet', 'Noch nicht synchronisiert'],
  RUNNING: ['Running', 'Läuft'],
  DONE: ['Done', 'Fertig'],
  FAILED: ['Failed', 'Fehlgeschlagen'],
  INTERRUPTED: ['Interrupted', 'Unterbrochen'],
  read: ['{count} entries read', '{count} Einträge gelesen'],
  counts: [
    '{added} added, {updated} updated, {removed} removed, {failed} failed',
    '{added} hinzugefügt, {updated} aktualisiert, {removed} entfernt, {failed} fehlgeschlagen',
  ],
  ended: ['Ended {time}', 'Beendet {time}'],
  unlink: ['Unlink users', 'Benutzer lösen'],
  unlinkHint: [
    'The imported users stay, and no longer belong to the directory.',
    'Die importierten Benutzer bleiben und gehören nicht mehr zum Verzeichnis.',
  ],
  removeUsers: ['Delete imported users', 'Importierte Benutzer löschen'],
  removeUsersHint: [
    'The imported users are deleted here, with their sessions. The directory is not changed.',
    'Die importierten Benutzer werden hier gelöscht, mit ihren Sitzungen. Das Verzeichnis ändert sich nicht.',
  ],
  affected: ['{count} users are changed.', '{count} Benutzer sind geändert.'],
  removeHint: [
    'The imported users are deleted with the directory.',
    'Die importierten Benutzer werden mit dem Verzeichnis gelöscht.',
  ],
  noMappersHint: [
    'A mapper relates attributes, groups, or roles of the directory to those of users.',
    'Ein Mapper verbindet Attribute, Gruppen oder Rollen des Verzeichnisses mit denen der Benutzer.',
  ],
  toRealm: ['Import with {name}', 'Mit {name} importieren'],
  toRealmHint: [
    'Adds the groups or roles of the directory to the realm. Groups may be deleted that the directory no longer has, if the mapper says so.',
    'Fügt die Gruppen oder Rollen des Verzeichnisses dem Realm hinzu. Gruppen, die das Verzeichnis nicht mehr hat, werden gelöscht, wenn der Mapper es so vorsieht.',
  ],
});
