import { catalogue } from '../text/text.js';

/** Texts of the quick starts. */
export const texts = catalogue({
  title: ['Quick start', 'Schnellstart'],
  browser: ['Single-page application', 'Single-Page-Anwendung'],
  browserHint: [
    'Put this into a module of a page, after “npm install keycloak-js”. The address of the page must be one of the redirect URIs, and its origin one of the web origins.',
    'In ein Modul einer Seite einsetzen, nach „npm install keycloak-js“. Die Adresse der Seite muss unter den Redirect-URIs sein, ihr Ursprung unter den Web-Origins.',
  ],
  server: ['Server with pages', 'Server mit Seiten'],
  serverHint: [
    'Run this as a module with Node.js, after “npm install openid-client”, with the secret of the client in CLIENT_SECRET. http://localhost:3000/callback must be one of the redirect URIs.',
    'Als Modul mit Node.js ausführen, nach „npm install openid-client“, mit dem Secret des Clients in CLIENT_SECRET. http://localhost:3000/callback muss unter den Redirect-URIs sein.',
  ],
  service: ['Service without users', 'Dienst ohne Benutzer'],
  serviceHint: [
    'Gets a token for the service account, with the secret of the client in CLIENT_SECRET.',
    'Holt ein Token für das Dienstkonto, mit dem Secret des Clients in CLIENT_SECRET.',
  ],
  device: ['Command line', 'Kommandozeile'],
  deviceHint: [
    'Shows an address at which the user logs in with any browser, and waits for the token.',
    'Zeigt eine Adresse, unter der sich der Benutzer mit einem beliebigen Browser anmeldet, und wartet auf das Token.',
  ],
  api: ['API that takes tokens', 'API, die Tokens annimmt'],
  apiHint: [
    'Verifies the access token of a request, after “npm install jose”.',
    'Prüft das Access-Token einer Anfrage, nach „npm install jose“.',
  ],
  saml: ['SAML service provider', 'SAML-Service-Provider'],
  samlHint: [
    'Saves the metadata of the realm, which the application reads. Logins by SAML are not a part of this server: it stores the client and describes it.',
    'Speichert die Metadaten des Realms, die die Anwendung liest. Anmeldungen mit SAML gehören nicht zu diesem Server: Er speichert den Client und beschreibt ihn.',
  ],
  turnOn: [
    '“{flow}” has to be turned on in the settings of the client.',
    '„{flow}“ muss in den Einstellungen des Clients eingeschaltet werden.',
  ],
});
