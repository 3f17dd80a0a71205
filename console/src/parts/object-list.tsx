import { Button, Stack } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { Empty } from './empty.js';
import { type FieldValues, type FormField, valuesAt } from './fields.js';
import { type Fields, FormButton, FormDialog } from './form-dialog.js';
import { Review } from './review.js';
import { type Described, Row } from './row.js';
import { Sortable } from './sortable.js';
import { partTexts } from './text.js';

interface ObjectListProps<Node extends { id: string; name: string }> {
  nodes: readonly Node[];
  isAllowed: boolean;
  icon: Icon;
  empty: { title: string; hint?: string };
  describe(node: Node): Described;
  /** undefined if there is nothing to be added */
  add?: { title: string; fields: Fields; start?: FieldValues } | undefined;
  /** what can be changed of a row in a dialog */
  edit?: {
    fields(node: Node): readonly FormField[];
    /** what the fields begin with, by default the values of the row */
    startOf?(node: Node): Promise<FieldValues>;
    save(node: Node, input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  };
  create(input: FieldValues): Promise<Outcome<object>>;
  remove(node: Node, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** moves an object by some places, if they have an order */
  move?(node: Node, by: number): void;
  reload(): void;
}

/** The few objects of a kind that another one has: they are listed, created in a dialog, and deleted after a preview. */
export function ObjectList<Node extends { id: string; name: string }>(props: ObjectListProps<Node>) {
  const { nodes, isAllowed, icon, empty, describe, add, edit, create, remove, move, reload } = props;
  const t = useText(partTexts);
  const [removed, setRemoved] = useState<Node>();
  const [edited, setEdited] = useState<{ node: Node; start: FieldValues }>();
  const startOf = async ({ fields, startOf: load }: NonNullable<typeof edit>, node: Node) =>
    load ? load(node) : valuesAt(fields(node), node);
  const row = (node: Node, buttons?: ReactNode) => {
    const { actions, ...described } = describe(node);
    return (
      <Row
        key={node.id}
        name={node.name}
        {...described}
        actions={
          <>
            {actions}
            {isAllowed && edit && edit.fields(node).length > 0 && (
              <Button
                size="compact-xs"
                aria-label={t('editNamed', { name: node.name })}
                onClick={async () => setEdited({ node, start: await startOf(edit, node) })}
              >
                …
              </Button>
            )}
            {buttons}
          </>
        }
        onRemove={isAllowed && (() => setRemoved(node))}
      />
    );
  };
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && add && <FormButton button={{ variant: 'filled' }} {...add} submit={create} onDone={reload} />}
      {nodes.length === 0 && <Empty icon={icon} {...empty} />}
      {move ? (
        <Sortable nodes={nodes} nameOf={({ name }) => name} isAllowed={isAllowed} onMove={move}>
          {row}
        </Sortable>
      ) : (
        nodes.map((node) => row(node))
      )}
      {edited && edit && (
        <FormDialog
          title={t('editNamed', { name: edited.node.name })}
          fields={edit.fields(edited.node)}
          start={edited.start}
          isPreviewed
          submit={(input, options) => edit.save(edited.node, input, options)}
          onDone={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <Review
          title={t('deleteNamed', { name: removed.name })}
          act={(options) => remove(removed, options)}
          done={t('deleted', { name: removed.name })}
          isDangerous
          onDone={reload}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}
