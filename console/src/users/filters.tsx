import { Button } from '@mantine/core';
import { FilterSelect, FlagFilter } from '../parts/filter-select.js';
import { useText } from '../text/text.js';
import { ColumnMenu } from './column-menu.js';
import type { UserListQuery } from './documents.js';
import { texts } from './text.js';

interface Search {
  search?: string | undefined;
  enabled?: boolean | undefined;
  verified?: boolean | undefined;
  action?: string | undefined;
}

interface FiltersProps {
  search: Search;
  isFiltered: boolean;
  facets: NonNullable<UserListQuery['realm']>['userFacets'] | undefined;
  onChange(changes: Search): void;
  hidden: ReadonlySet<string>;
  onHide(keys: ReadonlySet<string>): void;
}

/** Filters with the number of users that each would leave. */
export function Filters({ search, isFiltered, facets, onChange, ...columns }: FiltersProps) {
  const t = useText(texts);
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : t('withCount', { name, count });
  const actions = new Map<string, number | undefined>([
    ...(search.action ? [[search.action, undefined] as const] : []),
    ...(facets?.requiredActions ?? []).map(({ alias, count }) => [alias, count] as const),
  ]);
  return (
    <>
      <FlagFilter
        label={t('status')}
        value={search.enabled}
        names={[counted(t('enabled'), facets?.isEnabled.yes), counted(t('disabled'), facets?.isEnabled.no)]}
        onChange={(enabled) => onChange({ enabled })}
      />
      <FlagFilter
        label={t('verified')}
        value={search.verified}
        names={[
          counted(t('emailVerified'), facets?.isEmailVerified.yes),
          counted(t('emailUnverified'), facets?.isEmailVerified.no),
        ]}
        onChange={(verified) => onChange({ verified })}
      />
      {actions.size > 0 && (
        <FilterSelect
          label={t('anyAction')}
          width={200}
          choices={[...actions].map(([alias, count]) => ({ value: alias, label: counted(alias, count) }))}
          value={search.action}
          onChange={(action) => onChange({ action })}
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
    </>
  );
}
