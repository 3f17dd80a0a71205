import { Badge, Select } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { type Act, Review } from '../parts/review.js';
import { SelectionBar } from '../parts/selection-bar.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { CreateClient } from './create-client.js';
import {
  type ClientFilter,
  ClientList,
  type ClientOrderField,
  type ClientRowFragment,
  ClientsDelete,
  ClientsUpdate,
} from './documents.js';
import type { ClientListSearch } from './search.js';
import { texts } from './text.js';

/** The clients of a realm: search, filter, order, and actions on those that are selected. */
export function Clients() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const search = useSearch({ from: '/$realm/clients' });
  const navigate = useNavigate();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const { sort = 'CLIENT_ID', enabled } = search;
  const variables = useMemo(() => {
    const filter: ClientFilter = {
      ...(search.search && { search: search.search }),
      ...(enabled !== undefined && { isEnabled: enabled }),
    };
    const direction = sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const);
    return { realm, filter, orderBy: { field: sort.replace('-', '') as ClientOrderField, direction } };
  }, [realm, search.search, enabled, sort]);
  const pages = usePages(ClientList, variables, ({ realm: found }) => found?.clients);
  const found = pages.data?.realm;
  const change = (changes: ClientListSearch) => {
    setSelection(new Set());
    navigate({ to: '.', search: { ...search, ...changes } as never, replace: true });
  };
  const status = (isEnabled: boolean) => t(isEnabled ? 'enabled' : 'disabled');
  const columns: Column<ClientRowFragment, ClientOrderField>[] = [
    { key: 'clientId', title: t('client'), sort: 'CLIENT_ID', width: 240, render: ({ clientId }) => clientId },
    { key: 'name', title: t('name'), sort: 'NAME', width: 220, render: ({ name }) => name },
    { key: 'kind', title: t('kind'), render: ({ kind, protocol }) => t(protocol === 'SAML' ? protocol : kind) },
    {
      key: 'status',
      title: t('status'),
      width: 130,
      render: ({ isEnabled }) => <Badge color={isEnabled ? 'teal' : 'gray'}>{status(isEnabled)}</Badge>,
    },
  ];
  return (
    <ListScreen
      title={t('title')}
      pages={pages}
      total={found?.clients?.totalCount}
      search={t('search')}
      filters={
        <Select
          aria-label={t('status')}
          placeholder={t('status')}
          clearable
          w={190}
          data={[true, false].map((value) => ({ value: String(value), label: status(value) }))}
          value={enabled === undefined ? null : String(enabled)}
          onChange={(value) => change({ enabled: value === null ? undefined : value === 'true' })}
        />
      }
      icon={IconApps}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      nameOf={({ clientId }) => clientId}
      sort={sort}
      onSort={(next) => change({ sort: next })}
      selection={selection}
      onSelect={setSelection}
      onOpen={({ id }) => navigate({ to: '/$realm/clients/$id', params: { realm, id } })}
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createClient.isAllowed,
        dialog: (onClose) => <CreateClient realm={realm} realmId={found?.id ?? ''} onClose={onClose} />,
      }}
    >
      {found && (
        <BulkActions
          realm={found.id}
          clients={pages.nodes.filter(({ id }) => selection.has(id))}
          onDone={() => {
            setSelection(new Set());
            pages.reload();
          }}
          onClear={() => setSelection(new Set())}
        />
      )}
    </ListScreen>
  );
}

interface BulkActionsProps {
  realm: string;
  clients: ClientRowFragment[];
  onDone(): void;
  onClear(): void;
}

/** What can be done with the selected clients. */
function BulkActions({ realm, clients, onDone, onClear }: BulkActionsProps) {
  const t = useText(texts);
  const [kind, setKind] = useState<'enable' | 'disable' | 'remove'>();
  if (clients.length === 0) return null;
  const set = (isEnabled: boolean) => clients.map(({ id, version }) => ({ id, isEnabled, expectedVersion: version }));
  const act: Act = (options) =>
    kind === 'remove'
      ? mutate(ClientsDelete, { realm, ids: clients.map(({ id }) => id) }, options)
      : mutate(ClientsUpdate, { realm, clients: set(kind === 'enable') }, options);
  const undo = () => mutate(ClientsUpdate, { realm, clients: clients.map(({ id, isEnabled }) => ({ id, isEnabled })) });
  return (
    <>
      <SelectionBar<'enable' | 'disable' | 'remove'>
        selected={t('selected', { count: clients.length })}
        actions={(['enable', 'disable', 'remove'] as const).map((action) => ({ kind: action, title: t(action) }))}
        clear={t('clear')}
        onAct={setKind}
        onClear={onClear}
      />
      {kind && (
        <Review
          title={t(kind)}
          act={act}
          done={t('done', { count: clients.length })}
          {...(kind !== 'remove' && { undo })}
          isDangerous={kind === 'remove'}
          nameOf={(id) => clients.find((client) => client.id === id)?.clientId ?? ''}
          onDone={onDone}
          onClose={() => setKind(undefined)}
        />
      )}
    </>
  );
}
