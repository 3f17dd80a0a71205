import { catalogue } from '../text/text.js';

/** Texts of lists. */
export const listTexts = catalogue({
  selectAll: ['Select all loaded rows', 'Alle geladenen Zeilen auswählen'],
  select: ['Select {name}', '{name} auswählen'],
  shown: ['{shown} of {total} loaded', '{shown} von {total} geladen'],
});
