import { catalogue } from '../text/text.js';

/** Texts of conflicts. */
export const texts = catalogue({
  title: ['Somebody else has saved in the meantime', 'Inzwischen hat jemand anders gespeichert'],
  explanation: [
    'Choose a value for each field that both of you have changed. Other changes of both are kept.',
    'Wählen Sie einen Wert für jedes Feld, das Sie beide geändert haben. Andere Änderungen bleiben erhalten.',
  ],
  noContest: [
    'You have changed different fields. Both changes are kept.',
    'Sie haben verschiedene Felder geändert. Beide Änderungen bleiben erhalten.',
  ],
  field: ['Field', 'Feld'],
  base: ['Before', 'Vorher'],
  mine: ['Mine', 'Meins'],
  theirs: ['Theirs', 'Anderer'],
  save: ['Save both', 'Beides speichern'],
  discard: ['Discard mine', 'Meins verwerfen'],
});
