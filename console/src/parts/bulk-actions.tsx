import { Affix, Box, Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import { type Text as Title, useText, useTranslated } from '../text/text.js';
import { inBatches } from './batches.js';
import { Review } from './dialogs.js';
import type { Change } from './display.js';
import type { FormField } from './fields.js';
import { type Icon, IconPlayerPause, IconPlayerPlay } from './icons.js';
import type { Rest } from './selection.js';
import { texts } from './texts.js';

/** What can be done with the selected objects of a list. `chosen` is what its field has. */
export interface BulkAction<Node> {
  title: Title;
  icon: Icon;
  field?: FormField;
  act(nodes: Node[], options: { isDryRun: boolean }, chosen: string): Promise<Outcome<object>>;
  /** takes it back for the objects that it has changed. An action without it is dangerous. */
  undo?(ids: string[], chosen: string): Promise<Outcome<object>>;
}

interface Enabled {
  id: string;
  isEnabled: boolean;
  expectedVersion?: number;
}

/** The actions that enable and disable the selected objects. */
export const enableActions = <Node extends { id: string; version: number }>(
  save: (items: Enabled[], options?: { isDryRun: boolean }) => Promise<Outcome<object>>,
): BulkAction<Node>[] =>
  [true, false].map((isEnabled) => ({
    title: isEnabled ? texts.enable : texts.disable,
    icon: isEnabled ? IconPlayerPlay : IconPlayerPause,
    act: (nodes, options) =>
      save(
        nodes.map(({ id, version }) => ({ id, isEnabled, expectedVersion: version })),
        options,
      ),
    undo: (ids) => save(ids.map((id) => ({ id, isEnabled: !isEnabled }))),
  }));

interface BulkActionsProps<Node> {
  nodes: Node[];
  /** what the objects are called together */
  things: string;
  nameOf(node: Node): string;
  actions: readonly BulkAction<Node>[];
  /** rows that match and are not loaded */
  rest?: Rest | undefined;
  onDone(): void;
  onClear(): void;
}

/** The IDs of the objects that changes concern. */
const changedIn = (changes: Change[]): string[] => [...new Set(changes.flatMap(({ resourceId }) => resourceId ?? []))];

/** The actions on the selected objects, at the bottom of the window. Each shows first what it would change. */
export function BulkActions<Node extends { id: string }>(props: BulkActionsProps<Node>) {
  const { nodes, things, nameOf, actions, rest, onDone, onClear } = props;
  const t = useText(texts);
  const translate = useTranslated();
  const [action, setAction] = useState<BulkAction<Node>>();
  const { ref, height } = useElementSize();
  if (nodes.length === 0) return null;
  const total = nodes.length;
  const selected = t('selected', { count: total });
  return (
    <>
      {/* the bar covers nothing at the end of the screen */}
      <Box h={height + 32} />
      <Affix withinPortal={false} position={{ bottom: 16, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
        <Paper
          ref={ref}
          withBorder
          shadow="md"
          p="xs"
          mx="auto"
          w="fit-content"
          role="toolbar"
          aria-label={selected}
          style={{ pointerEvents: 'auto' }}
        >
          <Group gap="xs" justify="center">
            <Text fw={600} px="xs" role="status">
              {selected}
            </Text>
            {actions.map((action) => (
              <Button
                key={action.title.key}
                size="xs"
                leftSection={<action.icon size={14} aria-hidden />}
                onClick={() => setAction(action)}
              >
                {translate(action.title)}
              </Button>
            ))}
            {rest && (
              <Button size="xs" variant="subtle" loading={rest.isLoading} onClick={rest.select}>
                {t('selectMatching', { count: rest.total })}
              </Button>
            )}
            <CloseButton aria-label={t('clearSelection')} onClick={onClear} />
          </Group>
        </Paper>
        {action && (
          <Review
            title={translate(action.title)}
            field={action.field}
            act={(options, chosen) => inBatches(nodes, (batch) => action.act(batch, options, chosen))}
            heading={(changes) => t('wouldChangeOf', { count: changedIn(changes).length, total, things })}
            apply={t('applyTo', { count: total, things })}
            done={(changes) => t('changed', { count: action.undo ? changedIn(changes).length : total, things })}
            undo={(changes, chosen) => {
              const [ids, { undo }] = [changedIn(changes), action];
              return ids.length > 0 && undo ? () => inBatches(ids, (batch) => undo(batch, chosen)) : undefined;
            }}
            isDangerous={!action.undo}
            nameOf={(id) => nodes.filter((node) => node.id === id).map(nameOf)[0] ?? ''}
            onDone={onDone}
            onClose={() => setAction(undefined)}
          />
        )}
      </Affix>
    </>
  );
}
