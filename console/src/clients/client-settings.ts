import { type FieldLine, fieldsOf, type Section } from '../parts/fields.js';
import type { Text } from '../text/text.js';
import type { ClientProtocol } from './documents.js';
import { texts } from './text.js';

const section = (title: Text, lines: Record<string, FieldLine>): Section => ({ title, fields: fieldsOf(lines) });

const required = { isRequired: true };
const inherited = { hint: ['Seconds. Empty: as the realm has it.', 'Sekunden. Leer: wie im Realm.'] } as const;

const general = section(texts.general, {
  clientId: ['text', ...texts.clientId, required],
  name: ['text', ...texts.name],
  description: ['text', ...texts.description],
  kind: [['PUBLIC', 'CONFIDENTIAL', 'BEARER_ONLY'], ...texts.kind, required],
  isEnabled: ['flag', ...texts.enabled],
  isAlwaysDisplayedInConsole: [
    'flag',
    'Always listed in the account console',
    'Immer in der Kontoverwaltung gelistet',
    { hint: ['Off: once the user has used the client.', 'Aus: sobald der Benutzer den Client benutzt hat.'] },
  ],
  allowsFullScope: [
    'flag',
    'Tokens contain all roles of the user',
    'Tokens enthalten alle Rollen des Benutzers',
    { hint: ['Off: only those of the tab “Scope mappings”.', 'Aus: nur die im Tab „Zugelassene Rollen“.'] },
  ],
});

const addresses = section(['Addresses', 'Adressen'], {
  redirectUris: ['lines', ...texts.redirectUris, { hint: texts.redirectUrisHint }],
  webOrigins: [
    'lines',
    'Web origins',
    'Web-Origins',
    {
      hint: [
        'Pages that may send requests. +: the origins of the redirect URIs.',
        'Seiten, die Anfragen senden dürfen. +: die Origins der Redirect-URIs.',
      ],
    },
  ],
  'urls.root': [
    'text',
    'Root URL',
    'Stamm-URL',
    { hint: ['Relative addresses of the client begin with it.', 'Damit beginnen relative Adressen des Clients.'] },
  ],
  'urls.base': [
    'text',
    'Home URL',
    'Start-URL',
    { hint: ['Where users open the application.', 'Hier öffnen Benutzer die Anwendung.'] },
  ],
  'urls.admin': [
    'text',
    'Admin URL',
    'Admin-URL',
    { hint: ['Gets logouts and revocations.', 'Bekommt Abmeldungen und Widerrufe.'] },
  ],
});

const consent = section(['Consent', 'Einwilligung'], {
  'consent.isRequired': ['flag', 'Users must consent', 'Benutzer müssen zustimmen'],
  'consent.isClientListed': [
    'flag',
    'The client is an item of the consent',
    'Der Client ist ein Punkt der Einwilligung',
    { hint: ['With the text of the consent.', 'Mit dem Text der Einwilligung.'] },
  ],
  'consent.screenText': ['long', ...texts.consentText],
});

const openIdConnect: Section[] = [
  section(['Flows', 'Flows'], {
    'flows.isStandardEnabled': ['flag', 'Standard flow (authorization code)', 'Standard-Flow (Authorization Code)'],
    'flows.isServiceAccountEnabled': [
      'flag',
      'Service account (client credentials)',
      'Dienstkonto (Client Credentials)',
    ],
    'flows.isDirectAccessEnabled': [
      'flag',
      'Direct access (password)',
      'Direkter Zugriff (Passwort)',
      { hint: ['The application asks for the password itself.', 'Die Anwendung fragt selbst nach dem Passwort.'] },
    ],
    'flows.isDeviceEnabled': [
      'flag',
      'Device flow',
      'Geräte-Flow',
      { hint: ['For devices without a browser.', 'Für Geräte ohne Browser.'] },
    ],
    'flows.isCibaEnabled': [
      'flag',
      'CIBA',
      'CIBA',
      {
        hint: [
          'Users approve the login on another device.',
          'Benutzer bestätigen die Anmeldung auf einem anderen Gerät.',
        ],
      },
    ],
    'flows.isImplicitEnabled': [
      'flag',
      'Implicit flow',
      'Impliziter Flow',
      { hint: ['Outdated: tokens are in addresses.', 'Veraltet: Tokens stehen in Adressen.'] },
    ],
    hasAuthorizationServices: [
      'flag',
      'Authorization services',
      'Autorisierungsdienste',
      { hint: ['They need a service account.', 'Sie brauchen ein Dienstkonto.'] },
    ],
    'authorizationRequests.requiresPushedRequests': ['flag', 'Requires pushed requests', 'Verlangt Pushed Requests'],
    'authorizationRequests.pkceMethod': [
      ['S256', 'PLAIN'],
      'PKCE',
      'PKCE',
      { hint: ['Empty: not required.', 'Leer: nicht verlangt.'] },
    ],
  }),
  section(['Authentication of the client', 'Authentifizierung des Clients'], {
    'authentication.authenticator': [
      ['client-secret', 'client-secret-jwt', 'client-jwt', 'client-x509'],
      'Method',
      'Verfahren',
    ],
    'authentication.assertionAlgorithm': [
      ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'HS256', 'HS384', 'HS512'],
      'Algorithm of assertions',
      'Verfahren der Assertions',
      { hint: ['Empty: any.', 'Leer: jedes.'] },
    ],
    'authentication.certificateSubject': ['text', 'Subject of the certificate', 'Subject des Zertifikats'],
    'authentication.usesJwksUrl': ['flag', 'Keys are loaded from the JWKS URL', 'Schlüssel von der JWKS-URL laden'],
    'authentication.jwksUrl': ['text', 'JWKS URL', 'JWKS-URL'],
    'authentication.usesJwks': ['flag', 'Keys are those of the JWKS', 'Schlüssel sind die des JWKS'],
    'authentication.jwks': ['long', 'JWKS', 'JWKS'],
  }),
  section(['Tokens', 'Tokens'], {
    'tokens.accessTokenLifespan': ['number', 'Lifespan of access tokens', 'Lebensdauer von Access-Tokens', inherited],
    'tokens.sessionIdleTimeout': ['number', 'Idle timeout of sessions', 'Leerlaufzeit von Sitzungen', inherited],
    'tokens.sessionMaxLifespan': ['number', 'Lifespan of sessions', 'Lebensdauer von Sitzungen', inherited],
    'tokens.usesRefreshTokens': ['flag', 'Refresh tokens', 'Refresh-Tokens'],
    'tokens.isCertificateBound': [
      'flag',
      'Bound to the certificate of the client',
      'An das Zertifikat des Clients gebunden',
    ],
  }),
  section(['Logout', 'Abmeldung'], {
    'logout.backChannelUrl': ['text', 'Back-channel URL', 'Back-Channel-URL'],
    'logout.requiresBackChannelSession': [
      'flag',
      'Tells the session',
      'Nennt die Sitzung',
      { hint: ['Logout tokens contain its ID.', 'Logout-Tokens enthalten ihre ID.'] },
    ],
    'logout.isFrontChannelEnabled': [
      'flag',
      'Front channel',
      'Front-Channel',
      { hint: ['The browser is sent to the application.', 'Der Browser wird zur Anwendung geschickt.'] },
    ],
    'logout.revokesOfflineTokens': ['flag', 'Revokes offline tokens', 'Widerruft Offline-Tokens'],
  }),
];

const ofRealm = { target: 'flow', hint: ['Empty: the flow of the realm.', 'Leer: der Ablauf des Realms.'] } as const;
const browserFlow: FieldLine = ['target', 'Login in the browser', 'Anmeldung im Browser', ofRealm];

const flowOverrides = section(['Authentication flows', 'Authentifizierungsabläufe'], {
  'flowOverrides.browser': browserFlow,
  'flowOverrides.directGrant': ['target', 'Direct access (password)', 'Direkter Zugriff (Passwort)', ofRealm],
});

const saml = section(['SAML', 'SAML'], {
  'saml.signsDocuments': ['flag', 'Signs documents', 'Signiert Dokumente'],
  'saml.signsAssertions': ['flag', 'Signs assertions', 'Signiert Assertions'],
  'saml.encryptsAssertions': ['flag', 'Encrypts assertions', 'Verschlüsselt Assertions'],
  'saml.requiresClientSignature': ['flag', 'Requires signatures of the client', 'Verlangt Signaturen des Clients'],
  'saml.forcesPostBinding': ['flag', 'Always POST binding', 'Immer POST-Binding'],
  'saml.nameIdFormat': [['USERNAME', 'EMAIL', 'TRANSIENT', 'PERSISTENT'], 'NameID format', 'NameID-Format'],
  'saml.assertionConsumerPostUrl': ['text', 'Assertion consumer (POST)', 'Assertion Consumer (POST)'],
  'saml.logoutPostUrl': ['text', 'Logout service (POST)', 'Logout-Dienst (POST)'],
});

/** The sections of the form of a client. */
export const sectionsOf = (protocol: ClientProtocol | null): Section[] =>
  protocol === 'SAML'
    ? [general, addresses, saml, section(flowOverrides.title, { 'flowOverrides.browser': browserFlow }), consent]
    : [general, addresses, ...openIdConnect, flowOverrides, consent];
