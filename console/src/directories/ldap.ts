import { type SettingField, type StoredSetting, settingField as setting } from '../parts/provider-settings.js';
import type { Section } from '../parts/settings-form.js';
import type { Text } from '../text/text.js';
import { texts } from './text.js';

type Choices = NonNullable<SettingField['choices']>;

const vendors = [
  { value: 'other', label: 'OpenLDAP, …' },
  { value: 'ad', label: 'Active Directory' },
  { value: 'rhds', label: '389, Red Hat Directory Server' },
  { value: 'tivoli', label: 'Tivoli' },
  { value: 'edirectory', label: 'eDirectory' },
];

/** Values of settings for which the API declares none. */
const choices: Record<string, Choices> = {
  vendor: vendors,
  editMode: ['READ_ONLY', 'WRITABLE', 'UNSYNCED'],
  authType: ['simple', 'none'],
  useTruststoreSpi: ['ldapsOnly', 'always', 'never'],
  searchScope: [
    { value: '1', label: 'one level' },
    { value: '2', label: 'subtree' },
  ],
};

/** The sections of the form, with the names of the settings. Others are kept as they are. */
const sections: [title: Text, settings: string[]][] = [
  [
    ['Connection', 'Verbindung'],
    [
      'connectionUrl',
      'startTls',
      'authType',
      'useTruststoreSpi',
      'bindDn',
      'bindCredential',
      'connectionTimeout',
      'readTimeout',
    ],
  ],
  [
    ['Users', 'Benutzer'],
    [
      'vendor',
      'editMode',
      'usersDn',
      'searchScope',
      'usernameLDAPAttribute',
      'rdnLDAPAttribute',
      'uuidLDAPAttribute',
      'userObjectClasses',
      'customUserSearchFilter',
      'pagination',
      'importEnabled',
      'syncRegistrations',
      'trustEmail',
      'validatePasswordPolicy',
      'usePasswordModifyExtendedOp',
    ],
  ],
  [
    ['Kerberos', 'Kerberos'],
    [
      'allowKerberosAuthentication',
      'useKerberosForPasswordAuthentication',
      'kerberosRealm',
      'serverPrincipal',
      'keyTab',
      'debug',
    ],
  ],
];

const seconds: Text = ['Seconds. -1: never.', 'Sekunden. -1: nie.'];

/** What every kind of storage has besides what its provider declares. */
const common: SettingField[] = [
  setting('enabled', texts.enabled, { kind: 'flag', standard: 'true' }),
  setting('priority', ['Priority', 'Priorität'], {
    hint: ['Lower numbers are searched first.', 'Kleinere Zahlen werden zuerst durchsucht.'],
  }),
  setting('fullSyncPeriod', ['All users are synchronised every', 'Alle Benutzer werden synchronisiert alle'], {
    hint: seconds,
  }),
  setting('changedSyncPeriod', ['Changed users are synchronised every', 'Geänderte Benutzer alle'], { hint: seconds }),
];

/** The fields of a directory, from the settings that its provider declares. */
export function directorySections(declared: readonly SettingField[]): Section[] {
  const fieldsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = declared.find((known) => known.setting === name);
      const values = choices[name];
      return field ? [values ? { ...field, kind: 'choice' as const, choices: values } : field] : [];
    });
  return [
    { title: ['General', 'Allgemein'] as const, fields: [{ path: 'name', label: texts.name }, ...common] },
    ...sections.map(([title, names]) => ({ title, fields: fieldsOf(names) })),
  ].filter(({ fields }) => fields.length > 0);
}

/** All settings of sections. */
export const settingsOfSections = (all: readonly Section[]): SettingField[] =>
  all.flatMap(({ fields }) => fields.filter((field): field is SettingField => 'setting' in field));

/** What is asked of a new directory. Its vendor gives the rest. */
export const connectionFields: SettingField[] = [
  setting('vendor', ['Vendor', 'Hersteller'], { kind: 'choice', choices: vendors, isRequired: true }),
  setting('connectionUrl', ['Connection URL', 'Adresse'], { isRequired: true }),
  setting('usersDn', ['Users DN', 'DN der Benutzer'], { isRequired: true }),
  setting('bindDn', ['Bind DN', 'Bind-DN']),
  setting('bindCredential', ['Password', 'Passwort'], { kind: 'secret' }),
  setting('editMode', texts.editMode, { kind: 'choice', choices: choices.editMode ?? [], isRequired: true }),
];

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
