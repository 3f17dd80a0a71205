import { catalogue } from '../text/text.js';

/** Texts of what several screens show. */
export const partTexts = catalogue({
  commandLine: ['the command line', 'der Befehlszeile'],
  someone: [
    'a client or an account that you may not view',
    'einem Client oder einem Konto, das Sie nicht sehen dürfen',
  ],
  selectAll: ['Select all loaded rows', 'Alle geladenen Zeilen auswählen'],
  select: ['Select {name}', '{name} auswählen'],
  selected: ['{count} selected', '{count} ausgewählt'],
  clearSelection: ['Clear selection', 'Auswahl aufheben'],
  wouldChangeOf: ['{count} of {total} {things} would change.', '{count} von {total} würden sich ändern: {things}.'],
  applyTo: ['Apply to {count} {things}', 'Auf {count} {things} anwenden'],
  changed: ['{count} {things} are changed.', '{count} {things} sind geändert.'],
  shown: ['{shown} of {total} loaded', '{shown} von {total} geladen'],
  unchanged: ['Nothing would change.', 'Nichts würde sich ändern.'],
  preview: ['What changes', 'Was sich ändert'],
  refused: ['This would be refused', 'Das würde abgelehnt'],
  up: ['Move {name} up', '{name} nach oben'],
  down: ['Move {name} down', '{name} nach unten'],
  reveal: ['Show or hide', 'Anzeigen oder verbergen'],
  zero: ['0: no limit of its own', '0: keine eigene Grenze'],
  attributeName: ['Name', 'Name'],
  attributeValues: ['Values', 'Werte'],
  addAttribute: ['Add attribute', 'Attribut hinzufügen'],
  removeAttribute: ['Remove attribute {name}', 'Attribut {name} entfernen'],
  noAttributes: ['No attributes', 'Keine Attribute'],
  chooseFile: ['Choose file', 'Datei wählen'],
  logoType: [
    'The file must be a PNG, JPEG, SVG, or WebP image.',
    'Die Datei muss ein Bild in PNG, JPEG, SVG oder WebP sein.',
  ],
  logoSize: ['The file must have at most 64 KiB.', 'Die Datei darf höchstens 64 KiB haben.'],
  image: ['Image ({type}), {bytes} bytes', 'Bild ({type}), {bytes} Bytes'],
  managed: [
    'The file that this realm follows describes this object. Change it there: its next apply takes back what was changed here.',
    'Die Datei, der dieser Realm folgt, beschreibt dieses Objekt. Ändern Sie es dort: Die nächste Anwendung nimmt zurück, was hier geändert wurde.',
  ],
  managedFile: ['Realm as code', 'Realm als Code'],
  notFound: ['Not found', 'Nicht gefunden'],
  notFoundHint: [
    'It may have been deleted, or you may not view it.',
    'Es wurde vielleicht gelöscht, oder Sie dürfen es nicht ansehen.',
  ],
});
