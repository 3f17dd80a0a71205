import { Checkbox, Group, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAct } from '../parts/act.js';
import { useChange } from '../parts/address.js';
import { FormButton } from '../parts/dialogs.js';
import { EmptyList } from '../parts/empty-list.js';
import { nameField } from '../parts/fields.js';
import { SearchInput } from '../parts/filters.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { createStore, useStore } from '../session/store.js';
import { area } from '../shell/areas.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { GroupLevel } from './documents.js';
import { texts } from './texts.js';
import { type Row, Tree, useBranches } from './tree.js';

/** The groups that are open in the tree, which stay open while one looks at a group. */
const opened = createStore<ReadonlySet<string>>(new Set());

/** The groups of a realm as a tree, in which groups are moved by drag and drop. */
export function Groups() {
  const t = useText(texts);
  const act = useAct();
  const { realm } = useParams({ from: '/$realm' });
  const address = useSearch({ from: '/$realm/groups' });
  const { search, defaults } = address;
  const change = useChange<typeof address>();
  const navigate = useNavigate();
  const open = useStore(opened);
  const isFlat = Boolean(search || defaults);
  const filter = isFlat ? { ...(search && { search }), ...(defaults && { isDefault: true }) } : { isTopLevel: true };
  const variables = { realm, parent: '', isTop: true, filter };
  const pages = usePages(GroupLevel, variables, ({ realm: found }) => found?.groups);
  const rowsOf = useBranches(realm, open);
  const rows: Row[] = rowsOf(pages.nodes);
  if (pages.hasMore) rows.push({ key: 'more', depth: 0, parent: undefined, loadMore: pages.loadMore });
  const found = pages.data?.realm;
  const canCreate = found?.viewerCan?.createGroup.isAllowed;
  const openGroup = (id: string) => navigate({ to: '/$realm/groups/$id', params: { realm, id } });
  const toggle = (id: string) => opened.set(open.symmetricDifference(new Set([id])));
  const move = ({ key: id, parent, group }: Row, target: string | undefined) => {
    const to = (place: string | undefined) => () => mutate('groupMove', { id, parent: place ?? found?.id ?? '' });
    if (target) opened.set(new Set(open).add(target));
    act(to(target), t('moved', { name: group?.name ?? '' }), to(parent));
  };
  return (
    <Screen
      title={t('groups')}
      loaded={pages}
      actions={
        canCreate && (
          <FormButton
            title={t('create')}
            button={{ variant: 'filled' }}
            help="groupCreate"
            fields={[nameField]}
            submit={(input) => mutate('groupCreate', { name: String(input.name), parent: found.id })}
            onDone={(data) => data?.groupCreate.group && openGroup(data.groupCreate.group.id)}
          />
        )
      }
    >
      {() => (
        <>
          <Group>
            <SearchInput label={t('search')} maw={420} value={search} onChange={(text) => change({ search: text })} />
            <Checkbox
              label={t('defaults')}
              checked={defaults ?? false}
              onChange={({ currentTarget: { checked } }) => change({ defaults: checked || undefined })}
            />
          </Group>
          {rows.length > 0 ? (
            <Tree rows={rows} open={open} isFlat={isFlat} onToggle={toggle} onOpen={openGroup} onMove={move} />
          ) : (
            <EmptyList
              area={area.groups}
              title={t('none')}
              hint={t('noneHint')}
              isFiltered={isFlat}
              create={canCreate ? t('create') : undefined}
            />
          )}
          <Text c="dimmed">{t('keys')}</Text>
        </>
      )}
    </Screen>
  );
}
