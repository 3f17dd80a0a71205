import type { Filter } from '../parts/filters.js';
import { useText } from '../text/text.js';
import type { UserListQuery } from './documents.js';
import { texts } from './text.js';

/** The filters of the user list, with the number of users that each would leave. */
export function useFilters(
  facets: NonNullable<UserListQuery['realm']>['userFacets'] | undefined,
  action: string | undefined,
): Filter[] {
  const t = useText(texts);
  const choice = (value: string | boolean, name: string, count: number | undefined) => ({
    value,
    label: count === undefined ? name : t('withCount', { name, count }),
  });
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
      choices: [...actions].map(([alias, count]) => choice(alias, alias, count)),
    },
  ];
}
