import { Badge, Box, Group, Skeleton, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { IconChevronRight } from '../parts/icons.js';
import { useKeptScroll } from '../parts/kept-scroll.js';
import { type NodeOf, nodeOf } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { GroupLevel, type GroupLevelQuery, type GroupRowFragment } from './documents.js';
import { texts } from './texts.js';

interface TreeProps {
  rows: Row[];
  open: ReadonlySet<string>;
  /** whether groups stand with their path, as found ones do */
  isFlat: boolean;
  onToggle(id: string): void;
  onOpen(id: string): void;
  /** moves a group into another one; undefined for the top level */
  onMove(row: Row, target: string | undefined): void;
}

const rowHeight = 40;

/** The tree of groups. Only the lines in sight are in the page, so that 10,000 groups stay fluid. */
export function Tree({ rows, open, isFlat, onToggle, onOpen, onMove }: TreeProps) {
  const t = useText(texts);
  const frame = useRef<HTMLDivElement>(null);
  const onScroll = useKeptScroll(
    frame,
    t('groups'),
    rows.length,
    rows.some(({ group }) => !group),
  );
  const [active, setActive] = useState<string>();
  const [dragged, setDragged] = useState<Row>();
  const [over, setOver] = useState<string>();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const visible = lines.getVirtualItems();
  useEffect(() => {
    for (const { index } of visible) rows[index]?.loadMore?.();
  }, [visible, rows]);

  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
  );
  const goTo = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    setActive(row.key);
    lines.scrollToIndex(rows.indexOf(row));
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    const group = row?.group;
    if (!group) return;
    const isOpen = open.has(group.id);
    const actions: Record<string, () => void> = {
      ArrowDown: () => goTo(at + 1),
      ArrowUp: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      Enter: () => onOpen(group.id),
      ArrowRight: () => (isOpen ? goTo(at + 1) : group.childCount && onToggle(group.id)),
      ArrowLeft: () => (isOpen ? onToggle(group.id) : goTo(rows.findIndex(({ key }) => key === row.parent))),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const target = (id: string | undefined) => ({
    onDragOver: (event: React.DragEvent) => {
      if (!dragged || dragged.key === id || dragged.parent === id) return;
      event.preventDefault();
      setOver(id ?? '');
    },
    onDragLeave: () => setOver(undefined),
    onDrop: (event: React.DragEvent) => {
      event.preventDefault();
      if (dragged) onMove(dragged, id);
      setDragged(undefined);
      setOver(undefined);
    },
  });
  return (
    <Box pos="relative">
      {dragged?.parent && (
        <Text ta="center" p="xs" className={over === '' ? 'after' : 'clickable'} {...target(undefined)}>
          {t('topLevel')}
        </Text>
      )}
      <Box
        ref={frame}
        className="list"
        role="tree"
        tabIndex={0}
        aria-label={t('groups')}
        aria-activedescendant={rows[at] && `line ${rows[at].key}`.replaceAll(' ', '-')}
        onKeyDown={press}
        onScroll={onScroll}
      >
        <Box role="none" h={lines.getTotalSize()} pos="relative">
          {visible.map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const { key, depth, group } = row;
            return (
              <Group
                key={key}
                id={`line ${key}`.replaceAll(' ', '-')}
                role="treeitem"
                aria-level={depth + 1}
                aria-selected={index === at}
                {...(group?.childCount ? { 'aria-expanded': open.has(group.id) } : {})}
                pos="absolute"
                top={start}
                w="100%"
                h={rowHeight}
                pl={8 + Math.min(depth, 12) * 20}
                pr="sm"
                gap="xs"
                wrap="nowrap"
                className={over === key ? 'after' : 'clickable'}
                draggable={group?.viewerCan.move.isAllowed}
                onDragStart={() => setDragged(row)}
                onDragEnd={() => setDragged(undefined)}
                onClick={() => group && onOpen(group.id)}
                {...target(key)}
              >
                {group ? (
                  <Line group={group} isFlat={isFlat} isOpen={open.has(key)} onToggle={onToggle} />
                ) : (
                  <Skeleton h={14} />
                )}
              </Group>
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}

interface LineProps {
  group: GroupRowFragment;
  isFlat: boolean;
  isOpen: boolean;
  onToggle(id: string): void;
}

function Line({ group: { id, name, path, childCount, memberCount, isDefault }, isFlat, isOpen, onToggle }: LineProps) {
  const t = useText(texts);
  return (
    <>
      <IconChevronRight
        size={18}
        aria-hidden
        visibility={childCount ? 'visible' : 'hidden'}
        style={{ flex: 'none', transform: isOpen ? 'rotate(90deg)' : undefined }}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(id);
        }}
      />
      <Text fw={600} className="cell" flex={1}>
        {isFlat ? path : name}
      </Text>
      {isDefault && <Badge color="indigo">{t('isDefault')}</Badge>}
      {memberCount !== null && (
        <Text c="dimmed" className="numbers" visibleFrom="xs">
          {t('memberCount', { count: memberCount })}
        </Text>
      )}
    </>
  );
}

type Level = NodeOf<GroupLevelQuery>;
type Page = NonNullable<Level['children']>;

/** A line of the tree: a group, or the place of groups that are not loaded yet. */
export interface Row {
  key: string;
  depth: number;
  /** the group that contains it; undefined at the top level */
  parent: string | undefined;
  group?: GroupRowFragment;
  loadMore?(): void;
}

const pageSize = 100;

/** The children of open groups, loaded page by page, and again after a mutation of groups. */
export function useBranches(realm: string, open: ReadonlySet<string>) {
  const client = useClient();
  const [pages, setPages] = useState<ReadonlyMap<string, Page[]>>(new Map());
  const sources = useRef(new Map<string, { parent: string; unsubscribe(): void }>());
  const load = useCallback(
    (parent: string, at: number, after: string | null) => {
      const key = `${parent} ${after}`;
      if (sources.current.has(key)) return;
      const variables = { realm, parent, isTop: false, first: pageSize, after, isFirst: at === 0 };
      const source = client.query<GroupLevelQuery>(GroupLevel.toString(), variables).subscribe(({ data }) => {
        const page = nodeOf(data?.node)?.children;
        if (!page) return;
        setPages((before) => {
          const next = [...(before.get(parent) ?? [])];
          next[at] = page;
          return new Map(before).set(parent, next);
        });
      });
      sources.current.set(key, { parent, ...source });
    },
    [client, realm],
  );
  useEffect(() => {
    for (const id of open) load(id, 0, null);
    for (const [key, { parent, unsubscribe }] of sources.current) {
      if (open.has(parent)) continue;
      unsubscribe();
      sources.current.delete(key);
    }
  }, [open, load]);
  useEffect(
    () => () => {
      for (const { unsubscribe } of sources.current.values()) unsubscribe();
      sources.current.clear();
    },
    [],
  );

  /** The lines below a group. */
  const below = (parent: string, depth: number): Row[] => {
    const loaded = pages.get(parent) ?? [];
    const last = loaded.at(-1)?.pageInfo;
    const groups = loaded.flatMap(({ nodes }) => nodes);
    const more = { key: `${parent} more`, depth, parent };
    return [
      ...rowsOf(groups, depth, parent),
      ...(last?.hasNextPage ? [{ ...more, loadMore: () => load(parent, loaded.length, last.endCursor) }] : []),
      ...(last ? [] : [more]),
    ];
  };
  /** The lines of groups, each followed by those below it if it is open. */
  const rowsOf = (groups: GroupRowFragment[], depth = 0, parent?: string): Row[] =>
    groups.flatMap((group) => [
      { key: group.id, depth, parent, group },
      ...(open.has(group.id) && group.childCount ? below(group.id, depth + 1) : []),
    ]);
  return rowsOf;
}
