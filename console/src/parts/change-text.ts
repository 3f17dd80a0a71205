import { catalogue } from '../text/text.js';

/** Texts of lists of changes. */
export const changeTexts = catalogue({
  none: ['Nothing would change.', 'Nichts würde sich ändern.'],
  more: ['and {count} more', 'und {count} weitere'],
  empty: ['(empty)', '(leer)'],
});
