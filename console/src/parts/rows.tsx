import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import type { MutationName } from '../session/mutation-text.js';
import type { Pages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { useAct } from './act.js';
import { type Act, type Fields, FormButton, FormDialog, Review } from './dialogs.js';
import { Empty, ObjectLink } from './display.js';
import type { ClientProtocol } from './documents.js';
import { type FieldValues, type FormField, valuesAt } from './fields.js';
import { type Icon, IconX } from './icons.js';
import { PagedRows } from './paged-rows.js';
import { Sortable } from './sortable.js';
import { routes } from './target-kinds.js';
import { TargetSelect } from './target-select.js';
import { texts } from './texts.js';

/** What a row shows of an object besides its name. */
interface Described {
  hint?: ReactNode;
  badges?: readonly (string | null | undefined | false)[];
  actions?: ReactNode;
}

interface RowProps extends Described {
  name: ReactNode;
  /** what the object is called for those who hear it */
  label?: string;
  /** deletes it, after a question */
  remove?: Removal | false | null | undefined;
  /** removes it at once, as can be undone */
  onRemove?: (() => void) | false | null | undefined;
}

/** How an object is deleted. */
interface Removal {
  /** title of the question, and the message afterwards. By default both say that the object is deleted. */
  title?: string;
  done?: string;
  hint?: string;
  act: Act;
  onDone?(): void;
}

/** One of a few objects under each other: its name, what is to be known of it, and what can be done with it. */
export function Row({ name, label = String(name), hint, badges = [], actions, remove, onRemove }: RowProps) {
  const t = useText(texts);
  const [isAsking, setAsking] = useState(false);
  const { title = t('deleteNamed', { name: label }), done = t('deleted', { name: label }), ...removal } = remove || {};
  return (
    <Paper withBorder p="xs">
      <Group gap="xs">
        <Stack gap={0} flex="1 1 140px" style={{ overflowWrap: 'anywhere' }}>
          <Text component="div">{name}</Text>
          {hint && (
            <Text size="xs" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </Stack>
        {badges.map((badge) => badge && <Badge key={badge}>{badge}</Badge>)}
        <Group gap="xs" ml="auto" justify="flex-end">
          {actions}
          {(remove || onRemove) && (
            <ActionIcon
              aria-label={remove ? title : t('removeNamed', { name: label })}
              onClick={onRemove || (() => setAsking(true))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {remove && isAsking && (
        <Review {...removal} act={remove.act} title={title} done={done} isDangerous onClose={() => setAsking(false)} />
      )}
    </Paper>
  );
}

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** Rows or other parts of a screen under a title. */
export function RowSection({ title, children }: SectionProps) {
  return (
    <Stack gap="xs">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

interface ObjectListProps<Node extends { id: string; name: string }> {
  pages: Pages<unknown, Node>;
  isAllowed: boolean;
  /** the mutation that changes one, whose descriptions explain the fields */
  help?: MutationName;
  icon: Icon;
  empty: { title: string; hint?: string };
  describe(node: Node): Described;
  /** undefined if there is nothing to be added */
  add?: { title: string; fields: Fields; start?: FieldValues } | undefined;
  /** what can be changed of a row in a dialog */
  edit?: {
    /** which may depend on what was chosen */
    fields(node: Node, values?: FieldValues): readonly FormField[];
    /** what the fields begin with, by default the values of the row. Undefined: the row cannot be changed here. */
    startOf?(node: Node): Promise<FieldValues | undefined>;
    save(node: Node, input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  };
  /** creates one from the values of `add` */
  create?(input: FieldValues): Promise<Outcome<object>>;
  /** the question before one is deleted */
  removeHint?: string;
  remove(node: Node, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** moves an object by some places, if they have an order */
  move?(node: Node, by: number): void;
}

/** The objects of a kind that another one has: they are listed, created in a dialog, and deleted after a preview. */
export function ObjectList<Node extends { id: string; name: string }>(props: ObjectListProps<Node>) {
  const { pages, isAllowed, icon, empty, describe, add, edit, create, removeHint, remove, move, help } = props;
  const { nodes, reload } = pages;
  const t = useText(texts);
  const [edited, setEdited] = useState<{ node: Node; start: FieldValues }>();
  const open = async ({ fields, startOf }: NonNullable<typeof edit>, node: Node) => {
    const start = startOf ? await startOf(node) : valuesAt(fields(node), node);
    if (start) setEdited({ node, start });
  };
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
                onClick={() => open(edit, node)}
              >
                …
              </Button>
            )}
            {buttons}
          </>
        }
        remove={
          isAllowed && {
            act: (options) => remove(node, options),
            onDone: reload,
            ...(removeHint && { hint: removeHint }),
          }
        }
      />
    );
  };
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && add && create && (
        <FormButton button={{ variant: 'filled' }} {...add} {...(help && { help })} submit={create} onDone={reload} />
      )}
      <PagedRows pages={pages} empty={<Empty icon={icon} {...empty} />}>
        {move ? (
          <Sortable nodes={nodes} nameOf={({ name }) => name} isAllowed={isAllowed} onMove={move}>
            {row}
          </Sortable>
        ) : (
          nodes.map((node) => row(node))
        )}
      </PagedRows>
      {edited && edit && (
        <FormDialog
          title={t('editNamed', { name: edited.node.name })}
          fields={(values) => edit.fields(edited.node, values)}
          start={edited.start}
          {...(help && { help })}
          isPreviewed
          submit={(input, options) => edit.save(edited.node, input, options)}
          onDone={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}

interface AssignmentsProps<Node extends { id: string }> {
  pages: Pages<unknown, Node>;
  nameOf(node: Node): string;
  describe?(node: Node): Described & { isFixed?: boolean };
  /** the label of the field that adds an object */
  label: string;
  empty: string;
  isAllowed: boolean;
  /** the kind of the objects */
  kind: keyof typeof routes;
  /** of client scopes: the protocol that they are for */
  protocol?: ClientProtocol | null;
  /** of roles: the user or group that has them */
  owner?: string;
  add(id: string, before?: Node): Promise<Outcome<unknown>>;
  remove(id: string): Promise<Outcome<unknown>>;
}

/** The objects that another one has, such as roles or groups: they are added and removed one by one, which can be undone. */
export function Assignments<Node extends { id: string }>(props: AssignmentsProps<Node>) {
  const { pages, nameOf, describe, label, empty, isAllowed, kind, protocol, owner } = props;
  const { nodes } = pages;
  const t = useText(texts);
  const act = useAct();
  const assign = (id: string, before?: Node) => () => props.add(id, before);
  const unassign = (id: string) => () => props.remove(id);
  const add = async (id: string, name: string) => {
    await act(assign(id), t('added', { name }), unassign(id));
    pages.reload();
  };
  const remove = async (node: Node) => {
    await act(unassign(node.id), t('removed', { name: nameOf(node) }), assign(node.id, node));
    pages.reload();
  };
  const rowOf = (node: Node) => {
    const name = nameOf(node);
    const { isFixed = false, ...described } = describe?.(node) ?? {};
    return (
      <Row
        key={node.id}
        {...described}
        label={name}
        name={
          <ObjectLink to={routes[kind]} id={node.id}>
            {name}
          </ObjectLink>
        }
        onRemove={isAllowed && !isFixed && (() => remove(node))}
      />
    );
  };
  const selected = (id: string, name: string) => id && add(id, name);
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <TargetSelect kind={kind} protocol={protocol} owner={owner} label={label} value="" onChange={selected} />
      )}
      <PagedRows pages={pages} empty={<Text c="dimmed">{empty}</Text>}>
        {nodes.map(rowOf)}
      </PagedRows>
    </Stack>
  );
}
