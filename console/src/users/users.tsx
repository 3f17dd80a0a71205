import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { List } from '../parts/list.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { BulkActions } from './bulk-actions.js';
import { useHiddenColumns } from './column-menu.js';
import { columnsOf } from './columns.js';
import { CreateUser } from './create-user.js';
import { type UserFilter, UserList, type UserRowFragment } from './documents.js';
import { Filters } from './filters.js';
import { orderOf, type UserListSearch } from './search.js';
import { texts } from './text.js';

/** The users of a realm: search, filters, order, columns, and actions on those that are selected. */
export function Users() {
  const t = useText(texts);
  const format = useFormat();
  const { realm } = useParams({ from: '/$realm' });
  const search = useSearch({ from: '/$realm/users' });
  const navigate = useNavigate();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [isCreating, setCreating] = useState(false);
  const [hidden, setHidden] = useHiddenColumns();
  const variables = useMemo(
    () => ({ realm, filter: filterOf(search), orderBy: orderOf(search.sort) }),
    [realm, search],
  );
  const pages = usePages(UserList, variables, ({ realm: found }) => found?.users);
  const change = (changes: Partial<UserListSearch>) => {
    setSelection(new Set());
    navigate({ from: '/$realm/users', search: (before) => ({ ...before, ...changes }), replace: true });
  };
  const open = ({ id }: UserRowFragment) => navigate({ to: '/$realm/users/$id', params: { realm, id } });
  const columns = columnsOf({ t, moment: format.moment });
  const isFiltered = filterOf(search) !== undefined;
  return (
    <Screen
      title={t('title')}
      loaded={pages}
      actions={
        pages.data?.realm?.viewerCan?.createUser.isAllowed && (
          <Button onClick={() => setCreating(true)}>{t('create')}</Button>
        )
      }
    >
      {({ realm: found }) => (
        <>
          <Filters
            search={search}
            facets={found?.userFacets}
            onChange={change}
            columns={columns}
            hidden={hidden}
            onHide={setHidden}
          />
          <List
            label={t('title')}
            pages={pages}
            total={found?.users?.totalCount}
            columns={columns.filter(({ key }) => !hidden.has(key))}
            nameOf={({ username }) => username}
            sort={search.sort}
            onSort={(sort) => change({ sort })}
            selection={selection}
            onSelect={setSelection}
            onOpen={open}
            empty={
              <Empty icon={IconUsers} title={t(isFiltered ? 'noMatch' : 'none')}>
                {t(isFiltered ? 'noMatchHint' : 'noneHint')}
              </Empty>
            }
          />
          {found && (
            <BulkActions
              realm={realm}
              realmId={found.id}
              users={pages.nodes.filter(({ id }) => selection.has(id))}
              onDone={() => setSelection(new Set())}
            />
          )}
          {found && isCreating && <CreateUser realm={realm} realmId={found.id} onClose={() => setCreating(false)} />}
        </>
      )}
    </Screen>
  );
}

/** The filter of the API for what the address says; undefined for all users. */
function filterOf({ search, enabled, verified, action }: UserListSearch): UserFilter | undefined {
  const filter: UserFilter = {
    ...(search && { search }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(verified !== undefined && { isEmailVerified: verified }),
    ...(action && { requiredAction: action }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}
