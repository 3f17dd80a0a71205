import { catalogue } from '../text/text.js';

/** Texts of the overview. */
export const texts = catalogue({
  accountPage: ['Account page', 'Kontoseite'],
  createRealm: ['Create realm', 'Realm anlegen'],
  title: ['Overview of {realm}', 'Übersicht über {realm}'],
  activeSessions: ['Active sessions', 'Aktive Sitzungen'],
  logins: ['Logins in 24 hours', 'Anmeldungen in 24 Stunden'],
  failures: ['Failed logins in 24 hours', 'Fehlgeschlagene Anmeldungen in 24 Stunden'],
  perHour: ['Logins per hour', 'Anmeldungen pro Stunde'],
  hour: ['Hour', 'Stunde'],
  noEvents: [
    'This realm does not store login events, so that there is nothing to count.',
    'Dieser Realm speichert keine Anmeldeereignisse; es gibt also nichts zu zählen.',
  ],
  storeEvents: ['Store login events', 'Anmeldeereignisse speichern'],
  needsEvents: [
    'Permission view-events is required to view logins.',
    'Um Anmeldungen zu sehen, ist die Berechtigung view-events erforderlich.',
  ],
  changes: ['Recent changes', 'Letzte Änderungen'],
  noChanges: ['No changes yet', 'Noch keine Änderungen'],
  noChangesHint: [
    'What administrators change appears here at once.',
    'Was Administratoren ändern, erscheint hier sofort.',
  ],
  CREATE: ['created', 'angelegt'],
  UPDATE: ['changed', 'geändert'],
  DELETE: ['deleted', 'gelöscht'],
  ACTION: ['action', 'Aktion'],
  health: ['Health', 'Zustand'],
  healthy: ['Nothing needs attention', 'Nichts braucht Aufmerksamkeit'],
  healthHint: [
    'Directories that fail, webhooks that are not delivered, and certificates that expire within 90 days appear here.',
    'Verzeichnisse mit Fehlern, nicht zugestellte Webhooks und Zertifikate, die in 90 Tagen ablaufen, erscheinen hier.',
  ],
  directoryFailed: ['Directory {name}: {error}', 'Verzeichnis {name}: {error}'],
  directoryPartly: [
    'Directory {name}: {failed} users failed in the last synchronisation',
    'Verzeichnis {name}: {failed} Benutzer schlugen bei der letzten Synchronisation fehl',
  ],
  directoryOff: ['Directory {name} is disabled', 'Verzeichnis {name} ist deaktiviert'],
  webhookFailing: [
    'Webhook {name}: {failures} failed deliveries',
    'Webhook {name}: {failures} fehlgeschlagene Zustellungen',
  ],
  keyExpires: [
    'Certificate of the {algorithm} key {kid} expires on {moment}',
    'Zertifikat des {algorithm}-Schlüssels {kid} läuft am {moment} ab',
  ],
  realmDisabled: [
    'This realm is disabled: nobody can log in to it.',
    'Dieser Realm ist deaktiviert: Niemand kann sich anmelden.',
  ],
});
