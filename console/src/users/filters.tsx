import { Button, Group, Select } from '@mantine/core';
import { SearchInput } from '../parts/search-input.js';
import { useText } from '../text/text.js';
import { ColumnMenu } from './column-menu.js';
import type { UserListQuery } from './documents.js';
import type { UserListSearch } from './search.js';
import { texts } from './text.js';

interface FiltersProps {
  search: UserListSearch;
  facets: NonNullable<UserListQuery['realm']>['userFacets'] | undefined;
  onChange(changes: Partial<UserListSearch>): void;
  columns: { key: string; title: string }[];
  hidden: ReadonlySet<string>;
  onHide(keys: ReadonlySet<string>): void;
}

/** Search as one types, and filters with the number of users that each would leave. */
export function Filters({ search, facets, onChange, ...columns }: FiltersProps) {
  const t = useText(texts);
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : t('withCount', { name, count });
  const isFiltered = Object.entries(search).some(([key, value]) => key !== 'sort' && value !== undefined);
  return (
    <Group gap="xs" wrap="wrap">
      <SearchInput label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <Flag
        label={t('status')}
        value={search.enabled}
        names={[counted(t('enabled'), facets?.isEnabled.yes), counted(t('disabled'), facets?.isEnabled.no)]}
        onChange={(enabled) => onChange({ enabled })}
      />
      <Flag
        label={t('verified')}
        value={search.verified}
        names={[
          counted(t('emailVerified'), facets?.isEmailVerified.yes),
          counted(t('emailUnverified'), facets?.isEmailVerified.no),
        ]}
        onChange={(verified) => onChange({ verified })}
      />
      {((facets?.requiredActions.length ?? 0) > 0 || search.action) && (
        <Select
          aria-label={t('anyAction')}
          placeholder={t('anyAction')}
          clearable
          w={200}
          data={[
            ...new Map(
              [
                ...(search.action ? [{ alias: search.action, count: undefined }] : []),
                ...(facets?.requiredActions ?? []),
              ].map(({ alias, count }) => [alias, { value: alias, label: counted(alias, count) }]),
            ).values(),
          ]}
          value={search.action ?? null}
          onChange={(action) => onChange({ action: action ?? undefined })}
        />
      )}
      <ColumnMenu {...columns} />
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() => onChange({ search: undefined, enabled: undefined, verified: undefined, action: undefined })}
        >
          {t('clear')}
        </Button>
      )}
    </Group>
  );
}

interface FlagProps {
  label: string;
  value: boolean | undefined;
  names: [yes: string, no: string];
  onChange(value: boolean | undefined): void;
}

/** A filter with the values yes, no, and all. */
function Flag({ label, value, names: [yes, no], onChange }: FlagProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      w={190}
      data={[
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ]}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
    />
  );
}
