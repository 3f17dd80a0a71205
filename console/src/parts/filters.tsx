import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useText, type Words } from '../text/text.js';
import { useChange } from './address.js';
import { IconSearch } from './icons.js';
import type { TargetKind } from './target-kinds.js';
import { TargetSelect } from './target-select.js';
import { texts } from './texts.js';

/**
 * A filter of a list: its value in the address, of which there is none if all rows are shown. It has choices, or objects of the realm that are
 * searched, or a text. Without any choice, it is left out.
 */
export interface Filter {
  key: string;
  label: string;
  /** what a filter without a value says below its title, by default its label in place of the title */
  placeholder?: string;
  choices?: readonly { value: string | boolean; label: string }[];
  target?: TargetKind;
}

/** The filter of objects that are enabled or disabled. Its value is read by `flag`. */
export const enabledFilter = ({ translate }: Pick<Words, 'translate'>) => ({
  key: 'enabled',
  label: translate(texts.status),
  choices: [true, false].map((value) => ({ value, label: translate(value ? texts.enabled : texts.disabled) })),
});

/** What a list can be narrowed by. */
export interface FiltersProps {
  /** the label of the search, whose text is `search` in the address */
  search?: string | undefined;
  filters?: readonly Filter[] | undefined;
  /** whether the labels stand above the inputs */
  isTitled?: boolean | undefined;
  /** inputs beside the search and the filters */
  tools?: ReactNode;
  /** the values of these inputs in the address */
  others?: readonly string[] | undefined;
}

/** The search and the filters of a list, which are in the address. */
export function Filters({ search, filters = [], isTitled = false, tools, others = [] }: FiltersProps) {
  const t = useText(texts);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const change = useChange<Record<string, unknown>>();
  const keys = ['search', ...filters.map(({ key }) => key), ...others];
  return (
    <Group gap="xs" align="flex-end">
      {search && (
        <SearchInput
          label={search}
          isTitled={isTitled}
          value={address.search as string | undefined}
          onChange={(text) => change({ search: text })}
        />
      )}
      {filters.map((filter) => (
        <FilterInput
          key={filter.key}
          filter={filter}
          isTitled={isTitled}
          value={address[filter.key]}
          onChange={(value) => change({ [filter.key]: value })}
        />
      ))}
      {tools}
      {filters.length > 0 && keys.some((key) => address[key] !== undefined) && (
        <Button variant="subtle" onClick={() => change(Object.fromEntries(keys.map((key) => [key, undefined])))}>
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}

/** The size of a filter: two of them are beside each other in a small window. */
export const filterSize = { flex: '1 1 150px', miw: 150, maw: 190 };

interface FilterInputProps {
  filter: Filter;
  isTitled: boolean;
  /** what the address has */
  value: unknown;
  onChange(value: string | boolean | undefined): void;
}

/** The input of a filter. */
function FilterInput({ filter, isTitled, value, onChange }: FilterInputProps) {
  const { label, placeholder = label, choices, target } = filter;
  const chosen = value === undefined ? '' : String(value);
  const named = {
    ...(isTitled ? { label } : { 'aria-label': label }),
    placeholder,
    ...filterSize,
    clearable: true,
  };
  if (target)
    return <TargetSelect {...named} kind={target} value={chosen} onChange={(id) => onChange(id || undefined)} />;
  if (!choices) return <SearchInput label={label} isTitled={isTitled} maw={260} value={chosen} onChange={onChange} />;
  if (choices.length === 0) return null;
  return (
    <Select
      {...named}
      searchable
      data={choices.map(({ value, label }) => ({ value: String(value), label }))}
      value={chosen || null}
      onChange={(text) => onChange(choices.find(({ value }) => String(value) === text)?.value)}
    />
  );
}

interface SearchInputProps {
  label: string;
  /** whether the label stands above the input */
  isTitled?: boolean;
  maw?: number;
  /** what the address has */
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A search as one types. */
export function SearchInput({ label, isTitled = false, maw, value = '', onChange }: SearchInputProps) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), 200);
  // the address may change otherwise, e.g. by the history
  useEffect(() => setText((before) => (before.trim() === value ? before : value)), [value]);
  return (
    <TextInput
      {...(isTitled ? { label } : { 'aria-label': label, placeholder: label })}
      {...(maw !== undefined && { maw })}
      type="search"
      // the same in a row and in a column
      flex={1}
      miw={220}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        settle(currentTarget.value);
      }}
    />
  );
}
