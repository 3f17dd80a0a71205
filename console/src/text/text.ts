import { useCallback } from 'react';
import { createStore, useStore } from '../session/store.js';
import { type Text, words } from './words.js';

export type { Text };

/** The languages of the console, in the order of the texts of a catalogue. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const stored = 'realmgate-console-language';
const order = Object.keys(languages) as Language[];
const isLanguage = (name: string): name is Language => name in languages;

/** The language of the console: the one that was chosen, or that of the browser, or English. */
export const language = createStore<Language>(
  [localStorage.getItem(stored) ?? '', ...navigator.languages.map((name) => name.slice(0, 2))].find(isLanguage) ?? 'en',
);

/** Chooses a language, which the browser remembers. */
export function chooseLanguage(name: Language): void {
  localStorage.setItem(stored, name);
  language.set(name);
}

type PlaceholdersOf<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;
type Values<Entry extends Text> = [PlaceholdersOf<Entry[0]>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<Entry[0]>, string | number>];

/** Gives the text of a key in the present language. */
export type Translate<Catalogue extends Record<string, Text>> = <Key extends keyof Catalogue>(
  key: Key,
  ...values: Values<Catalogue[Key]>
) => string;

/** Declares the texts of an area, which it has besides the words of all areas. A missing translation is a type error. */
export const catalogue = <const Catalogue extends Record<string, Text>>(
  texts: Catalogue,
): Omit<typeof words, keyof Catalogue> & Catalogue => ({ ...words, ...texts });

/** The texts of an area in the present language. */
export function useText<Catalogue extends Record<string, Text>>(texts: Catalogue): Translate<Catalogue> {
  const present = useStore(language);
  return useCallback(
    (key, ...[values]) => translated(texts[key] as Text, present, values as Record<string, string | number>),
    [texts, present],
  );
}

/** One text in a language. Numbers are written as the language writes them. */
function translated(text: Text, name: Language, values: Record<string, string | number> = {}): string {
  const pattern = text[order.indexOf(name)] ?? text[0];
  return pattern.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key];
    return typeof value === 'number' ? numbers(name).format(value) : (value ?? '');
  });
}

/** Gives single texts, such as titles and labels that are data, in the present language. */
export function useTranslated(): Words['translate'] {
  const present = useStore(language);
  return useCallback(
    (text, values) => (typeof text === 'string' ? text : translated(text, present, values)),
    [present],
  );
}

/** The present language for functions that are no components, such as those of a column. */
export interface Words {
  /** a text that is one in all languages stays as it is */
  translate(text: Text | string, values?: Record<string, string | number>): string;
  /** the name of a value of an enum */
  valueName(value: string): string;
  /** the name of an object as it is stored */
  storedName(name: string): string;
}

/** The words of the present language. */
export function useWords(): Words {
  const [translate, valueName, storedName] = [useTranslated(), useValueName(), useStoredName()];
  return { translate, valueName, storedName };
}

/** Makes a formatter of a language when it is first used, and keeps it: that takes the browser many milliseconds. */
function keptByLanguage<Formatter>(make: (name: Language) => Formatter): (name: Language) => Formatter {
  const made = new Map<Language, Formatter>();
  return (name) => {
    const formatter = made.get(name) ?? make(name);
    made.set(name, formatter);
    return formatter;
  };
}

const numbers = keptByLanguage((name) => new Intl.NumberFormat(name));
const moments = keptByLanguage((name) => new Intl.DateTimeFormat(name, { dateStyle: 'medium', timeStyle: 'short' }));

/** Functions that write dates and numbers in the present language. */
export function useFormat() {
  const present = useStore(language);
  return {
    number: (value: number) => numbers(present).format(value),
    moment: (value: string) => moments(present).format(new Date(value)),
  };
}

/** What values of the API's enums are called, where a form offers them or a list shows them. */
const names: Readonly<Record<string, Text>> = {
  REQUIRED: ['Required', 'Erforderlich'],
  ALTERNATIVE: ['Alternative', 'Alternativ'],
  CONDITIONAL: ['Conditional', 'Bedingt'],
  DISABLED: ['Disabled', 'Deaktiviert'],
  ALL: ['For all requests', 'Für alle Anfragen'],
  EXTERNAL: ['For external requests', 'Für externe Anfragen'],
  NONE: ['Not required', 'Nicht erforderlich'],
  READ_ONLY: ['Read-only', 'Nur lesen'],
  WRITABLE: ['Writable', 'Schreibbar'],
  UNSYNCED: ['Changes are stored locally', 'Änderungen lokal speichern'],
  IMPORT: ['At the first login only', 'Nur bei der ersten Anmeldung'],
  FORCE: ['At each login', 'Bei jeder Anmeldung'],
  LEGACY: ['As mappers did before (legacy)', 'Wie frühere Mapper (Legacy)'],
  POSITIVE: ['Positive', 'Positiv'],
  NEGATIVE: ['Negative', 'Negativ'],
  SCRIPT: ['Script', 'Skript'],
  ENFORCING: ['Denied', 'Verweigert'],
  PERMISSIVE: ['Permitted', 'Erlaubt'],
  UNANIMOUS: ['Unanimous', 'Einstimmig'],
  AFFIRMATIVE: ['Affirmative', 'Eine genügt'],
  CONSENSUS: ['Consensus', 'Mehrheit'],
  PUBLIC: ['Public', 'Öffentlich'],
  CONFIDENTIAL: ['Confidential', 'Vertraulich'],
  BEARER_ONLY: ['Bearer-only', 'Nur Bearer-Tokens'],
  'client-secret': ['Client secret', 'Client-Secret'],
  'client-secret-jwt': ['JWT that is signed with the secret', 'JWT, mit dem Secret signiert'],
  'client-jwt': ['JWT that is signed with a private key', 'JWT, mit einem privaten Schlüssel signiert'],
  'client-x509': ['X.509 certificate', 'X.509-Zertifikat'],
  password: ['Password', 'Passwort'],
  otp: ['One-time password', 'Einmalpasswort'],
  webauthn: ['Security key', 'Sicherheitsschlüssel'],
  'webauthn-passwordless': ['Passkey', 'Passkey'],
  'recovery-authn-codes': ['Recovery codes', 'Wiederherstellungscodes'],
  'jwt.credential': ['Key of the client', 'Schlüssel des Clients'],
  'saml.signing': ['Signing key', 'Signaturschlüssel'],
  'saml.encryption': ['Encryption key', 'Verschlüsselungsschlüssel'],
  CERTIFICATE_PEM: ['Certificate (PEM)', 'Zertifikat (PEM)'],
  PUBLIC_KEY_PEM: ['Public key (PEM)', 'Öffentlicher Schlüssel (PEM)'],
  NOT_SPECIFIED: ['Not specified', 'Nicht festgelegt'],
  PLATFORM: ['Built into the device', 'Im Gerät eingebaut'],
  CROSS_PLATFORM: ['Removable', 'Abnehmbar'],
  DIRECT: ['Direct', 'Direkt'],
  INDIRECT: ['Indirect', 'Indirekt'],
  PREFERRED: ['Preferred', 'Bevorzugt'],
  DISCOURAGED: ['Discouraged', 'Unerwünscht'],
  YES: ['Yes', 'Ja'],
  NO: ['No', 'Nein'],
  TOTP: ['Time-based (TOTP)', 'Zeitbasiert (TOTP)'],
  HOTP: ['Counter-based (HOTP)', 'Zählerbasiert (HOTP)'],
  ACTIVE: ['Active', 'Aktiv'],
  PASSIVE: ['Passive', 'Passiv'],
  LOGIN: ['Login', 'Anmeldung'],
  LOGIN_ERROR: ['Failed login', 'Fehlgeschlagene Anmeldung'],
  LOGOUT: ['Logout', 'Abmeldung'],
  CREATE: ['Created', 'Angelegt'],
  UPDATE: ['Changed', 'Geändert'],
  DELETE: ['Deleted', 'Gelöscht'],
  ACTION: ['Action', 'Aktion'],
  REALM: words.realm,
  USER: words.user,
  GROUP: words.group,
  CLIENT: words.client,
  COMPONENT: ['Component', 'Komponente'],
  GROUP_MEMBERSHIP: ['Groups of user', 'Gruppen von Benutzer'],
  REALM_ROLE_MAPPING: ['Realm roles of', 'Realm-Rollen von'],
  CLIENT_ROLE_MAPPING: ['Client roles of', 'Client-Rollen von'],
  REALM_ROLE: ['Realm role', 'Realm-Rolle'],
  CLIENT_ROLE: ['Client role', 'Client-Rolle'],
  CLIENT_SCOPE: ['Client scope', 'Client-Scope'],
  PROTOCOL_MAPPER: ['Protocol mapper', 'Protokoll-Mapper'],
  IDENTITY_PROVIDER: ['Identity provider', 'Identity-Provider'],
  AUTH_FLOW: ['Authentication flow', 'Authentifizierungsablauf'],
  AUTH_EXECUTION: ['Step of an authentication flow', 'Schritt eines Authentifizierungsablaufs'],
  CLIENT_INITIAL_ACCESS_MODEL: ['Initial access token', 'Initial-Access-Token'],
  REQUIRED_ACTION: ['Required action', 'Erforderliche Aktion'],
  CONFIGURE_TOTP: ['Set up one-time passwords', 'Einmalpasswörter einrichten'],
  UPDATE_PASSWORD: ['Update password', 'Passwort ändern'],
  UPDATE_PROFILE: ['Update profile', 'Profil ändern'],
  VERIFY_EMAIL: ['Verify email', 'E-Mail bestätigen'],
  terms_and_conditions: ['Terms and conditions', 'Nutzungsbedingungen'],
  update_user_locale: ['Update language', 'Sprache ändern'],
  delete_account: ['Delete account', 'Konto löschen'],
  CONFIGURE_RECOVERY_AUTHN_CODES: ['Set up recovery codes', 'Wiederherstellungscodes einrichten'],
  'webauthn-register': ['Register security key', 'Sicherheitsschlüssel einrichten'],
  'webauthn-register-passwordless': ['Register passkey', 'Passkey einrichten'],
  '${client_account}': ['Account', 'Konto'],
  '${client_account-console}': ['Account console', 'Kontoverwaltung'],
  '${client_security-admin-console}': ['Administration console', 'Verwaltungskonsole'],
  '${client_admin-cli}': ['Administration on the command line', 'Verwaltung auf der Kommandozeile'],
  '${client_realm-management}': ['Realm management', 'Realm-Verwaltung'],
  '${client_broker}': ['Broker', 'Broker'],
};

/** Words of values that are written in capitals. */
const acronyms = /\b(pkce|ciba|saml|id|totp|uri|json|oidc|cli|sp|ldap|url|html|smtp|otp|jwks)\b/g;

/** A value such as `USER_ATTRIBUTE` or `${role_view-profile}` as one writes it: "User attribute", "View profile". Others as they are. */
function readableValue(value: string): string {
  const [, of, role] = /^([A-Z]+(?:_[A-Z]+)+)$|^\$\{role_([\w-]+)\}$/.exec(value) ?? [];
  const text = of ?? role;
  return text === undefined ? value : inWords(text.replaceAll(/[_-]/g, ' '));
}

/** Words in small letters, but for the first one and acronyms. */
function inWords(text: string): string {
  const words = text.toLowerCase().replace(acronyms, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Labels of fields in lists of changes, by the names of the fields in the API and the contract. */
const fieldNames: Readonly<Record<string, Text>> = {
  ...words,
  isEnabled: words.enabled,
  emailVerified: ['Email verified', 'E-Mail bestätigt'],
  isEmailVerified: ['Email verified', 'E-Mail bestätigt'],
  requiredActions: ['Required actions', 'Erforderliche Aktionen'],
  requiredActionAliases: ['Required actions', 'Erforderliche Aktionen'],
  directRoles: words.roles,
  clientId: ['Client ID', 'Client-ID'],
  redirectUris: ['Redirect URIs', 'Redirect-URIs'],
};

/** A name such as `isStandardEnabled` as one writes it: "Standard enabled". Others as they are. */
function readableName(name: string): string {
  if (!/^[a-z]+([A-Z][a-z]*)*$/.test(name)) return name;
  const text = name.replace(/^is(?=[A-Z])/, '').replaceAll(/([A-Z])/g, ' $1');
  return inWords(text.trim());
}

/** Gives the name of a field by its path; keys such as the name of an attribute are added. */
export function useFieldName(): (path: readonly string[]) => string {
  const present = useStore(language);
  return ([first = '', ...rest]) => {
    const name = Object.hasOwn(fieldNames, first) ? fieldNames[first] : undefined;
    return name ? [translated(name, present), ...rest].join(': ') : [first, ...rest].map(readableName).join(': ');
  };
}

/** Gives the name of a value of an enum in the present language, or the value in words. */
export function useValueName(): (value: string) => string {
  const present = useStore(language);
  return (value) => {
    const name = Object.hasOwn(names, value) ? names[value] : undefined;
    return name ? translated(name, present) : readableValue(value);
  };
}

/** Gives the name of an object as it is stored. One such as `${client_account}` stands for a text in the present language. */
function useStoredName(): (name: string) => string {
  const valueName = useValueName();
  return (name) => (name.startsWith('${') ? valueName(name) : name);
}
