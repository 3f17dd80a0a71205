import { Paper, ScrollArea, Text } from '@mantine/core';
import { roleLabel } from '../parts/assignments.js';
import { ObjectLink } from '../parts/cells.js';
import { useText } from '../text/text.js';
import { box, type LoadedRole, layoutOf } from './layout.js';
import { texts } from './text.js';

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
