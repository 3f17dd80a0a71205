import { Select, Stack, Text } from '@mantine/core';
import type { Outcome } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ObjectLink, type ObjectRoute } from './cells.js';
import type { TargetKind } from './fields.js';
import { type Described, Row } from './row.js';
import { TargetSelect } from './target-select.js';
import { partTexts } from './text.js';
import { useAct } from './use-act.js';

interface AssignmentsProps<Node extends { id: string }> {
  nodes: readonly Node[];
  nameOf(node: Node): string;
  describe?(node: Node): Described & { isFixed?: boolean };
  /** the screen of such an object */
  to?: ObjectRoute;
  /** the label of the field that adds an object */
  label: string;
  empty?: string;
  isAllowed: boolean;
  /** what is searched for to be added, unless it is one of the choices */
  kind?: TargetKind;
  choices?: { value: string; label: string }[];
  add(id: string, before?: Node): Promise<Outcome<unknown>>;
  remove(id: string): Promise<Outcome<unknown>>;
  reload?(): void;
}

/** The objects that another one has, such as roles or groups: they are added and removed one by one, which can be undone. */
export function Assignments<Node extends { id: string }>(props: AssignmentsProps<Node>) {
  const { nodes, nameOf, describe, to, label, empty, isAllowed, kind, choices = [], reload } = props;
  const t = useText(partTexts);
  const act = useAct();
  const add = async (id: string, name: string) => {
    await act(
      () => props.add(id),
      t('added', { name }),
      () => props.remove(id),
    );
    reload?.();
  };
  const remove = async (node: Node) => {
    await act(
      () => props.remove(node.id),
      t('removed', { name: nameOf(node) }),
      () => props.add(node.id, node),
    );
    reload?.();
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
          to ? (
            <ObjectLink to={to} id={node.id}>
              {name}
            </ObjectLink>
          ) : (
            name
          )
        }
        onRemove={isAllowed && !isFixed && (() => remove(node))}
        removeLabel={t('removeNamed', { name })}
      />
    );
  };
  const selected = (id: string | null, name: string) => id && add(id, name);
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && kind && <TargetSelect kind={kind} label={label} value="" onChange={selected} />}
      {isAllowed && !kind && (
        <Select
          label={label}
          placeholder={t('choose')}
          searchable
          data={choices}
          value={null}
          onChange={(id, option) => selected(id, option?.label ?? '')}
        />
      )}
      {nodes.length === 0 && <Text c="dimmed">{empty}</Text>}
      {nodes.map(rowOf)}
    </Stack>
  );
}

/** The name of a role, after that of its client if it has one. */
export const roleLabel = ({ name, client }: { name: string; client: { clientId: string } | null }): string =>
  client ? `${client.clientId} · ${name}` : name;
