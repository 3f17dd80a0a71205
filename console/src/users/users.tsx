import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import { orderOf } from '../parts/address.js';
import { type BulkAction, useEnableActions } from '../parts/bulk-actions.js';
import { Status } from '../parts/display.js';
import type { FormField } from '../parts/fields.js';
import { IconColumns, IconShieldPlus, IconTrash, IconUsersPlus } from '../parts/icons.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText, useTranslated } from '../text/text.js';
import { CreateUsers, createUser, newUserFields } from './create-users.js';
import type { UserOrderField, UserRowFragment } from './documents.js';
import * as documents from './documents.js';
import { texts } from './text.js';
import { filterOf, useFilters } from './user-filters.js';

type User = documents.UserRowFragment;

/** The users of a realm: search, filters, order, columns, and actions on those that are selected. */
export function Users() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { sort, ...address } = useSearch({ from: '/$realm/users' });
  const [hidden, setHidden] = useHiddenColumns();
  const filter = filterOf(address);
  const isFiltered = Object.keys(filter).length > 0;
  const variables = { realm, ...(isFiltered && { filter }), orderBy: orderOf(sort ?? 'USERNAME') };
  const pages = usePages(documents.UserList, variables, ({ realm: found }) => found?.users);
  const found = pages.data?.realm;
  return (
    <ListScreen
      area={area.users}
      pages={pages}
      search={t('search')}
      filters={useFilters(found?.userFacets, address)}
      tools={<ColumnMenu hidden={hidden} onHide={setHidden} />}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns.filter(({ key }) => !hidden.has(key))}
      nameOf={({ username }) => username}
      sort={sort}
      bulk={{ things: t('things'), actions: useActions(found?.id ?? '') }}
      to="/$realm/users/$id"
      actions={found?.viewerCan?.createUser.isAllowed && <CreateUsers realm={found.id} onDone={pages.reload} />}
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createUser.isAllowed,
        fields: newUserFields,
        submit: (input) => createUser(found?.id ?? '', input),
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

/** The columns of the user list. A further one needs an entry here and its field in the fragment `UserRow`. */
const columns: readonly Column<UserRowFragment, UserOrderField>[] = [
  { key: 'username', title: texts.username, sort: 'USERNAME', width: 180 },
  { key: 'email', title: texts.email, sort: 'EMAIL' },
  { key: 'firstName', title: texts.firstName, sort: 'FIRST_NAME', width: 130 },
  { key: 'lastName', title: texts.lastName, sort: 'LAST_NAME', width: 130 },
  { key: 'status', title: texts.status, width: 120, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  { key: 'createdAt', title: texts.createdAt, sort: 'CREATED_AT', width: 190, isTime: true },
];

/** The columns that the caller has hidden, which the browser remembers, and how to change them. */
function useHiddenColumns(): [ReadonlySet<string>, (keys: ReadonlySet<string>) => void] {
  const [keys, setKeys] = useLocalStorage<string[]>({ key: 'realmgate-console-users-hidden', defaultValue: [] });
  return [new Set(keys), (next) => setKeys([...next])];
}

/** Chooses the columns of the list. The first one always stays. */
function ColumnMenu({ hidden, onHide }: { hidden: ReadonlySet<string>; onHide(keys: ReadonlySet<string>): void }) {
  const t = useText(texts);
  const translate = useTranslated();
  return (
    <Menu position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <Button leftSection={<IconColumns size={16} aria-hidden />}>{t('columns')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!hidden.has(key)}
            onChange={() => onHide(hidden.symmetricDifference(new Set([key])))}
          >
            {translate(title)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
