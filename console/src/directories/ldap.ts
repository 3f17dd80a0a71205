import { type FormField, type Section, type StoredSetting, settingsOf } from '../parts/fields.js';
import type { Text } from '../text/text.js';
import { texts } from './text.js';

type Choices = NonNullable<FormField['choices']>;

const vendors = [
  { value: 'other', label: 'OpenLDAP, …' },
  { value: 'ad', label: 'Active Directory' },
  { value: 'rhds', label: '389, Red Hat Directory Server' },
  { value: 'tivoli', label: 'Tivoli' },
  { value: 'edirectory', label: 'eDirectory' },
];

const editModes = ['READ_ONLY', 'WRITABLE', 'UNSYNCED'];

/** Values of settings for which the API declares none. */
const choices: Record<string, Choices> = {
  vendor: vendors,
  editMode: editModes,
  authType: ['simple', 'none'],
  useTruststoreSpi: ['ldapsOnly', 'always', 'never'],
  searchScope: [
    { value: '1', label: 'one level' },
    { value: '2', label: 'subtree' },
  ],
};

/** The sections of the form, with the German names of the settings: the API has the English ones. It keeps other settings as they are. */
const sections: [title: Text, settings: Record<string, string>][] = [
  [
    ['Connection', 'Verbindung'],
    {
      connectionUrl: 'Adresse',
      startTls: 'StartTLS',
      authType: 'Art der Anmeldung',
      useTruststoreSpi: 'Truststore verwenden',
      bindDn: 'Bind-DN',
      bindCredential: 'Bind-Passwort',
      connectionTimeout: 'Frist für Verbindungen',
      readTimeout: 'Frist für Antworten',
    },
  ],
  [
    ['Users', 'Benutzer'],
    {
      vendor: 'Hersteller',
      editMode: 'Schreibweise',
      usersDn: 'DN der Benutzer',
      searchScope: 'Tiefe der Suche',
      usernameLDAPAttribute: 'Attribut des Benutzernamens',
      rdnLDAPAttribute: 'Attribut des RDN',
      uuidLDAPAttribute: 'Attribut der UUID',
      userObjectClasses: 'Objektklassen der Benutzer',
      customUserSearchFilter: 'Suchfilter der Benutzer',
      pagination: 'Seitenweise lesen',
      importEnabled: 'Benutzer importieren',
      syncRegistrations: 'Registrierungen übertragen',
      trustEmail: 'E-Mail-Adressen vertrauen',
      validatePasswordPolicy: 'Passwortrichtlinie prüfen',
      usePasswordModifyExtendedOp: 'Erweiterte Operation für Passwörter',
    },
  ],
  [
    ['Kerberos', 'Kerberos'],
    {
      allowKerberosAuthentication: 'Anmeldung mit Kerberos erlauben',
      useKerberosForPasswordAuthentication: 'Kerberos für Passwörter verwenden',
      kerberosRealm: 'Kerberos-Realm',
      serverPrincipal: 'Principal des Servers',
      keyTab: 'Keytab',
      debug: 'Fehlersuche',
    },
  ],
];

const period = { hint: ['Seconds. -1: never.', 'Sekunden. -1: nie.'] } as const;
const required = { isRequired: true };

/** What every kind of storage has besides what its provider declares. */
const common: FormField[] = settingsOf({
  enabled: ['flag', ...texts.enabled],
  priority: [
    'text',
    'Priority',
    'Priorität',
    { hint: ['Lower numbers are searched first.', 'Kleinere Zahlen werden zuerst durchsucht.'] },
  ],
  fullSyncPeriod: ['text', 'All users are synchronised every', 'Alle Benutzer werden synchronisiert alle', period],
  changedSyncPeriod: ['text', 'Changed users are synchronised every', 'Geänderte Benutzer alle', period],
}).map((field) => (field.setting === 'enabled' ? { ...field, standard: 'true' } : field));

/** The fields of a directory, from the settings that its provider declares. */
export function directorySections(declared: readonly FormField[]): Section[] {
  const fieldsOf = (names: Record<string, string>) =>
    Object.entries(names).flatMap(([name, de]): FormField[] => {
      const field = declared.find((known) => known.setting === name);
      const values = choices[name];
      return field
        ? [{ ...field, label: [field.label[0], de], ...(values && { kind: 'choice', choices: values }) }]
        : [];
    });
  return [
    { title: texts.general, fields: [{ path: 'name', label: texts.name }, ...common] },
    ...sections.map(([title, names]) => ({ title, fields: fieldsOf(names) })),
  ].filter(({ fields }) => fields.length > 0);
}

/** What is asked of a new directory. Its vendor gives the rest. */
export const connectionFields: FormField[] = settingsOf({
  vendor: ['choice', 'Vendor', 'Hersteller', { choices: vendors, isRequired: true }],
  connectionUrl: ['text', 'Connection URL', 'Adresse', required],
  usersDn: ['text', 'Users DN', 'DN der Benutzer', required],
  bindDn: ['text', 'Bind DN', 'Bind-DN'],
  bindCredential: ['secret', 'Password', 'Passwort'],
  editMode: [editModes, ...texts.editMode, required],
});

const ids: Record<string, string> = {
  ad: 'objectGUID',
  rhds: 'nsuniqueid',
  tivoli: 'uniqueidentifier',
  edirectory: 'guid',
};

/** What the entries of a vendor look like. */
export function settingsOfVendor(vendor: string): StoredSetting[] {
  const name = vendor === 'ad' ? 'cn' : 'uid';
  return Object.entries({
    usernameLDAPAttribute: name,
    rdnLDAPAttribute: name,
    uuidLDAPAttribute: ids[vendor] ?? 'entryUUID',
    userObjectClasses: vendor === 'ad' ? 'person, organizationalPerson, user' : 'inetOrgPerson, organizationalPerson',
  }).map(([setting, value]) => ({ name: setting, values: [value] }));
}
