import { declaredFields, type FormField, type StoredSetting, translatedFields } from '../parts/fields.js';
import type { ComponentCreateInput, ComponentUpdateInput, RealmKeysQuery } from './documents.js';
import { texts } from './texts.js';

/** A kind of component that provides keys. */
export type KeyType = NonNullable<NonNullable<RealmKeysQuery['realm']>['componentTypes']>[number];

/** A component that provides keys, as it is stored. */
interface KeyProvider {
  id: string;
  version: number;
  name: string;
  providerId: string;
  settings: readonly StoredSetting[];
}

/** The fields of the settings that a kind of component has. */
export const keyFields = (type: KeyType | undefined): FormField[] =>
  translatedFields(declaredFields(type?.properties ?? []), texts, 'key.');

const valueIn = ({ settings }: KeyProvider, name: string): string | undefined =>
  settings.find((setting) => setting.name === name)?.values[0];

/** Whether a new key can be generated in place of those of a component, which is in use. */
export const canRotate = (provider: KeyProvider): boolean =>
  provider.providerId.endsWith('-generated') &&
  !['active', 'enabled'].some((name) => valueIn(provider, name) === 'false');

/** The component whose key is used in place of that of another one: it has the same settings, and a priority above all. */
export function nextKey(
  realm: string,
  { name, providerId, settings }: KeyProvider,
  { properties }: KeyType,
  all: readonly KeyProvider[],
): ComponentCreateInput {
  const declared = new Set(properties.filter(({ isSecret }) => !isSecret).map((property) => property.name));
  const highest = Math.max(...all.map((provider) => Number(valueIn(provider, 'priority') ?? 0)));
  const kept = settings.filter((setting) => declared.has(setting.name) && setting.name !== 'priority');
  return {
    realm,
    name,
    providerType: 'KEY_PROVIDER',
    providerId,
    settings: [
      ...kept.map((setting) => ({ name: setting.name, values: setting.values })),
      { name: 'priority', values: [String(highest + 1)] },
    ],
  };
}

/** The change of a component whose keys are used for existing tokens only. */
export const passive = ({ id, version }: KeyProvider): ComponentUpdateInput => ({
  id,
  expectedVersion: version,
  settings: [{ name: 'active', values: ['false'] }],
});
