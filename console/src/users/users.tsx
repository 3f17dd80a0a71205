import { enableActions } from '../parts/bulk-actions.js';
import { defineList, orderedBy, pagesOf } from '../parts/define-list.js';
import { Status } from '../parts/display.js';
import type { FormField } from '../parts/fields.js';
import { IconShieldPlus, IconTrash, IconUsersPlus } from '../parts/icons.js';
import { mutate } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { CreateUsers, createUser, newUserFields } from './create-users.js';
import { RealmUsers, type UserOrderField } from './documents.js';
import { texts } from './texts.js';
import { conditionOf, filtersOf } from './user-filters.js';

const target = (kind: 'group' | 'role'): FormField => ({
  path: kind,
  label: texts[kind],
  kind: 'target',
  target: kind,
});
const idsOf = (users: { id: string }[]) => users.map(({ id }) => id);

/** The users of a realm, with filters, a dialog for new users, and actions on selected ones. */
export const Users = defineList({
  area: area.users,
  pages: pagesOf(
    RealmUsers,
    ({ users }) => users,
    (search, orderBy, address, shown) => ({
      filter: { search, ...conditionOf(address) },
      orderBy,
      viewsLogins: shown.has('lastLoginAt'),
    }),
    orderedBy<UserOrderField>('USERNAME'),
  ),
  columns: [
    { key: 'username', title: texts.username, sort: 'USERNAME', width: 230 },
    { key: 'email', title: texts.email, sort: 'EMAIL', width: 200 },
    { key: 'firstName', title: texts.firstName, sort: 'FIRST_NAME', width: 115 },
    { key: 'lastName', title: texts.lastName, sort: 'LAST_NAME', width: 115 },
    { key: 'status', title: texts.status, width: 110, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
    { key: 'createdAt', title: texts.createdAt, sort: 'CREATED_AT', width: 180, isTime: true },
    {
      key: 'lastLoginAt',
      title: texts.lastLogin,
      width: 190,
      isTime: true,
      isOptional: true,
      permission: 'VIEW_EVENTS',
    },
  ],
  nameOf: ({ username }) => username,
  empty: [texts.none, texts.noneHint],
  search: texts.search,
  filters: filtersOf,
  bulk: {
    things: texts.things,
    actions: (realm) => [
      ...enableActions((users, options) => mutate('usersUpdate', { realm, users }, options)),
      {
        title: texts.join,
        icon: IconUsersPlus,
        field: target('group'),
        act: (users, options, group) =>
          mutate('usersJoinGroups', { realm, users: idsOf(users), groups: [group] }, options),
        undo: (users, group) => mutate('usersLeaveGroups', { realm, users, groups: [group] }),
      },
      {
        title: texts.addRole,
        icon: IconShieldPlus,
        field: target('role'),
        act: (users, options, role) => mutate('usersAddRoles', { realm, users: idsOf(users), roles: [role] }, options),
        undo: (users, role) => mutate('usersRemoveRoles', { realm, users, roles: [role] }),
      },
      {
        title: texts.delete,
        icon: IconTrash,
        act: (users, options) => mutate('usersDelete', { realm, ids: idsOf(users) }, options),
      },
    ],
  },
  to: '/$realm/users/$id',
  actions: ({ id, viewerCan }, reload) => viewerCan?.createUser.isAllowed && <CreateUsers realm={id} onDone={reload} />,
  create: {
    title: texts.create,
    isAllowed: ({ viewerCan }) => viewerCan?.createUser.isAllowed,
    help: 'userCreate',
    fields: newUserFields,
    submit: createUser,
    named: 'username',
  },
});
