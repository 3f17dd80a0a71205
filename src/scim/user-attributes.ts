import type { Attribute, Store } from './attribute.js';

const field = (name: 'username' | 'firstName' | 'lastName' | 'email' | 'enabled'): Store => ({ field: name });
const inAttribute = (attribute: string): Store => ({ attribute });

const simple = (name: string, attribute: string, description: string): Attribute => ({
  name,
  description,
  store: inAttribute(attribute),
});

/** An attribute that answers make from the names if it has no value of its own. */
const derived = (...values: Parameters<typeof simple>): Attribute => ({ ...simple(...values), isDerived: true });

const addressParts = {
  formatted: 'Full address as one text.',
  streetAddress: 'Street and number.',
  locality: 'City.',
  region: 'State or region.',
  postalCode: 'Postal code.',
  country: 'Country.',
};
/** The mappers of the client scope `address` read these attributes. */
const addressAttributes: Record<keyof typeof addressParts, string> = {
  formatted: 'formatted',
  streetAddress: 'street',
  locality: 'locality',
  region: 'region',
  postalCode: 'postal_code',
  country: 'country',
};

const typeOf = (canonicalValues: readonly string[]): Attribute => ({
  name: 'type',
  description: 'Type of the entry. There is at most one entry of each type.',
  canonicalValues,
});

const phoneTypes = ['work', 'mobile', 'home', 'fax', 'pager', 'other'];
const phoneAttribute = (type: string): string => (type === 'work' ? 'phoneNumber' : `phoneNumber.${type}`);

/** The attributes of the core schema of users, RFC 7643 section 4.1, besides those that all resources have. */
export const userAttributes: readonly Attribute[] = [
  {
    name: 'userName',
    description: 'Username, unique in the realm and stored in lower case.',
    isRequired: true,
    uniqueness: 'server',
    store: field('username'),
  },
  {
    name: 'name',
    description: 'Parts of the name.',
    type: 'complex',
    parts: [
      derived('formatted', 'formattedName', 'Full name. If it is not set, the first and last name.'),
      { name: 'familyName', description: 'Last name.', store: field('lastName') },
      { name: 'givenName', description: 'First name.', store: field('firstName') },
      simple('middleName', 'middleName', 'Middle names.'),
      simple('honorificPrefix', 'honorificPrefix', 'Title before the name, e.g. `Dr.`'),
      simple('honorificSuffix', 'honorificSuffix', 'Suffix after the name, e.g. `III`'),
    ],
  },
  derived('displayName', 'displayName', 'Displayed name. If it is not set, the first and last name.'),
  simple('nickName', 'nickname', 'Name by which the user is addressed.'),
  {
    name: 'profileUrl',
    description: 'Address of a page about the user.',
    type: 'reference',
    referenceTypes: ['external'],
    isCaseExact: true,
    store: inAttribute('profile'),
  },
  simple('title', 'title', 'Job title.'),
  simple('userType', 'userType', 'Relation of the user to the organization, e.g. `Employee`.'),
  simple('preferredLanguage', 'preferredLanguage', 'Preferred language, e.g. `en-US`.'),
  simple('locale', 'locale', 'Language of the login pages and of emails, e.g. `en`.'),
  simple('timezone', 'zoneinfo', 'Time zone, e.g. `Europe/Vienna`.'),
  {
    name: 'active',
    description: 'Whether the user can log in. Default for a new user: true.',
    type: 'boolean',
    // a user always has a value, which cannot be removed
    isRequired: true,
    store: field('enabled'),
  },
  {
    name: 'password',
    description: 'Password. It is never returned.',
    isCaseExact: true,
    mutability: 'writeOnly',
    returned: 'never',
  },
  {
    name: 'emails',
    description: 'Email address. A user has at most one.',
    type: 'complex',
    isMultiValued: true,
    parts: [
      { name: 'value', description: 'Email address, stored in lower case.' },
      typeOf(['work']),
      { name: 'primary', description: 'Whether it is the preferred address. Default: true.', type: 'boolean' },
    ],
    stores: { work: { value: field('email'), primary: inAttribute('scim.emails.primary') } },
    standards: { primary: true },
  },
  {
    name: 'phoneNumbers',
    description: 'Telephone numbers, at most one of each type.',
    type: 'complex',
    isMultiValued: true,
    parts: [{ name: 'value', description: 'Telephone number.' }, typeOf(phoneTypes)],
    stores: Object.fromEntries(phoneTypes.map((type) => [type, { value: inAttribute(phoneAttribute(type)) }])),
  },
  {
    name: 'addresses',
    description: 'Postal address. A user has at most one.',
    type: 'complex',
    isMultiValued: true,
    parts: [...Object.entries(addressParts).map(([name, description]) => ({ name, description })), typeOf(['work'])],
    stores: {
      work: Object.fromEntries(Object.entries(addressAttributes).map(([name, to]) => [name, inAttribute(to)])),
    },
  },
  {
    name: 'roles',
    description: 'Roles that the source of the user states. They grant nothing here.',
    type: 'complex',
    isMultiValued: true,
    parts: [{ name: 'value', description: 'Name of a role.', isCaseExact: true }],
    store: inAttribute('scim.roles'),
  },
  {
    name: 'groups',
    description: 'Groups of which the user is a direct member. Change the members of the groups instead.',
    type: 'complex',
    isMultiValued: true,
    mutability: 'readOnly',
    parts: [
      { name: 'value', description: 'ID of the group.', isCaseExact: true, mutability: 'readOnly' },
      {
        name: '$ref',
        description: 'Address of the group.',
        type: 'reference',
        referenceTypes: ['Group'],
        isCaseExact: true,
        mutability: 'readOnly',
      },
      { name: 'display', description: 'Name of the group.', mutability: 'readOnly' },
      {
        name: 'type',
        description: 'Always `direct`.',
        canonicalValues: ['direct', 'indirect'],
        mutability: 'readOnly',
      },
    ],
  },
];

/** The attributes of the enterprise extension, RFC 7643 section 4.3. */
export const enterpriseAttributes: readonly Attribute[] = [
  simple('employeeNumber', 'employeeNumber', 'Number or code of the employee.'),
  simple('costCenter', 'costCenter', 'Cost center.'),
  simple('organization', 'organization', 'Organization.'),
  simple('division', 'division', 'Division.'),
  simple('department', 'department', 'Department.'),
  {
    name: 'manager',
    description: 'Manager of the user.',
    type: 'complex',
    parts: [
      {
        name: 'value',
        description: 'ID of the manager, as the source of the user states it.',
        isCaseExact: true,
        store: inAttribute('manager'),
      },
    ],
  },
];
