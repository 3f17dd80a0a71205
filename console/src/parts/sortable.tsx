import { ActionIcon } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/text.js';
import { IconArrowDown, IconArrowUp } from './icons.js';
import { texts } from './texts.js';

interface SortableProps<Node extends { id: string }> {
  nodes: readonly Node[];
  nameOf(node: Node): string;
  isAllowed: boolean;
  /** moves a node by some places: up if negative */
  onMove(node: Node, by: number): void;
  children(node: Node, buttons: ReactNode): ReactNode;
}

/** Objects in an order, which one changes by drag and drop or by buttons. Only those of one list take each other's place. */
export function Sortable<Node extends { id: string }>({
  nodes,
  nameOf,
  isAllowed,
  onMove,
  children,
}: SortableProps<Node>) {
  const t = useText(texts);
  const [dragged, setDragged] = useState<number>();
  return nodes.map((node, at) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same with the keyboard
    <div
      key={node.id}
      draggable={isAllowed}
      onDragStart={(event) => {
        event.stopPropagation();
        event.dataTransfer.effectAllowed = 'move';
        setDragged(at);
      }}
      onDragEnd={() => setDragged(undefined)}
      onDragOver={(event) => dragged !== undefined && event.preventDefault()}
      onDrop={(event) => {
        if (dragged === undefined) return;
        event.stopPropagation();
        const moved = nodes[dragged];
        if (moved && dragged !== at) onMove(moved, at - dragged);
      }}
      style={{ opacity: dragged === at ? 0.5 : 1 }}
    >
      {children(
        node,
        isAllowed && (
          <ActionIcon.Group>
            {([-1, 1] as const).map((by) => (
              <ActionIcon
                key={by}
                variant="default"
                disabled={nodes[at + by] === undefined}
                aria-label={t(by < 0 ? 'up' : 'down', { name: nameOf(node) })}
                onClick={() => onMove(node, by)}
              >
                {by < 0 ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />}
              </ActionIcon>
            ))}
          </ActionIcon.Group>
        ),
      )}
    </div>
  ));
}
