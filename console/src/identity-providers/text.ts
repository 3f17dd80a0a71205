import { catalogue } from '../text/text.js';

/** Texts of the identity providers. */
export const texts = catalogue({
  provider: ['Identity provider', 'Identity-Provider'],
  search: ['Search by alias', 'Nach Alias suchen'],
  create: ['Create identity provider', 'Identity-Provider anlegen'],
  none: ['No identity providers', 'Keine Identity-Provider'],
  noneHint: [
    'An identity provider is an external server at which users log in, such as that of a partner.',
    'Ein Identity-Provider ist ein externer Server, bei dem sich Benutzer anmelden, etwa der eines Partners.',
  ],
  registration: ['Registration', 'Registrierung'],
  registrationHint: [
    'Register this redirect URI at the identity provider.',
    'Registrieren Sie diese Redirect-URI beim Identity-Provider.',
  ],
  redirectUri: ['Redirect URI', 'Redirect-URI'],
  metadata: ['SAML metadata', 'SAML-Metadaten'],
  noMappersHint: [
    'A mapper applies what the provider says of users, such as attributes or roles.',
    'Ein Mapper übernimmt, was der Anbieter von Benutzern weiß, etwa Attribute oder Rollen.',
  ],
  document: ['Discovery document or SAML metadata', 'Discovery-Dokument oder SAML-Metadaten'],
  documentHint: [
    'The text, or its URL. The settings are read from it.',
    'Der Text oder dessen URL. Daraus werden die Einstellungen gelesen.',
  ],
  readSettings: ['Read settings', 'Einstellungen einlesen'],
});
