import { catalogue } from '../text/text.js';

/** Texts of the screen of authentication. */
export const texts = catalogue({
  title: ['Authentication', 'Authentifizierung'],
  flows: ['Flows', 'Abläufe'],
  actions: ['Required actions', 'Erforderliche Aktionen'],
  policy: ['Password policy', 'Passwortrichtlinie'],
  flow: ['Flow', 'Ablauf'],
  copy: ['Copy flow', 'Ablauf kopieren'],
  name: ['Name', 'Name'],
  builtIn: [
    'A built-in flow cannot be changed. Copy it first.',
    'Ein eingebauter Ablauf kann nicht geändert werden. Kopieren Sie ihn zuerst.',
  ],
  addExecution: ['Add execution', 'Schritt hinzufügen'],
  addTo: ['Add execution to {name}', 'Schritt zu {name} hinzufügen'],
  provider: ['Provider', 'Provider'],
  requirement: ['Requirement of {name}', 'Anforderung von {name}'],
  removeFlow: ['Delete flow', 'Ablauf löschen'],
  saved: ['{name} is saved.', '{name} ist gespeichert.'],
  enabled: ['Enabled', 'Aktiv'],
  default: ['For new users', 'Für neue Benutzer'],
  ruleOf: ['Value of {name}', 'Wert von {name}'],
  addRule: ['Add rule', 'Regel hinzufügen'],
  noRules: ['Any password is accepted.', 'Jedes Passwort wird akzeptiert.'],
  save: ['Save', 'Speichern'],
});
