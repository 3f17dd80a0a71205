import { Button, Group, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchInput } from '../parts/search-input.js';
import { useText } from '../text/text.js';
import { texts } from './text.js';

/** What the address of a list of events says. */
export interface EventSearch {
  search?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  live?: boolean | undefined;
  actor?: string | undefined;
  object?: string | undefined;
  event?: string | undefined;
}

const filters = ['search', 'type', 'from', 'until', 'actor', 'object'] as const satisfies (keyof EventSearch)[];

interface EventFiltersProps {
  search: EventSearch;
  types: readonly string[];
  onChange(changes: Partial<EventSearch>): void;
  /** filters that only one kind of events has */
  children: ReactNode;
}

/** Filters of a list of events, and whether it shows new events as they come. */
export function EventFilters({ search, types, onChange, children }: EventFiltersProps) {
  const t = useText(texts);
  const isFiltered = filters.some((name) => search[name] !== undefined);
  return (
    <Group gap="xs" wrap="wrap" align="flex-end">
      <SearchInput label={t('search')} isTitled value={search.search} onChange={(text) => onChange({ search: text })} />
      <Select
        label={t('type')}
        placeholder={t('anyType')}
        clearable
        searchable
        w={200}
        data={types}
        value={search.type ?? null}
        onChange={(type) => onChange({ type: type ?? undefined })}
      />
      {children}
      {(['from', 'until'] as const).map((field) => (
        <TextInput
          key={field}
          label={t(field)}
          type="datetime-local"
          w={200}
          value={search[field] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ [field]: value || undefined })}
        />
      ))}
      <Switch
        label={t('live')}
        pb={8}
        checked={search.live ?? false}
        onChange={({ currentTarget: { checked } }) => onChange({ live: checked || undefined })}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => onChange(Object.fromEntries(filters.map((name) => [name, undefined])))}>
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}
