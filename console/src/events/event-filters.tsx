import { Button, Group, Select, Switch, TextInput } from '@mantine/core';
import { SearchInput } from '../parts/search-input.js';
import { useText } from '../text/text.js';
import { texts } from './text.js';

interface EventSearch {
  search?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  live?: boolean | undefined;
}

interface EventFiltersProps {
  search: EventSearch;
  types: readonly string[];
  onChange(changes: Partial<EventSearch>): void;
}

/** Filters of a list of events, and whether it shows new events as they come. */
export function EventFilters({ search, types, onChange }: EventFiltersProps) {
  const t = useText(texts);
  const isFiltered = search.search ?? search.type ?? search.from ?? search.until;
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
