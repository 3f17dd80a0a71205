// By what mappers find the groups and roles of a user: lists of members, or an attribute of the user.
import {
  dnOf,
  group,
  groupDn,
  groupMapper,
  groupsOf,
  mapper,
  person,
  role,
  roleDn,
  roleMapper,
  rolesOf,
  storage,
  sync,
  user,
  users,
} from '../steps.mjs';

const imports = ['true', 'false'];
const each = (build) => imports.flatMap((importEnabled) => build(importEnabled, `importEnabled=${importEnabled}`));
const modify = (dn, changes) => ({ ldap: 'modify', dn, changes });
// seeAlso stands for memberOf, which only the directory itself could write
const memberOf = { 'memberof.ldap.attribute': 'seeAlso' };
const live = { cachePolicy: 'NO_CACHE' };
const counts = { compare: { only: ['ignored', 'added', 'updated', 'removed', 'failed'] } };
const ofClient = (id) => ({
  op: 'GET /{realm}/users/{id}/role-mappings/clients/{client}',
  path: { id: `$${id}`, client: '$court' },
});
const court = { op: 'POST /{realm}/clients', json: { clientId: 'court' }, save: { court: 'location' } };
const member = (method, id) => ({
  op: `${method} /{realm}/users/{id}/groups/{groupId}`,
  path: { id: '$anna', groupId: `$${id}` },
});

// the attribute of the user and the lists of members differ, so that it shows which one counts
const directory = [
  person('anna', { seeAlso: [groupDn('staff'), roleDn('cook')] }),
  person('bert'),
  group('staff', [dnOf('bert')]),
  group('guests', [dnOf('anna')]),
  role('cook', [dnOf('bert')]),
  role('waiter', [dnOf('anna')]),
];
const moved = [
  modify(dnOf('anna'), { seeAlso: [groupDn('guests'), roleDn('waiter')] }),
  modify(groupDn('staff'), { member: [dnOf('anna')] }),
  modify(groupDn('guests'), { member: [dnOf('bert')] }),
  modify(roleDn('cook'), { member: [dnOf('anna')] }),
  modify(roleDn('waiter'), { member: [dnOf('bert')] }),
];
const ways = [
  ['LOAD_GROUPS_BY_MEMBER_ATTRIBUTE', 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE'],
  ['GET_GROUPS_FROM_USER_MEMBEROF_ATTRIBUTE', 'GET_ROLES_FROM_USER_MEMBEROF_ATTRIBUTE'],
];
const found = ways.flatMap(([groups, roles]) =>
  each((importEnabled, title) => ({
    name: `found by ${groups}, ${title}`,
    directory,
    steps: [
      storage({ importEnabled, ...live }),
      groupMapper({ 'user.roles.retrieve.strategy': groups, ...memberOf }),
      roleMapper({ 'user.roles.retrieve.strategy': roles, ...memberOf }),
      users({ username: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      rolesOf('anna'),
      ...moved,
      user('anna'),
      groupsOf('anna'),
      rolesOf('anna'),
      sync('triggerFullSync', '$ldap', counts),
      groupsOf('anna'),
      { op: 'GET /{realm}/groups' },
    ],
  })),
);

const clientRoles = ways.flatMap(([, strategy]) =>
  each((importEnabled, title) => ({
    name: `roles of a client found by ${strategy}, ${title}`,
    directory,
    steps: [
      storage({ importEnabled, ...live }),
      court,
      roleMapper({
        'user.roles.retrieve.strategy': strategy,
        ...memberOf,
        'use.realm.roles.mapping': 'false',
        'client.id': 'court',
      }),
      users({ username: 'anna' }, { save: 'anna' }),
      ofClient('anna'),
      ...moved,
      user('anna'),
      ofClient('anna'),
      rolesOf('anna'),
    ],
  })),
);

const posix = (dn, name, number, members) => ({
  dn,
  attributes: { objectClass: ['posixGroup'], cn: [name], gidNumber: [String(number)], memberUid: members },
});
const byNumber = {
  'membership.ldap.attribute': 'memberUid',
  'membership.attribute.type': 'UID',
  'membership.user.ldap.attribute': 'employeeNumber',
};
// what the reference server compares lists of members with must come with the users
const numberMapper = mapper('number', 'user-attribute-ldap-mapper', {
  'user.model.attribute': 'number',
  'ldap.attribute': 'employeeNumber',
  'read.only': 'true',
  'always.read.value.from.ldap': 'false',
  'is.mandatory.in.ldap': 'false',
});
const syncGroups = {
  op: 'POST /{realm}/user-storage/{parentId}/mappers/{id}/sync',
  path: { parentId: '$ldap', id: '$groups' },
  query: { direction: 'fedToKeycloak' },
};
const numbers = each((importEnabled, title) =>
  ['READ_ONLY', 'LDAP_ONLY', 'IMPORT'].map((mode) => ({
    name: `members by another attribute than the user name, mappers ${mode}, ${title}`,
    directory: [
      person('anna', { employeeNumber: '17' }),
      person('bert', { employeeNumber: '18' }),
      posix(groupDn('staff'), 'staff', 1, ['17']),
      posix(groupDn('guests'), 'guests', 2, ['18', 'anna']),
      posix(roleDn('cook'), 'cook', 3, ['17']),
      posix(roleDn('waiter'), 'waiter', 4, ['18', 'anna']),
    ],
    steps: [
      storage({ importEnabled, editMode: 'WRITABLE', ...live }),
      numberMapper,
      groupMapper({
        ...byNumber,
        'group.object.classes': 'posixGroup',
        'preserve.group.inheritance': 'false',
        mode,
      }),
      roleMapper({ ...byNumber, 'role.object.classes': 'posixGroup', mode }),
      sync('triggerFullSync', '$ldap', counts),
      users({ username: 'anna' }, { save: 'anna' }),
      groupsOf('anna'),
      rolesOf('anna'),
      ...(mode === 'LDAP_ONLY'
        ? [
            syncGroups,
            { op: 'GET /{realm}/groups', query: { search: 'guests' }, save: { guests: 'body[0].id' } },
            member('PUT', 'guests'),
            { ldap: 'read', dn: groupDn('guests') },
            groupsOf('anna'),
            member('DELETE', 'guests'),
            { ldap: 'read', dn: groupDn('guests') },
          ]
        : []),
    ],
  })),
);

export default [...found, ...clientRoles, ...numbers];
