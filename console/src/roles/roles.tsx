import { Badge, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { text, useChange } from '../parts/address.js';
import { type Address, defineList, orderedBy, pagesOf } from '../parts/define-list.js';
import { descriptionField, nameField } from '../parts/fields.js';
import { useTargets } from '../parts/targets.js';
import { mutate } from '../session/graphql.js';
import { area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { RoleList, type RoleOrderField } from './documents.js';
import { texts } from './texts.js';

/** The roles of a realm, or of one of its clients. */
export const Roles = defineList({
  area: area.roles,
  pages: pagesOf(
    RoleList,
    ({ roles, client }) => client?.roles ?? roles,
    (search, orderBy, { client }) => ({
      client: text(client) ?? '',
      ofClient: text(client) !== undefined,
      filter: { search },
      orderBy,
    }),
    orderedBy<RoleOrderField>('NAME'),
  ),
  columns: [
    { key: 'name', title: texts.name, sort: 'NAME', width: 240 },
    {
      key: 'composite',
      title: texts.composite,
      width: 150,
      render: ({ isComposite }, { translate }) =>
        isComposite && <Badge color="indigo">{translate(texts.composite)}</Badge>,
    },
    {
      key: 'description',
      title: texts.description,
      sort: 'DESCRIPTION',
      width: 320,
      render: ({ description }, { storedName }) => description && storedName(description),
    },
  ],
  nameOf: ({ name }) => name,
  empty: [texts.none, texts.noneHint],
  search: texts.search,
  tools: <ClientSelect />,
  to: '/$realm/roles/$id',
  create: {
    title: texts.create,
    containerOf: ({ client, ...realm }) => client ?? realm,
    isAllowed: ({ client, viewerCan }) => (client ?? { viewerCan }).viewerCan?.createRole.isAllowed,
    help: 'roleCreate',
    fields: [nameField, descriptionField],
    submit: (container, input) => mutate('roleCreate', { name: '', ...input, container }),
  },
});

/** Chooses the client whose roles are shown, searched as one types. */
function ClientSelect() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { client: given }: Address = useSearch({ strict: false });
  const client = text(given);
  const may = useMay(realm);
  const change = useChange<{ client: string | undefined }>();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
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
      onSearchChange={setTyped}
      value={client ?? null}
      onChange={(chosen) => change({ client: chosen ?? undefined })}
    />
  );
}
