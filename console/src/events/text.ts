import { catalogue } from '../text/text.js';

/** Texts of the audit records and the login events. */
export const texts = catalogue({
  audit: ['Audit records', 'Änderungsprotokoll'],
  search: ['Search', 'Suchen'],
  anyType: ['Any type', 'Alle Arten'],
  from: ['From', 'Von'],
  until: ['Until', 'Bis'],
  live: ['Live', 'Live'],
  export: ['Export', 'Exportieren'],
  exportLimit: [
    'The file has the newest {count} events. Narrow the filters for older ones.',
    'Die Datei enthält die neuesten {count} Ereignisse. Grenzen Sie die Filter für ältere ein.',
  ],
  none: ['No events', 'Keine Ereignisse'],
  auditHint: [
    'No record matches the filters. Each change of the realm appears here, with its values if “Admin events contain data” is on in the realm settings.',
    'Kein Eintrag passt zu den Filtern. Jede Änderung des Realms erscheint hier, mit ihren Werten, wenn in den Realm-Einstellungen „Verwaltungsereignisse enthalten Daten“ aktiv ist.',
  ],
  loginsHint: [
    'No event matches the filters. Logins appear here if “Login events are stored” is on in the realm settings.',
    'Kein Ereignis passt zu den Filtern. Anmeldungen erscheinen hier, wenn in den Realm-Einstellungen „Anmeldeereignisse speichern“ aktiv ist.',
  ],
  anyObject: ['Any object', 'Jedes Objekt'],
  thisObject: ['One object', 'Ein Objekt'],
  allOfObject: ['All changes of this object', 'Alle Änderungen dieses Objekts'],
  allOfActor: ['All changes by this actor', 'Alle Änderungen dieser Person'],
  object: ['Object', 'Objekt'],
  actor: ['Actor', 'Wer'],
  error: ['Error', 'Fehler'],
  session: ['Session', 'Sitzung'],
  operation: ['Operation', 'Vorgang'],
  before: ['Before', 'Vorher'],
  after: ['After', 'Nachher'],
  realmItself: ['(the realm)', '(der Realm)'],
  noDetails: [
    'The record has no details: the operation or the settings of the realm keep none.',
    'Der Eintrag hat keine Einzelheiten: Der Vorgang oder die Einstellungen des Realms halten keine fest.',
  ],
});
