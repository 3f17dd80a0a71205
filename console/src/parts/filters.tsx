import { Button, Group, Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../text/text.js';
import { useChange } from './address.js';
import { SearchInput } from './search-input.js';
import { partTexts } from './text.js';

/** A filter of a list: its value in the address, of which there is none if all rows are shown. Without choices, it is left out. */
export interface Filter {
  key: string;
  label: string;
  choices: readonly { value: string | boolean; label: string }[];
}

interface FiltersProps {
  /** the label of the search */
  search?: string | undefined;
  filters?: readonly Filter[];
  /** other inputs beside them */
  children?: ReactNode;
}

/** The search and the filters of a list, which are in the address. */
export function Filters({ search, filters = [], children }: FiltersProps) {
  const t = useText(partTexts);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const change = useChange<Record<string, unknown>>();
  const keys = ['search', ...filters.map(({ key }) => key)];
  return (
    <Group gap="xs">
      {search && (
        <SearchInput
          label={search}
          value={address.search as string | undefined}
          onChange={(text) => change({ search: text })}
        />
      )}
      {filters
        .filter(({ choices }) => choices.length > 0)
        .map(({ key, label, choices }) => (
          <Select
            key={key}
            aria-label={label}
            placeholder={label}
            clearable
            w={190}
            data={choices.map(({ value, label }) => ({ value: String(value), label }))}
            value={address[key] === undefined ? null : String(address[key])}
            onChange={(chosen) => change({ [key]: choices.find(({ value }) => String(value) === chosen)?.value })}
          />
        ))}
      {children}
      {filters.length > 0 && keys.some((key) => address[key] !== undefined) && (
        <Button variant="subtle" onClick={() => change(Object.fromEntries(keys.map((key) => [key, undefined])))}>
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}
