import { IconTrash } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { orderOf } from '../parts/address.js';
import { type BulkAction, useEnableActions } from '../parts/bulk-actions.js';
import { Status } from '../parts/cells.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/mutate.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { useValueName } from '../text/values.js';
import { useCreation } from './create-client.js';
import * as documents from './documents.js';
import { texts } from './text.js';

type Client = documents.ClientRowFragment;

/** The clients of a realm: search, filter, order, and actions on those that are selected. */
export function Clients() {
  const t = useText(texts);
  const valueName = useValueName();
  const { realm } = useParams({ from: '/$realm' });
  const { search, sort = 'CLIENT_ID', enabled } = useSearch({ from: '/$realm/clients' });
  const filter = { ...(search && { search }), ...(enabled !== undefined && { isEnabled: enabled }) };
  const variables = { realm, filter, orderBy: orderOf(sort) };
  const pages = usePages(documents.ClientList, variables, ({ realm: found }) => found?.clients);
  const found = pages.data?.realm;
  const columns: Column<Client, documents.ClientOrderField>[] = [
    { key: 'clientId', title: texts.client, sort: 'CLIENT_ID', width: 240 },
    { key: 'name', title: texts.name, sort: 'NAME', width: 220 },
    {
      key: 'kind',
      title: texts.kind,
      render: ({ kind, protocol }) => valueName(protocol === 'SAML' ? protocol : kind),
    },
    { key: 'status', title: texts.status, width: 130, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  ];
  return (
    <ListScreen
      area={area.clients}
      pages={pages}
      search={t('search')}
      filters={[
        {
          key: 'enabled',
          label: t('status'),
          choices: [true, false].map((value) => ({ value, label: t(value ? 'enabled' : 'disabled') })),
        },
      ]}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      nameOf={({ clientId }) => clientId}
      sort={sort}
      bulk={{ things: t('things'), actions: useActions(found?.id ?? '') }}
      to="/$realm/clients/$id"
      create={{ ...useCreation(found?.id ?? ''), isAllowed: found?.viewerCan?.createClient.isAllowed }}
    />
  );
}

/** What can be done with the selected clients. */
function useActions(realm: string): BulkAction<Client>[] {
  const t = useText(texts);
  const enabling = useEnableActions<Client>((clients, options) => mutate('clientsUpdate', { realm, clients }, options));
  return [
    ...enabling,
    {
      title: t('delete'),
      icon: IconTrash,
      act: (clients, options) => mutate('clientsDelete', { realm, ids: clients.map(({ id }) => id) }, options),
    },
  ];
}
