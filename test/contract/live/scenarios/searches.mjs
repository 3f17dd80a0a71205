// Searches for users who are in a directory.
import { mapper, person, storage, users } from '../steps.mjs';

const people = [
  person('anna', { cn: 'Anna', sn: 'Ames', mail: 'anna@example.org', l: 'Ghent' }),
  person('annabel', { cn: 'Annabel', sn: 'Ames Brown', mail: 'bel@example.net' }),
  person('bert', { cn: 'Bert', sn: 'Berg', mail: 'bert.berg@example.org' }),
  person('susanna', { cn: 'Susanna', sn: "O'Hara (x)", mail: null }),
  person('zoe', { cn: 'Zoë', sn: 'Ärger*', mail: 'zoe+tag@example.org' }),
  person('under_score', { cn: 'Per%cent', sn: 'Back\\slash', mail: 'under_score@example.org' }),
];
const asked = (query) => ({
  ...users({ ...query, briefRepresentation: true }),
  note: Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
});
const counted = (query) => ({ ...asked(query), op: 'GET /{realm}/users/count', query });

const imports = ['true', 'false'];
/** A scenario for each query, as a search takes people into the realm. */
const scenario = (name, queries, config = {}, more = []) =>
  imports.map((importEnabled) => ({
    name: `${name}, importEnabled=${importEnabled}`,
    directory: people,
    steps: [
      storage({ importEnabled, ...config }),
      ...more,
      ...queries.map((query) => (query.count ? counted(query.count) : asked(query))),
    ],
  }));

const one = [
  ['by user name', [{ username: 'bert' }, { username: 'BERT' }]],
  [
    'by user name, exactly',
    [
      { username: 'anna', exact: true },
      { username: 'ann', exact: true },
      { username: 'Bert', exact: true },
    ],
  ],
  ['by mail', [{ email: 'anna@example.org' }, { email: 'BERT.BERG@example.org' }]],
  [
    'by mail, exactly',
    [
      { email: 'bel@example.net', exact: true },
      { email: 'anna@', exact: true },
    ],
  ],
  ['by first name', [{ firstName: 'bert' }, { firstName: 'Zoë' }]],
  ['by last name', [{ lastName: 'Berg' }, { lastName: 'Ames Brown' }]],
  [
    'by two fields',
    [
      { firstName: 'Anna', lastName: 'Berg' },
      { firstName: 'Bert', lastName: 'Berg' },
    ],
  ],
  [
    'by nothing that is there',
    [
      { username: 'nobody' },
      { search: 'nobody' },
      { email: 'nobody@example.org' },
      { username: '' },
      { search: '' },
      { search: ' ' },
    ],
  ],
  ['for a text', [{ search: 'anna@example.org' }, { search: 'Berg' }, { search: 'Bert Berg' }]],
  ['for a beginning, with an asterisk', [{ search: 'ann*' }]],
  ['for an end, with an asterisk', [{ search: '*nna' }]],
  ['for a middle, with asterisks', [{ search: '*nna*' }]],
  ['for both ends, with an asterisk', [{ search: 'a*a' }]],
  ['by user name, with an asterisk', [{ username: 'ann*' }]],
  ['by any user name', [{ username: '*' }]],
  ['by mail, with an asterisk', [{ email: '*@example.net' }]],
  ['by any last name', [{ lastName: '*' }]],
  ['in quotes', [{ search: '"anna"' }, { search: '"ann"' }, { search: '"' }]],
  [
    'with special characters',
    [{ lastName: 'Ärger*' }, { firstName: 'Per%cent' }, { search: ')(uid=*' }, { email: 'zoe+tag@example.org' }],
  ],
  ['by id', [{ search: 'id:anna' }, { search: 'id:' }]],
  ['with a page', [{ max: 2 }, { first: 2, max: 2 }, { first: 5, max: 10 }, { max: 0 }, { first: 100 }]],
  ['of everybody', [{}, { count: {} }]],
  ['by whether they are enabled', [{ enabled: true }, { enabled: false }, { enabled: true, username: 'bert' }]],
];
const counts = {
  name: 'search counted',
  directory: people,
  steps: [
    storage(),
    counted({}),
    counted({ username: 'bert' }),
    asked({ username: 'bert' }),
    counted({ username: 'bert' }),
    counted({ search: 'bert' }),
    counted({}),
  ],
};
const within = {
  name: 'search within values, importEnabled=true',
  directory: people,
  steps: [storage(), ...[{ username: 'nna' }, { search: 'erg' }, { email: 'bel' }, { lastName: 'brown' }].map(asked)],
};
const town = [
  mapper('town', 'user-attribute-ldap-mapper', {
    'user.model.attribute': 'town',
    'ldap.attribute': 'l',
    'read.only': 'true',
    'always.read.value.from.ldap': 'true',
    'is.mandatory.in.ldap': 'false',
  }),
];
const named = [
  person('anna', { cn: 'Anna Ames' }),
  person('bert', { cn: 'Bert van Berg' }),
  person('cher', { cn: 'Cher' }),
];
const byFullName = imports.map((importEnabled) => ({
  name: `search with the mapper of the full name, importEnabled=${importEnabled}`,
  directory: named,
  steps: [
    // such a storage has the mapper of the full name from the start
    storage({
      importEnabled,
      rdnLDAPAttribute: 'cn',
      usernameLDAPAttribute: 'uid',
      vendor: 'ad',
      uuidLDAPAttribute: 'entryUUID',
    }),
    ...[
      { firstName: 'Anna' },
      { lastName: 'Ames' },
      { firstName: 'Bert', lastName: 'Berg' },
      { firstName: 'Bert van' },
      { search: 'Cher' },
      { search: 'Anna Ames' },
    ].map(asked),
  ],
}));
const byAttribute = imports.map((importEnabled) => ({
  name: `search by an attribute, importEnabled=${importEnabled}`,
  directory: people,
  steps: [
    storage({ importEnabled }),
    ...town,
    ...[{ search: 'Ghent' }, { email: 'anna@example.org' }, { search: 'Ghent' }].map(asked),
  ],
}));
const filtered = [
  { customUserSearchFilter: '(sn=Ames*)' },
  { customUserSearchFilter: '(|(uid=bert)(l=Ghent))' },
  { searchScope: '2' },
  { searchScope: '2', usersDn: '$base' },
  { usersDn: '$base' },
  { userObjectClasses: 'inetOrgPerson, organizationalPerson' },
  { userObjectClasses: 'account' },
].map((config) => ({
  name: `search in ${JSON.stringify(config)}`,
  directory: people,
  steps: [
    storage({ importEnabled: 'false', ...config }),
    asked({ username: 'bert' }),
    asked({ search: 'bert.berg@example.org' }),
    asked({ lastName: 'Ames Brown' }),
  ],
}));

export default [
  ...one.flatMap(([name, queries]) => scenario(`search ${name}`, queries)),
  counts,
  within,
  ...byFullName,
  ...byAttribute,
  ...filtered,
];
