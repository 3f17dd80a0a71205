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
  noneHint: [
    'No event matches. Login events are stored only if the realm stores them.',
    'Kein Ereignis passt. Anmeldeereignisse werden nur gespeichert, wenn der Realm sie speichert.',
  ],
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
