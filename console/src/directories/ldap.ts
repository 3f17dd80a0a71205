import { type FormField, type Section, type StoredSetting, settingsOf } from '../parts/fields.js';
import type { Text } from '../text/text.js';
import { texts } from './texts.js';

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

/** The sections of the form. The API keeps other settings as they are. */
const sections: [title: Text, settings: readonly (keyof typeof texts)[]][] = [
  [
    texts.connection,
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
    texts.users,
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
    texts.kerberos,
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

const period = { hint: texts.seconds1Never } as const;
const required = { isRequired: true };

/** What every kind of storage has besides what its provider declares. */
const common: FormField[] = settingsOf(texts, {
  enabled: ['flag'],
  priority: ['text', { hint: texts.priorityHint }],
  fullSyncPeriod: ['text', period],
  changedSyncPeriod: ['text', period],
}).map((field) => (field.setting === 'enabled' ? { ...field, standard: 'true' } : field));

/** The fields of a directory, from the settings that its provider declares. */
export function directorySections(declared: readonly FormField[]): Section[] {
  const fieldOf = (name: keyof typeof texts): FormField[] => {
    const values = choices[name];
    return declared
      .filter(({ setting }) => setting === name)
      .map((field) => ({ ...field, label: texts[name], ...(values && { kind: 'choice', choices: values }) }));
  };
  return [
    { title: texts.general, fields: [{ path: 'name', label: texts.name }, ...common] },
    ...sections.map(([title, names]) => ({ title, fields: names.flatMap(fieldOf) })),
  ].filter(({ fields }) => fields.length > 0);
}

/** What is asked of a new directory. Its vendor gives the rest. */
export const connectionFields: FormField[] = settingsOf(texts, {
  vendor: ['choice', { choices: vendors, isRequired: true }],
  connectionUrl: ['text', { ...required, hint: texts.connectionUrlHint }],
  usersDn: ['text', { ...required, hint: texts.usersDnHint }],
  bindDn: ['text', { hint: texts.bindDnHint }],
  bindCredential: ['secret', { label: texts.password }],
  editMode: [editModes, required],
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
