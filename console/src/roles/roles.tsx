import { Badge, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { orderOf, useChange } from '../parts/address.js';
import { nameField } from '../parts/fields.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { useTargets } from '../parts/targets.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { texts } from './text.js';

/** The roles of a realm, or of one of its clients. */
export function Roles() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search, client, sort = 'NAME' } = useSearch({ from: '/$realm/roles' });
  const variables = {
    realm,
    client: client ?? '',
    ofClient: Boolean(client),
    ...(search && { filter: { search } }),
    orderBy: orderOf(sort),
  };
  const pages = usePages(documents.RoleList, variables, ({ realm: found }) =>
    client ? found?.client?.roles : found?.roles,
  );
  const container = client ? pages.data?.realm?.client : pages.data?.realm;
  const columns: Column<documents.RoleRowFragment, documents.RoleOrderField>[] = [
    { key: 'name', title: texts.name, sort: 'NAME', width: 240 },
    {
      key: 'composite',
      title: texts.composite,
      width: 150,
      render: ({ isComposite }) => isComposite && <Badge color="indigo">{t('composite')}</Badge>,
    },
    { key: 'description', title: texts.description, sort: 'DESCRIPTION', width: 320 },
  ];
  return (
    <ListScreen
      area={area.roles}
      pages={pages}
      search={t('search')}
      tools={<ClientSelect realm={realm} client={client} />}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      nameOf={({ name }) => name}
      sort={sort}
      to="/$realm/roles/$id"
      create={{
        title: t('create'),
        isAllowed: container?.viewerCan?.createRole.isAllowed,
        fields: [nameField],
        submit: ({ name }) => mutate('roleCreate', { name: String(name), container: container?.id ?? '' }),
      }}
    />
  );
}

/** Chooses the client whose roles are shown, searched as one types. */
function ClientSelect({ realm, client }: { realm: string; client: string | undefined }) {
  const t = useText(texts);
  const may = useMay(realm);
  const change = useChange<{ client: string | undefined }>();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const [wasOpened, setOpened] = useState(false);
  const isAllowed = may('QUERY_CLIENTS');
  const wanted = { realm, kinds: ['client'] as const, search: search === client ? '' : search };
  const { targets } = useTargets(wanted, !isAllowed || !wasOpened);
  if (!isAllowed) return null;
  const names = targets.map(({ label }) => label);
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
      onDropdownOpen={() => setOpened(true)}
      onSearchChange={setText}
      value={client ?? null}
      onChange={(chosen) => change({ client: chosen ?? undefined })}
    />
  );
}
