import { Badge, Box, Group, Skeleton, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useText } from '../text/text.js';
import type { Row } from './branches.js';
import type { GroupRowFragment } from './documents.js';
import { texts } from './text.js';

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
