import type { FormField } from '../parts/field-input.js';
import type { Section } from '../parts/settings-form.js';
import type { Text } from '../text/text.js';
import type { ClientFormFragment } from './documents.js';

const flag = (path: string, label: Text): FormField => ({ path, label, kind: 'flag' });
const seconds = (path: string, label: Text): FormField => ({
  path,
  label,
  kind: 'number',
  hint: ['Seconds. Empty: as the realm has it.', 'Sekunden. Leer: wie im Realm.'],
});
const lines = (path: string, label: Text): FormField => ({ path, label, kind: 'lines' });

const general: Section = {
  title: ['General', 'Allgemein'],
  fields: [
    { path: 'clientId', label: ['Client ID', 'Client-ID'], isRequired: true },
    { path: 'name', label: ['Name', 'Name'] },
    { path: 'description', label: ['Description', 'Beschreibung'] },
    {
      path: 'kind',
      label: ['Kind', 'Art'],
      kind: 'choice',
      choices: ['PUBLIC', 'CONFIDENTIAL', 'BEARER_ONLY'],
      isRequired: true,
    },
    flag('isEnabled', ['Enabled', 'Aktiv']),
    flag('isAlwaysDisplayedInConsole', [
      'Always listed in the account console',
      'Immer in der Kontoverwaltung gelistet',
    ]),
    flag('allowsFullScope', ['Tokens contain all roles of the user', 'Tokens enthalten alle Rollen des Benutzers']),
  ],
};

const addresses: Section = {
  title: ['Addresses', 'Adressen'],
  fields: [
    lines('redirectUris', ['Redirect URIs', 'Redirect-URIs']),
    lines('webOrigins', ['Web origins', 'Web-Origins']),
    { path: 'urls.root', label: ['Root URL', 'Stamm-URL'] },
    { path: 'urls.base', label: ['Home URL', 'Start-URL'] },
    { path: 'urls.admin', label: ['Admin URL', 'Admin-URL'] },
  ],
};

const consent: Section = {
  title: ['Consent', 'Einwilligung'],
  fields: [
    flag('consent.isRequired', ['Users must consent', 'Benutzer müssen zustimmen']),
    flag('consent.isClientListed', [
      'The client is an item of the consent',
      'Der Client ist ein Punkt der Einwilligung',
    ]),
    { path: 'consent.screenText', label: ['Text of the consent', 'Text der Einwilligung'], kind: 'long' },
  ],
};

const openIdConnect: Section[] = [
  {
    title: ['Flows', 'Flows'],
    fields: [
      flag('flows.isStandardEnabled', ['Standard flow (authorization code)', 'Standard-Flow (Authorization Code)']),
      flag('flows.isServiceAccountEnabled', [
        'Service account (client credentials)',
        'Dienstkonto (Client Credentials)',
      ]),
      flag('flows.isDirectAccessEnabled', ['Direct access (password)', 'Direkter Zugriff (Passwort)']),
      flag('flows.isDeviceEnabled', ['Device flow', 'Geräte-Flow']),
      flag('flows.isCibaEnabled', ['CIBA', 'CIBA']),
      flag('flows.isImplicitEnabled', ['Implicit flow', 'Impliziter Flow']),
      flag('hasAuthorizationServices', ['Authorization services', 'Autorisierungsdienste']),
      flag('authorizationRequests.requiresPushedRequests', ['Requires pushed requests', 'Verlangt Pushed Requests']),
      {
        path: 'authorizationRequests.pkceMethod',
        label: ['PKCE', 'PKCE'],
        kind: 'choice',
        choices: ['S256', 'PLAIN'],
        hint: ['Empty: not required.', 'Leer: nicht verlangt.'],
      },
    ],
  },
  {
    title: ['Tokens', 'Tokens'],
    fields: [
      seconds('tokens.accessTokenLifespan', ['Lifespan of access tokens', 'Lebensdauer von Access-Tokens']),
      seconds('tokens.sessionIdleTimeout', ['Idle timeout of sessions', 'Leerlaufzeit von Sitzungen']),
      seconds('tokens.sessionMaxLifespan', ['Lifespan of sessions', 'Lebensdauer von Sitzungen']),
      flag('tokens.usesRefreshTokens', ['Refresh tokens', 'Refresh-Tokens']),
      flag('tokens.isCertificateBound', [
        'Bound to the certificate of the client',
        'An das Zertifikat des Clients gebunden',
      ]),
    ],
  },
  {
    title: ['Logout', 'Abmeldung'],
    fields: [
      { path: 'logout.backChannelUrl', label: ['Back-channel URL', 'Back-Channel-URL'] },
      flag('logout.requiresBackChannelSession', ['Tells the session', 'Nennt die Sitzung']),
      flag('logout.isFrontChannelEnabled', ['Front channel', 'Front-Channel']),
      flag('logout.revokesOfflineTokens', ['Revokes offline tokens', 'Widerruft Offline-Tokens']),
    ],
  },
];

const saml: Section = {
  title: ['SAML', 'SAML'],
  fields: [
    flag('saml.signsDocuments', ['Signs documents', 'Signiert Dokumente']),
    flag('saml.signsAssertions', ['Signs assertions', 'Signiert Assertions']),
    flag('saml.encryptsAssertions', ['Encrypts assertions', 'Verschlüsselt Assertions']),
    flag('saml.requiresClientSignature', ['Requires signatures of the client', 'Verlangt Signaturen des Clients']),
    flag('saml.forcesPostBinding', ['Always POST binding', 'Immer POST-Binding']),
    {
      path: 'saml.nameIdFormat',
      label: ['NameID format', 'NameID-Format'],
      kind: 'choice',
      choices: ['USERNAME', 'EMAIL', 'TRANSIENT', 'PERSISTENT'],
    },
    { path: 'saml.assertionConsumerPostUrl', label: ['Assertion consumer (POST)', 'Assertion Consumer (POST)'] },
    { path: 'saml.logoutPostUrl', label: ['Logout service (POST)', 'Logout-Dienst (POST)'] },
  ],
};

/** The sections of the form of a client. */
export const sectionsOf = ({ protocol }: ClientFormFragment): Section[] =>
  protocol === 'SAML' ? [general, addresses, saml, consent] : [general, addresses, ...openIdConnect, consent];
