import { catalogue } from '../text/text.js';

/** Texts of the settings of a realm, except the names of the settings. */
export const texts = catalogue({
  title: ['Settings of {realm}', 'Einstellungen von {realm}'],
  search: ['Search settings', 'Einstellungen suchen'],
  noMatch: ['No setting matches.', 'Keine Einstellung passt.'],
  sections: ['Sections', 'Abschnitte'],
  keys: ['Keys', 'Schlüssel'],
  texts: ['Texts', 'Texte'],
  unchanged: ['Empty: unchanged', 'Leer: unverändert'],
  testEmail: ['Send a test email', 'Test-E-Mail senden'],
  testHint: ['The settings that are saved are used.', 'Verwendet werden die gespeicherten Einstellungen.'],
  recipient: ['Recipient', 'Empfänger'],
  recipientHint: ['Empty: the address of your account.', 'Leer: die Adresse Ihres Kontos.'],
  emailSent: ['The email is sent.', 'Die E-Mail ist gesendet.'],
  loginPreview: ['Preview of the login page', 'Vorschau der Anmeldeseite'],
  publicKey: ['Public key', 'Öffentlicher Schlüssel'],
  certificate: ['Certificate', 'Zertifikat'],
  priority: ['Priority {priority}', 'Priorität {priority}'],
  expires: ['The certificate expires on {moment}.', 'Das Zertifikat läuft am {moment} ab.'],
  locale: ['Language', 'Sprache'],
  key: ['Key', 'Schlüssel'],
  value: ['Text', 'Text'],
  set: ['Set text', 'Text setzen'],
  textSet: ['{name} is set.', '{name} ist gesetzt.'],
  noTexts: ['No texts of this language', 'Keine Texte in dieser Sprache'],
  noTextsHint: [
    'A text replaces the one that login pages and emails have for its key.',
    'Ein Text ersetzt den, den Anmeldeseiten und E-Mails für seinen Schlüssel haben.',
  ],
});
