import { catalogue } from '../text/text.js';

/** Texts of the parts that change objects. */
export const partTexts = catalogue({
  cancel: ['Cancel', 'Abbrechen'],
  name: ['Name', 'Name'],
  description: ['Description', 'Beschreibung'],
  attributes: ['Attributes', 'Attribute'],
  attributeName: ['Name', 'Name'],
  attributeValues: ['Values', 'Werte'],
  addAttribute: ['Add attribute', 'Attribut hinzufügen'],
  removeAttribute: ['Remove attribute {name}', 'Attribut {name} entfernen'],
  noAttributes: ['No attributes', 'Keine Attribute'],
  save: ['Save', 'Speichern'],
  check: ['Check changes', 'Änderungen prüfen'],
  changes: ['What would change', 'Was sich ändern würde'],
  reset: ['Reset', 'Zurücksetzen'],
  saved: ['Saved.', 'Gespeichert.'],
  added: ['{name} is added.', '{name} ist hinzugefügt.'],
  removed: ['{name} is removed.', '{name} ist entfernt.'],
  choose: ['Type to search', 'Zum Suchen tippen'],
  remove: ['Remove {name}', '{name} entfernen'],
});
