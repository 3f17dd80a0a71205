import { Button, Stack } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { Empty } from './empty.js';
import type { FieldValues, FormField } from './field-input.js';
import { FormDialog } from './form-dialog.js';
import { formTexts } from './form-text.js';
import { Review } from './review.js';
import { Row } from './row.js';

interface ObjectListProps<Node extends { id: string; name: string }> {
  nodes: readonly Node[];
  isAllowed: boolean;
  icon: Icon;
  empty: { title: string; hint: string };
  /** what is to be known of a row */
  describe(node: Node): { hint?: string | null | undefined; badges?: (string | null)[]; actions?: ReactNode };
  add: {
    title: string;
    fields: readonly FormField[] | ((values: FieldValues) => readonly FormField[]);
    start?: FieldValues;
  };
  /** what can be changed of a row in a dialog */
  edit?: {
    fields(node: Node): readonly FormField[];
    startOf(node: Node): FieldValues | Promise<FieldValues>;
    save(node: Node, input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  };
  create(input: FieldValues): Promise<Outcome<object>>;
  remove(node: Node, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  reload(): void;
}

/** The few objects of a kind that another one has: they are listed, created in a dialog, and deleted after a preview. */
export function ObjectList<Node extends { id: string; name: string }>(props: ObjectListProps<Node>) {
  const { nodes, isAllowed, icon, empty, describe, add, edit, create, remove, reload } = props;
  const t = useText(formTexts);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Node>();
  const [edited, setEdited] = useState<{ node: Node; start: FieldValues }>();
  const row = (node: Node) => {
    const { actions, ...shown } = describe(node);
    const isEditable = isAllowed && edit && edit.fields(node).length > 0;
    const editing = isEditable && (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('edit', { name: node.name })}
        onClick={async () => setEdited({ node, start: await edit.startOf(node) })}
      >
        …
      </Button>
    );
    return {
      ...shown,
      actions: (
        <>
          {actions}
          {editing}
        </>
      ),
    };
  };
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <Button style={{ alignSelf: 'flex-start' }} onClick={() => setAdding(true)}>
          {add.title}
        </Button>
      )}
      {nodes.length === 0 && (
        <Empty icon={icon} title={empty.title}>
          {empty.hint}
        </Empty>
      )}
      {nodes.map((node) => (
        <Row key={node.id} name={node.name} {...row(node)} onRemove={isAllowed && (() => setRemoved(node))} />
      ))}
      {isAdding && <FormDialog {...add} submit={create} onDone={reload} onClose={() => setAdding(false)} />}
      {edited && edit && (
        <FormDialog
          title={t('edit', { name: edited.node.name })}
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
          title={t('remove', { name: removed.name })}
          act={(options) => remove(removed, options)}
          done={t('removed', { name: removed.name })}
          isDangerous
          onDone={reload}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}
