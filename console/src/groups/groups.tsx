import { Checkbox, Group, Text } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import { Empty } from '../parts/empty.js';
import { SearchInput } from '../parts/search-input.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { createStore, useStore } from '../session/store.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { type Row, useBranches } from './branches.js';
import { GroupAdd, GroupLevel, GroupMove } from './documents.js';
import { texts } from './text.js';
import { Tree } from './tree.js';

/** The groups that are open in the tree, which stay open while one looks at a group. */
const opened = createStore<ReadonlySet<string>>(new Set());

/** The groups of a realm as a tree, in which groups are moved by drag and drop. */
export function Groups() {
  const t = useText(texts);
  const act = useAct();
  const { realm } = useParams({ from: '/$realm' });
  const { search, defaults } = useSearch({ from: '/$realm/groups' });
  const navigate = useNavigate();
  const open = useStore(opened);
  const isFlat = Boolean(search || defaults);
  const variables = useMemo(() => {
    const filter = isFlat ? { ...(search && { search }), ...(defaults && { isDefault: true }) } : { isTopLevel: true };
    return { realm, parent: '', isTop: true, filter };
  }, [realm, search, defaults, isFlat]);
  const pages = usePages(GroupLevel, variables, ({ realm: found }) => found?.groups);
  const rowsOf = useBranches(realm, open);
  const rows: Row[] = rowsOf(pages.nodes);
  if (pages.hasMore) rows.push({ key: 'more', depth: 0, parent: undefined, loadMore: pages.loadMore });
  const found = pages.data?.realm;
  const set = (changes: { search?: string | undefined; defaults?: boolean | undefined }) =>
    navigate({ from: '/$realm/groups', search: (before) => ({ ...before, ...changes }), replace: true });
  const openGroup = (id: string) => navigate({ to: '/$realm/groups/$id', params: { realm, id } });
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    opened.set(next);
  };
  const move = ({ key: id, parent, group }: Row, target: string | undefined) => {
    const to = (place: string | undefined) => mutate(GroupMove, { id, parent: place ?? found?.id ?? '' });
    if (target) opened.set(new Set(open).add(target));
    act(
      () => to(target),
      t('moved', { name: group?.name ?? '' }),
      () => to(parent),
    );
  };
  return (
    <Screen
      title={t('title')}
      loaded={pages}
      actions={
        found?.viewerCan?.createGroup.isAllowed && (
          <ActionDialog
            label={t('create')}
            field={t('name')}
            onConfirm={async (name) => {
              const { data, errors } = await mutate(GroupAdd, { name, parent: found.id });
              const id = data?.groupCreate.group?.id;
              if (id) openGroup(id);
              return errors;
            }}
          />
        )
      }
    >
      {() => (
        <>
          <Group>
            <SearchInput label={t('search')} maw={420} value={search} onChange={(text) => set({ search: text })} />
            <Checkbox
              label={t('defaults')}
              checked={defaults ?? false}
              onChange={({ currentTarget: { checked } }) => set({ defaults: checked || undefined })}
            />
          </Group>
          {rows.length > 0 ? (
            <Tree rows={rows} open={open} isFlat={isFlat} onToggle={toggle} onOpen={openGroup} onMove={move} />
          ) : (
            <Empty icon={IconUsersGroup} title={t(isFlat ? 'noMatch' : 'none')}>
              {!isFlat && t('noneHint')}
            </Empty>
          )}
          <Text size="sm" c="dimmed">
            {t('keys')}
          </Text>
        </>
      )}
    </Screen>
  );
}
