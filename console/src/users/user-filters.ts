import { useParams } from '@tanstack/react-router';
import type { Filter } from '../parts/filters.js';
import { useMay } from '../shell/areas.js';
import { useText, useValueName } from '../text/text.js';
import type { UserFilter, UserListQuery } from './documents.js';
import { texts } from './text.js';

/** The filters of the user list in its address. */
interface UserSearch {
  search?: string | undefined;
  enabled?: boolean | undefined;
  verified?: boolean | undefined;
  action?: string | undefined;
  group?: string | undefined;
  role?: string | undefined;
  /** the name of an attribute, or `name=value` */
  attribute?: string | undefined;
}

/** The filter of the API for the address. */
export function filterOf({ search, enabled, verified, action, group, role, attribute }: UserSearch): UserFilter {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/.exec(attribute ?? '') ?? [];
  return {
    ...(search && { search }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(verified !== undefined && { isEmailVerified: verified }),
    ...(action && { requiredAction: action }),
    ...(group && { group }),
    ...(role && { role }),
    ...(name.trim() && { attribute: { name: name.trim(), ...(value?.trim() && { value: { equals: value.trim() } }) } }),
  };
}

/** The filters of the user list, with the number of users that each would leave. */
export function useFilters(
  facets: NonNullable<UserListQuery['realm']>['userFacets'] | undefined,
  { action, group, role }: UserSearch,
): Filter[] {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const may = useMay(realm);
  const choice = (value: string | boolean, name: string, count: number | undefined) => ({
    value,
    label: count === undefined ? name : t('withCount', { name, count }),
  });
  const nameOf = useValueName();
  const { isEnabled, isEmailVerified, requiredActions = [] } = facets ?? {};
  const actions = new Map<string, number | undefined>(action ? [[action, undefined]] : []);
  for (const { alias, count } of requiredActions) actions.set(alias, count);
  return [
    {
      key: 'enabled',
      label: t('status'),
      choices: [choice(true, t('enabled'), isEnabled?.yes), choice(false, t('disabled'), isEnabled?.no)],
    },
    {
      key: 'verified',
      label: t('verified'),
      choices: [
        choice(true, t('emailVerified'), isEmailVerified?.yes),
        choice(false, t('emailUnverified'), isEmailVerified?.no),
      ],
    },
    {
      key: 'action',
      label: t('anyAction'),
      choices: [...actions].map(([alias, count]) => choice(alias, nameOf(alias), count)),
    },
    ...(group || may('QUERY_GROUPS') ? [{ key: 'group', label: t('group'), target: 'group' } as const] : []),
    ...(role || may('QUERY_REALM') ? [{ key: 'role', label: t('role'), target: 'role' } as const] : []),
    { key: 'attribute', label: t('attributeFilter') },
  ];
}
