// The mappers that a new storage has, and the kinds that it may have.
import { componentsBelow, mapperType, storage, titled } from '../steps.mjs';

const shapes = {
  other: [{}],
  ad: [
    { usernameLDAPAttribute: 'cn', rdnLDAPAttribute: 'cn' },
    { usernameLDAPAttribute: 'sAMAccountName', rdnLDAPAttribute: 'cn' },
    { usernameLDAPAttribute: 'sAMAccountName', rdnLDAPAttribute: 'uid' },
  ],
  rhds: [{}],
  edirectory: [{}],
  tivoli: [{}],
};
const defaults = Object.entries(shapes).map(([vendor, all]) => ({
  name: `mappers of a new storage, vendor ${vendor}`,
  directory: [],
  steps: all.flatMap((shape) =>
    [
      { editMode: 'READ_ONLY' },
      { editMode: 'WRITABLE' },
      { editMode: 'WRITABLE', syncRegistrations: 'true' },
      { editMode: 'WRITABLE', importEnabled: 'false' },
      { editMode: 'UNSYNCED' },
      { editMode: 'UNSYNCED', syncRegistrations: 'true' },
    ]
      .filter(
        ({ editMode, importEnabled }) =>
          vendor === 'other' || vendor === 'ad' || (editMode === 'UNSYNCED' && !importEnabled),
      )
      .flatMap((config) => {
        const note = titled({ ...shape, ...config });
        return [
          { ...storage({ vendor, ...shape, ...config }), note },
          { ...componentsBelow('ldap'), note },
        ];
      }),
  ),
}));
const otherRdns = {
  name: 'mappers of a new storage, by its RDN and user name',
  directory: [],
  steps: [
    { rdnLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: 'cn', usernameLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: 'CN', usernameLDAPAttribute: 'uid', editMode: 'WRITABLE' },
    { rdnLDAPAttribute: 'uid', usernameLDAPAttribute: 'mail' },
    { rdnLDAPAttribute: '', usernameLDAPAttribute: 'cn' },
    { rdnLDAPAttribute: '', usernameLDAPAttribute: '', vendor: 'ad' },
  ].flatMap((config) => [{ ...storage(config), note: titled(config) }, componentsBelow('ldap')]),
};

const subTypes = {
  name: 'kinds of mappers below a storage, by vendor and edit mode',
  directory: [],
  steps: [
    { vendor: 'other', editMode: 'WRITABLE' },
    { vendor: 'other', editMode: 'UNSYNCED' },
    { vendor: 'other', editMode: '' },
    { vendor: 'ad', editMode: 'READ_ONLY' },
    { vendor: 'ad', editMode: 'WRITABLE' },
    { vendor: 'rhds', editMode: 'WRITABLE' },
    { vendor: 'edirectory', editMode: 'UNSYNCED', usernameLDAPAttribute: 'cn' },
    { vendor: 'tivoli', editMode: 'READ_ONLY', userObjectClasses: 'account' },
    { vendor: 'ad', editMode: 'WRITABLE', importEnabled: 'false', usernameLDAPAttribute: 'sAMAccountName' },
  ].flatMap((config) => [
    { ...storage(config), note: titled(config) },
    {
      op: 'GET /{realm}/components/{id}/sub-component-types',
      path: { id: '$ldap' },
      query: { type: mapperType },
      note: titled(config),
    },
  ]),
};

export default [...defaults, otherRdns, subTypes];
