import { catalogue } from '../text/text.js';

/** Texts of forms, and of previews before something is saved. */
export const formTexts = catalogue({
  save: ['Save', 'Speichern'],
  reset: ['Reset', 'Zurücksetzen'],
  cancel: ['Cancel', 'Abbrechen'],
  preview: ['What changes', 'Was sich ändert'],
  refused: ['This would be refused', 'Das würde abgelehnt'],
  apply: ['Apply', 'Anwenden'],
  saved: ['{name} is saved.', '{name} ist gespeichert.'],
  removed: ['{name} is deleted.', '{name} ist gelöscht.'],
  delete: ['Delete', 'Löschen'],
  remove: ['Delete {name}', '{name} löschen'],
  copy: ['Copy {name}', '{name} kopieren'],
  up: ['Move {name} up', '{name} nach oben'],
  down: ['Move {name} down', '{name} nach unten'],
  moved: ['{name} is moved.', '{name} ist verschoben.'],
  edit: ['Edit {name}', '{name} bearbeiten'],
  reveal: ['Show or hide', 'Anzeigen oder verbergen'],
  copied: ['Copied', 'Kopiert'],
});
