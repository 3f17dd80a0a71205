import { Paper, ScrollArea, Text } from '@mantine/core';
import { ObjectLink } from '../parts/display.js';
import { roleLabel } from '../parts/targets.js';
import type { NodeOf } from '../session/graphql.js';
import { useText } from '../text/text.js';
import type { RoleDetailQuery } from './documents.js';
import { texts } from './texts.js';

/** A picture of the roles around a role. Each leads to its own screen. */
export function RoleGraph({ role }: { role: LoadedRole }) {
  const t = useText(texts);
  const { placed, links, width, height, left } = layoutOf(role);
  return (
    <>
      <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('graph') }}>
        <div style={{ position: 'relative', width, height, margin: 2 }}>
          <svg width={width} height={height} aria-hidden>
            {links.map(({ start, end }) => {
              // a link within a column leaves and arrives at the same side
              const isWithin = start.x >= end.x;
              const [from, to] = [start.x + box.width, isWithin ? end.x + box.width : end.x];
              const [top, bottom] = [start.y + box.height / 2, end.y + box.height / 2];
              const bend = box.columnGap / 2;
              return (
                <path
                  key={`${start.id} ${end.id}`}
                  d={`M${from},${top} C${from + bend},${top} ${isWithin ? to + bend : to - bend},${bottom} ${to},${bottom}`}
                  fill="none"
                  stroke="var(--mantine-color-dimmed)"
                />
              );
            })}
          </svg>
          {[...placed.values()].map(({ x, y, ...node }) => (
            <Paper
              key={node.id}
              withBorder
              pos="absolute"
              left={x}
              top={y}
              w={box.width}
              h={box.height}
              px="sm"
              py={node.client ? 4 : 13}
              className="cell"
              title={roleLabel(node)}
            >
              {node.id === role.id ? (
                <Text fw={700} span>
                  {node.name}
                </Text>
              ) : (
                <ObjectLink to="/$realm/roles/$id" id={node.id}>
                  {node.name}
                </ObjectLink>
              )}
              {node.client && (
                <Text size="xs" c="dimmed" className="cell">
                  {node.client.clientId}
                </Text>
              )}
            </Paper>
          ))}
        </div>
      </ScrollArea>
      {left > 0 && <Text c="dimmed">{t('notShown', { count: left })}</Text>}
    </>
  );
}

/** A role as its screen has loaded it. */
export type LoadedRole = NodeOf<RoleDetailQuery>;

type RoleNode = Pick<LoadedRole, 'id' | 'name' | 'client'>;

/** A role with its place in the picture, from the upper left corner. */
interface Placed extends RoleNode {
  x: number;
  y: number;
}

/** The size of a role in the picture, and the distances to the next ones. */
const box = { width: 200, height: 52, columnGap: 70, rowGap: 12 };

const mostInColumn = 40;

/** Places a role, those that contain it, and those that it contains, in columns from left to right. */
function layoutOf(role: LoadedRole) {
  const parents = role.compositeOf?.nodes ?? [];
  const children = role.composites?.nodes ?? [];
  const links: [from: string, to: string][] = [
    ...parents.map(({ id }): [string, string] => [id, role.id]),
    ...children.flatMap((child): [string, string][] => [
      [role.id, child.id],
      ...(child.composites?.nodes.map(({ id }): [string, string] => [child.id, id]) ?? []),
    ]),
  ];
  const seen = new Set([role.id]);
  const isNew = ({ id }: RoleNode) => !seen.has(id) && Boolean(seen.add(id));
  const columns: RoleNode[][] = [
    parents.filter(isNew),
    [role],
    children.filter(isNew),
    children.flatMap(({ composites }) => composites?.nodes ?? []).filter(isNew),
  ].filter((column) => column.length > 0);
  const shown = columns.map((column) => column.slice(0, mostInColumn));
  const height = Math.max(...shown.map(({ length }) => length)) * (box.height + box.rowGap) - box.rowGap;
  const placed = new Map<string, Placed>();
  for (const [column, roles] of shown.entries())
    for (const [row, node] of roles.entries()) {
      const top = (height - roles.length * (box.height + box.rowGap) + box.rowGap) / 2;
      placed.set(node.id, {
        ...node,
        x: column * (box.width + box.columnGap),
        y: top + row * (box.height + box.rowGap),
      });
    }
  const known = (role.compositeOf?.totalCount ?? 0) + (role.composites?.totalCount ?? 0);
  return {
    placed,
    links: links.flatMap(([from, to]) => {
      const [start, end] = [placed.get(from), placed.get(to)];
      return start && end ? [{ start, end }] : [];
    }),
    width: shown.length * (box.width + box.columnGap) - box.columnGap,
    height,
    left: Math.max(known - parents.length - children.length, 0) + seen.size - placed.size,
  };
}
