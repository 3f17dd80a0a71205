import { Box, Checkbox, Skeleton, Table, UnstyledButton } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Pages } from '../session/pages.js';
import type { Permission } from '../shell/documents.js';
import { type Text as Title, useText, useTranslated, useWords, type Words } from '../text/text.js';
import type { Sort } from './address.js';
import { Empty, Moment } from './display.js';
import { type Icon, IconArrowDown, IconArrowsSort, IconArrowUp } from './icons.js';
import { useKeptScroll } from './kept-scroll.js';
import { LoadedCount } from './paged-rows.js';
import type { ObjectRoute } from './target-kinds.js';
import { texts } from './texts.js';

/** A column of a list. By default it shows the field of its key. */
export type Column<Node, Field extends string = never> = {
  title: Title;
  /** the field of the API's order, if the list can be sorted by it */
  sort?: Field;
  /** pixels at least, by default 160; the columns share further room in this proportion */
  width?: number;
  /** whether the field is a time of the API */
  isTime?: boolean;
  /** whether the column is hidden until it is chosen */
  isOptional?: boolean;
  /** the permission that its values require */
  permission?: Permission;
} & (
  | { key: keyof Node & string; render?(node: Node, words: Words): ReactNode }
  | { key: string; render(node: Node, words: Words): ReactNode }
);

/** What a list shows of its rows, and what can be done with them. */
export interface ListProps<Node extends { id: string }, Field extends string> {
  label: string;
  pages: Pages<unknown, Node>;
  columns: readonly Column<Node, Field>[];
  /** the name of a row, for those who hear it */
  nameOf(node: Node): string;
  sort?: Sort<Field> | undefined;
  onSort?(sort: Sort<Field>): void;
  selection?: ReadonlySet<string>;
  onSelect?(ids: ReadonlySet<string>): void;
  onOpen(node: Node): void;
  empty: ReactNode;
  /** whether the rows are low, so that more of them are seen */
  isDense?: boolean;
}

/** What a column shows of a row. */
function cellOf<Node, Field extends string>(column: Column<Node, Field>, node: Node, words: Words): ReactNode {
  const { key, isTime, render } = column;
  if (render) return render(node, words);
  const value = node[key as keyof Node];
  if (isTime && typeof value === 'string') return <Moment time={value} />;
  return value === null || value === undefined ? '' : String(value);
}

const columnWidth = 160;

const rowHeights = { regular: 44, dense: 32 };

/** A list of any length: only the rows that can be seen are in the page, and further ones are loaded before they are reached. */
export function List<Node extends { id: string }, Field extends string>(props: ListProps<Node, Field>) {
  const { label, pages, columns, nameOf, sort, onSort, selection, onSelect, onOpen, empty, isDense = false } = props;
  const rowHeight = rowHeights[isDense ? 'dense' : 'regular'];
  const t = useText(texts);
  const words = useWords();
  const frame = useRef<HTMLDivElement>(null);
  const lastSelected = useRef<string>(undefined);
  const { nodes, total, hasMore, loadMore, isLoading } = pages;
  const count = nodes.length + (hasMore ? 1 : 0);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  // after the virtualizer, which scrolls a new list to its top
  const onScroll = useKeptScroll(frame, label, nodes.length, isLoading);
  const visible = rows.getVirtualItems();
  const end = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoading && end >= nodes.length - 20) loadMore();
  }, [hasMore, isLoading, end, nodes.length, loadMore]);
  if (nodes.length === 0 && !isLoading) return empty;
  const isChosen = (id: string) => selection?.has(id) ?? false;
  const chosen = nodes.filter(({ id }) => isChosen(id)).length;
  /** Selects a row or takes it from the selection; with Shift, so are all rows from the last one on. */
  const select = (index: number, isWanted: boolean, event: Event) => {
    const isRange = event instanceof MouseEvent && event.shiftKey;
    const last = isRange ? nodes.findIndex(({ id }) => id === lastSelected.current) : -1;
    const [from, to] = last < 0 ? [index, index] : [Math.min(last, index), Math.max(last, index)];
    const ids = new Set(nodes.slice(from, to + 1).map(({ id }) => id));
    lastSelected.current = nodes[index]?.id;
    onSelect?.(isWanted ? (selection ?? ids).union(ids) : (selection ?? ids).difference(ids));
  };
  const minWidth = columns.reduce((sum, { width = columnWidth }) => sum + width, selection ? 48 : 0);
  return (
    <Box>
      <Box
        ref={frame}
        className="list"
        tabIndex={0}
        role="region"
        aria-label={label}
        aria-busy={isLoading}
        onScroll={onScroll}
      >
        <Table
          stickyHeader
          miw={minWidth}
          layout="fixed"
          {...(isDense && { verticalSpacing: 4 })}
          aria-rowcount={total ?? -1}
        >
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={48}>
                  <Checkbox
                    aria-label={t('selectAll')}
                    checked={chosen > 0 && chosen === nodes.length}
                    indeterminate={chosen > 0 && chosen < nodes.length}
                    onChange={() => onSelect?.(new Set(chosen === nodes.length ? [] : nodes.map(({ id }) => id)))}
                  />
                </Table.Th>
              )}
              {columns.map((column) => (
                <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Gap height={visible[0]?.start ?? 0} />
            {visible.map(({ index, key }) => {
              const node = nodes[index];
              if (!node) return <Waiting key={key} height={rowHeight} columns={columns.length + (selection ? 1 : 0)} />;
              return (
                <Table.Tr
                  key={node.id}
                  h={rowHeight}
                  className="clickable"
                  aria-rowindex={index + 2}
                  aria-selected={selection ? isChosen(node.id) : undefined}
                  onClick={() => onOpen(node)}
                >
                  {selection && (
                    <Table.Td onClick={(event) => event.stopPropagation()}>
                      <Checkbox
                        aria-label={t('select', { name: nameOf(node) })}
                        checked={isChosen(node.id)}
                        onChange={({ currentTarget, nativeEvent }) => select(index, currentTarget.checked, nativeEvent)}
                      />
                    </Table.Td>
                  )}
                  {columns.map((column, at) => (
                    <Table.Td key={column.key} className="cell">
                      {at === 0 ? (
                        <UnstyledButton className="row-name" onClick={() => onOpen(node)}>
                          {cellOf(column, node, words)}
                        </UnstyledButton>
                      ) : (
                        cellOf(column, node, words)
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
            <Gap height={rows.getTotalSize() - (visible.at(-1)?.end ?? 0)} />
          </Table.Tbody>
        </Table>
      </Box>
      <Box mt="xs">
        <LoadedCount pages={pages} />
      </Box>
    </Box>
  );
}

interface HeadingProps<Node, Field extends string> {
  column: Column<Node, Field>;
  sort: Sort<Field> | undefined;
  onSort: ((sort: Sort<Field>) => void) | undefined;
}

function Heading<Node, Field extends string>({ column, sort, onSort }: HeadingProps<Node, Field>) {
  const { sort: field, width = columnWidth } = column;
  const title = useTranslated()(column.title);
  if (!field || !onSort) return <Table.Th w={width}>{title}</Table.Th>;
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[direction];
  return (
    <Table.Th w={width} aria-sort={direction}>
      <UnstyledButton fw={700} fz="sm" onClick={() => onSort(direction === 'ascending' ? `-${field}` : field)}>
        {title} <Icon size={14} aria-hidden style={{ opacity: direction === 'none' ? 0.4 : 1, verticalAlign: -2 }} />
      </UnstyledButton>
    </Table.Th>
  );
}

/** The room of rows that are not in the page. */
const Gap = ({ height }: { height: number }) =>
  height > 0 && (
    <Table.Tr aria-hidden="true">
      <Table.Td h={height} p={0} />
    </Table.Tr>
  );

function Waiting({ columns, height }: { columns: number; height: number }) {
  return (
    <Table.Tr h={height}>
      <Table.Td colSpan={columns}>
        <Skeleton height={16} />
      </Table.Td>
    </Table.Tr>
  );
}

interface RelationListProps<Node extends { id: string }> extends Omit<ListProps<Node, never>, 'onOpen' | 'empty'> {
  icon: Icon;
  empty: string;
  /** the screen of a row */
  to: ObjectRoute;
}

/** The objects of a relation, of which there may be any number. Each leads to its screen. */
export function RelationList<Node extends { id: string }>({ icon, empty, to, ...list }: RelationListProps<Node>) {
  const navigate = useNavigate();
  const { realm } = useParams({ from: '/$realm' });
  return (
    <List
      {...list}
      onOpen={({ id }) => navigate({ to, params: { realm, id } })}
      empty={<Empty icon={icon} title={empty} />}
    />
  );
}
