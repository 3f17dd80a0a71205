import { flag, text } from '../parts/address.js';
import type { Address, Filtered } from '../parts/define-list.js';
import { enabledFilter, type Filter } from '../parts/filters.js';
import type { RealmUsersQuery, UserFilter } from './documents.js';
import { texts } from './texts.js';

/** The condition of the API for the address. A condition about an attribute is its name, or `name=value`. */
export function conditionOf({ enabled, verified, action, storage, group, role, attribute }: Address): UserFilter {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/.exec(text(attribute) ?? '') ?? [];
  return {
    isEnabled: flag(enabled),
    isEmailVerified: flag(verified),
    requiredAction: text(action),
    userStorage: text(storage),
    group: text(group),
    role: text(role),
    ...(name.trim() && { attribute: { name: name.trim(), ...(value?.trim() && { value: { equals: value.trim() } }) } }),
  };
}

/** The filters of the user list, with the number of users that each would leave. */
export function filtersOf({ translate, valueName, realm, may, address }: Filtered<RealmUsersQuery>): Filter[] {
  const { isEnabled, isEmailVerified, requiredActions = [], storages = [] } = realm?.userFacets ?? {};
  const counted = (name: string, count: number | undefined) =>
    count === undefined ? name : translate(texts.withCount, { name, count });
  const action = text(address.action);
  const actions = new Map<string, number | undefined>(action ? [[action, undefined]] : []);
  for (const { alias, count } of requiredActions) actions.set(alias, count);
  // the names are for those who may view directories
  const directories = new Map<string, string>();
  if (text(address.storage)) directories.set(String(address.storage), translate(texts.directory));
  for (const { storageId, storage, count } of storages) {
    if (storageId && storage) directories.set(storageId, counted(storage.name ?? translate(texts.directory), count));
  }
  const enabled = enabledFilter({ translate });
  return [
    {
      ...enabled,
      choices: enabled.choices.map(({ value, label }) => ({
        value,
        label: counted(label, value ? isEnabled?.yes : isEnabled?.no),
      })),
    },
    {
      key: 'verified',
      label: translate(texts.verified),
      choices: [
        { value: true, label: counted(translate(texts.emailVerified), isEmailVerified?.yes) },
        { value: false, label: counted(translate(texts.emailUnverified), isEmailVerified?.no) },
      ],
    },
    {
      key: 'action',
      label: translate(texts.anyAction),
      choices: [...actions].map(([alias, count]) => ({ value: alias, label: counted(valueName(alias), count) })),
    },
    {
      key: 'storage',
      label: translate(texts.directory),
      choices: [...directories].map(([value, label]) => ({ value, label })),
    },
    ...(address.group || may('QUERY_GROUPS')
      ? [{ key: 'group', label: translate(texts.group), target: 'group' } as const]
      : []),
    ...(address.role || may('QUERY_REALM')
      ? [{ key: 'role', label: translate(texts.role), target: 'role' } as const]
      : []),
    { key: 'attribute', label: translate(texts.attributeFilter) },
  ];
}
