import { Badge, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconShield } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate, useLoad } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import { RoleAdd, RoleClients, RoleList, type RoleOrderField, type RoleRowFragment } from './documents.js';
import { roleSearch } from './search.js';
import { texts } from './text.js';

/** The roles of a realm, or of one of its clients. */
export function Roles() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search, client, sort = 'NAME' } = useSearch({ from: '/$realm/roles' });
  const navigate = useNavigate();
  const variables = useMemo(
    () => ({
      realm,
      client: client ?? '',
      ofClient: Boolean(client),
      ...(search && { filter: { search } }),
      orderBy: {
        field: sort.replace('-', '') as RoleOrderField,
        direction: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const),
      },
    }),
    [realm, client, search, sort],
  );
  const pages = usePages(RoleList, variables, ({ realm: found }) => (client ? found?.client?.roles : found?.roles));
  const set = (changes: Partial<ReturnType<typeof roleSearch>>) =>
    navigate({ from: '/$realm/roles', search: (before) => roleSearch({ ...before, ...changes }), replace: true });
  const openRole = (id: string) => navigate({ to: '/$realm/roles/$id', params: { realm, id } });
  const found = pages.data?.realm;
  const container = client ? found?.client : found;
  const columns: Column<RoleRowFragment, RoleOrderField>[] = [
    { key: 'name', title: t('name'), sort: 'NAME', width: 240, render: ({ name }) => name },
    {
      key: 'composite',
      title: t('composite'),
      width: 150,
      render: ({ isComposite }) => isComposite && <Badge color="indigo">{t('composite')}</Badge>,
    },
    {
      key: 'description',
      title: t('description'),
      sort: 'DESCRIPTION',
      width: 320,
      render: ({ description }) => description,
    },
  ];
  return (
    <ListScreen
      title={t('title')}
      pages={pages}
      total={(client ? found?.client?.roles : found?.roles)?.totalCount}
      search={t('search')}
      filters={<ClientSelect realm={realm} client={client} onChange={(chosen) => set({ client: chosen ?? '' })} />}
      icon={IconShield}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      nameOf={({ name }) => name}
      sort={sort}
      onSort={(next) => set({ sort: next })}
      onOpen={({ id }) => openRole(id)}
      actions={
        container?.viewerCan?.createRole.isAllowed && (
          <ActionDialog
            label={t('create')}
            field={t('name')}
            onConfirm={async (name) => {
              const { data, errors } = await mutate(RoleAdd, { name, container: container.id });
              const id = data?.roleCreate.role?.id;
              if (id) openRole(id);
              return errors;
            }}
          />
        )
      }
    />
  );
}

interface ClientSelectProps {
  realm: string;
  client: string | undefined;
  onChange(client: string | null): void;
}

/** Chooses the client whose roles are shown, searched as one types. */
function ClientSelect({ realm, client, onChange }: ClientSelectProps) {
  const t = useText(texts);
  const may = useMay(realm);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const isAllowed = may('QUERY_CLIENTS');
  const { data } = useLoad(RoleClients, { realm, search: search === client ? '' : search }, { isPaused: !isAllowed });
  if (!isAllowed) return null;
  const names = data?.realm?.clients?.edges.map(({ node }) => node.clientId) ?? [];
  return (
    <Select
      aria-label={t('client')}
      placeholder={t('ofRealm')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('ofRealm') }}
      flex="1 1 200px"
      maw={320}
      data={client && !names.includes(client) ? [client, ...names] : names}
      filter={({ options }) => options}
      onSearchChange={setText}
      value={client ?? null}
      onChange={onChange}
    />
  );
}
