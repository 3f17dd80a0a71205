import { Loader, MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useLoad } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ChosenTargets, type TargetFragment, Targets } from './documents.js';
import type { TargetKind } from './fields.js';
import { partTexts } from './text.js';

interface Choice {
  value: string;
  label: string;
}

/** The choice of an object: it is called by its path, name, username, or client ID. */
const choiceOf = (target: TargetFragment): Choice => ({
  value: target.id,
  label:
    [
      'path' in target && target.path,
      'name' in target && target.name,
      'username' in target && target.username,
      'clientId' in target && target.clientId,
    ].find((name): name is string => typeof name === 'string') ?? target.id,
});

/** The objects of a kind that match what is typed, and those that have been chosen. */
function useTargets(kind: TargetKind, realm: string, chosen: readonly string[]) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const loaded = useLoad(ChosenTargets, { ids: [...chosen] }, { isPaused: chosen.length === 0, isShared: true });
  const known = loaded.data?.nodes?.flatMap((node) => (node && chosen.includes(node.id) ? [choiceOf(node)] : [])) ?? [];
  // the name of what was chosen stands in the input, and is no search
  const isSearch = search && !known.some(({ label }) => label === search);
  const { data, isLoading } = useLoad(Targets, {
    realm,
    ...(isSearch && { search }),
    groups: kind === 'group',
    roles: kind === 'role',
    users: kind === 'user',
    clients: kind === 'client',
  });
  const found = data?.realm?.[`${kind}s`]?.nodes.map((node) => choiceOf(node)) ?? [];
  const others = known.filter(({ value }) => !found.some((choice) => choice.value === value));
  return {
    data: [...others, ...found],
    // the server has searched already
    filter: ({ options }: { options: unknown[] }) => options as never,
    searchable: true,
    onSearchChange: setText,
    rightSection: isLoading ? <Loader size={14} /> : undefined,
  };
}

interface TargetProps<Value> {
  kind: TargetKind;
  label: string;
  realm: string;
  value: Value;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  readOnly?: boolean;
  /** for a filter, which is narrow and can be taken away */
  clearable?: boolean;
  w?: number;
}

/** Chooses a group, role, user, or client of the realm, which is searched as one types. */
export function TargetSelect({
  kind,
  realm,
  value,
  onChange,
  ...input
}: TargetProps<string> & { onChange(id: string, name: string): void }) {
  const t = useText(partTexts);
  const targets = useTargets(kind, realm, value ? [value] : []);
  return (
    <Select
      {...input}
      {...targets}
      placeholder={t('choose')}
      data-autofocus
      value={value || null}
      onChange={(id, option) => onChange(id ?? '', option?.label ?? '')}
    />
  );
}

/** Chooses several groups, roles, users, or clients of the realm, which are searched as one types. */
export function TargetsSelect({ kind, realm, ...input }: TargetProps<string[]> & { onChange(ids: string[]): void }) {
  const targets = useTargets(kind, realm, input.value);
  return <MultiSelect {...input} {...targets} />;
}
