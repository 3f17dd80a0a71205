import { Button, Group, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useText } from '../text/text.js';
import type { EventSearch } from './search.js';
import { texts } from './text.js';

interface EventFiltersProps {
  search: EventSearch;
  types: readonly string[];
  onChange(changes: Partial<EventSearch>): void;
}

/** Filters of a list of events, and whether it shows new events as they come. */
export function EventFilters({ search, types, onChange }: EventFiltersProps) {
  const t = useText(texts);
  const [text, setText] = useState(search.search ?? '');
  const settle = useDebouncedCallback((value: string) => onChange({ search: value.trim() || undefined }), 200);
  // the address may change otherwise, e.g. by the history
  useEffect(
    () => setText((before) => (before.trim() === (search.search ?? '') ? before : (search.search ?? ''))),
    [search.search],
  );
  const isFiltered = search.search ?? search.type ?? search.from ?? search.until;
  return (
    <Group gap="xs" wrap="wrap" align="flex-end">
      <TextInput
        label={t('search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          settle(value);
        }}
        flex="1 1 200px"
        type="search"
      />
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
        <Button
          variant="subtle"
          onClick={() => onChange({ search: undefined, type: undefined, from: undefined, until: undefined })}
        >
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}
