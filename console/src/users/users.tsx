import { IconShieldPlus, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { orderOf } from '../parts/address.js';
import { type BulkAction, useEnableActions } from '../parts/bulk-actions.js';
import { type FormField, fieldsOf } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/mutate.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { ColumnMenu, useHiddenColumns } from './column-menu.js';
import { columns } from './columns.js';
import * as documents from './documents.js';
import { useFilters } from './filters.js';
import { texts } from './text.js';

type User = documents.UserRowFragment;

const newUser = fieldsOf({
  username: ['text', ...texts.username, { isRequired: true }],
  email: ['text', ...texts.email],
  firstName: ['text', ...texts.firstName],
  lastName: ['text', ...texts.lastName],
});

/** The users of a realm: search, filters, order, columns, and actions on those that are selected. */
export function Users() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search, sort, enabled, verified, action } = useSearch({ from: '/$realm/users' });
  const [hidden, setHidden] = useHiddenColumns();
  const filter: documents.UserFilter = {
    ...(search && { search }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(verified !== undefined && { isEmailVerified: verified }),
    ...(action && { requiredAction: action }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  const variables = { realm, ...(isFiltered && { filter }), orderBy: orderOf(sort ?? 'USERNAME') };
  const pages = usePages(documents.UserList, variables, ({ realm: found }) => found?.users);
  const found = pages.data?.realm;
  return (
    <ListScreen
      area={area.users}
      pages={pages}
      search={t('search')}
      filters={useFilters(found?.userFacets, action)}
      tools={<ColumnMenu hidden={hidden} onHide={setHidden} />}
      empty={isFiltered ? { title: t('noMatch'), hint: t('noMatchHint') } : { title: t('none'), hint: t('noneHint') }}
      columns={columns.filter(({ key }) => !hidden.has(key))}
      nameOf={({ username }) => username}
      sort={sort}
      bulk={{ things: t('things'), actions: useActions(found?.id ?? '') }}
      to="/$realm/users/$id"
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createUser.isAllowed,
        fields: newUser,
        submit: (input) => mutate('userCreate', { realm: found?.id ?? '', isEnabled: true, username: '', ...input }),
        done: (_, { username }) => t('created', { name: String(username) }),
      }}
    />
  );
}

/** What can be done with the selected users. */
function useActions(realm: string): BulkAction<User>[] {
  const t = useText(texts);
  const idsOf = (users: User[]) => users.map(({ id }) => id);
  const enabling = useEnableActions<User>((users, options) => mutate('usersUpdate', { realm, users }, options));
  const target = (kind: 'group' | 'role'): FormField => ({
    path: kind,
    label: texts[kind],
    kind: 'target',
    target: kind,
  });
  return [
    ...enabling,
    {
      title: t('join'),
      icon: IconUsersPlus,
      field: target('group'),
      act: (users, options, group) =>
        mutate('usersJoinGroups', { realm, users: idsOf(users), groups: [group] }, options),
      undo: (users, group) => mutate('usersLeaveGroups', { realm, users, groups: [group] }),
    },
    {
      title: t('addRole'),
      icon: IconShieldPlus,
      field: target('role'),
      act: (users, options, role) => mutate('usersAddRoles', { realm, users: idsOf(users), roles: [role] }, options),
      undo: (users, role) => mutate('usersRemoveRoles', { realm, users, roles: [role] }),
    },
    {
      title: t('delete'),
      icon: IconTrash,
      act: (users, options) => mutate('usersDelete', { realm, ids: idsOf(users) }, options),
    },
  ];
}
