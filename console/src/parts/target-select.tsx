import { Loader, MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLoad } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ChosenTargets, type ClientProtocol } from './documents.js';
import type { TargetKind } from './target-kinds.js';
import { labelOf, useTargets } from './targets.js';
import { texts } from './texts.js';

interface Choice {
  value: string;
  label: string;
}

/** The choices of a kind: the objects that match what is typed, and those that have been chosen. */
function useChoices(
  kind: TargetKind,
  chosen: readonly string[],
  of?: string,
  protocol?: ClientProtocol | null,
  owner?: string,
) {
  const t = useText(texts);
  const params = useParams({ from: '/$realm' });
  const realm = of ?? params.realm;
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  // a screen that has the choice as a filter asks for nothing before it is used
  const [wasOpened, setOpened] = useState(false);
  const loaded = useLoad(ChosenTargets, { ids: [...chosen] }, { isPaused: chosen.length === 0, isShared: true });
  const known = (loaded.data?.nodes ?? []).flatMap((node): Choice[] =>
    node && chosen.includes(node.id) ? [{ value: node.id, label: labelOf(node) }] : [],
  );
  // the name of what was chosen stands in the input, and is no search
  const isSearch = !known.some(({ label }) => label === search);
  const { targets, isLoading } = useTargets(
    { realm, kinds: [kind], protocol, owner, ...(isSearch && { search }) },
    !wasOpened,
  );
  const found = targets.map(({ id, label }): Choice => ({ value: id, label }));
  const others = known.filter(({ value }) => !found.some((choice) => choice.value === value));
  return {
    data: [...others, ...found],
    // the server has searched already
    filter: ({ options }: { options: unknown[] }) => options as never,
    searchable: true,
    nothingFoundMessage: isLoading || text !== search ? undefined : t('nothingFound'),
    onSearchChange: setText,
    onDropdownOpen: () => setOpened(true),
    rightSection: isLoading && wasOpened ? <Loader size={14} /> : undefined,
  };
}

interface TargetProps<Value> {
  kind: TargetKind;
  /** another realm than that of the screen */
  realm?: string;
  label?: string;
  /** its name where it has no label */
  'aria-label'?: string;
  placeholder?: string;
  value: Value;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  readOnly?: boolean;
  /** for a filter, which is narrow and can be taken away */
  clearable?: boolean;
  flex?: string;
  miw?: number;
  maw?: number;
}

/** Chooses a group, role, user, or client of the realm, which is searched as one types. */
export function TargetSelect({
  kind,
  realm,
  protocol,
  owner,
  value,
  onChange,
  ...input
}: TargetProps<string> & {
  protocol?: ClientProtocol | null | undefined;
  owner?: string | undefined;
  onChange(id: string, name: string): void;
}) {
  const t = useText(texts);
  const choices = useChoices(kind, value ? [value] : [], realm, protocol, owner);
  return (
    <Select
      placeholder={t('choose')}
      {...input}
      {...choices}
      data-autofocus
      value={value || null}
      onChange={(id, option) => onChange(id ?? '', option?.label ?? '')}
    />
  );
}

/** Chooses several groups, roles, users, or clients of the realm, which are searched as one types. */
export function TargetsSelect({ kind, realm, ...input }: TargetProps<string[]> & { onChange(ids: string[]): void }) {
  const choices = useChoices(kind, input.value, realm);
  return <MultiSelect {...input} {...choices} />;
}
