import { clientFields } from '../../services/clients/fields.js';
import { invalid } from '../../services/core/refusal.js';
import { inputNames } from '../core/resource-fields.js';
import { fieldNamed } from '../core/wire-names.js';
import type { ClientSetting } from './setting-rows.js';
import { attributePaths, clientSettingGroups, generalSettings, settingPaths } from './settings.js';
import { storedChoices } from './types.js';

type Values = Readonly<Record<string, unknown>>;

/** Separates the items of an attribute with several. */
const between = '##';

/** The columns that settings are read from. */
export const columnsOf = (settings: readonly ClientSetting[]): Record<string, true> =>
  Object.fromEntries(settings.map(({ field = 'attributes' }) => [field, true]));

/** The value of a field for a setting. A choice that this schema does not support is shown as null. */
export function shown(setting: ClientSetting, client: Values): unknown {
  const { field, attribute, kind, none, standard = false } = setting;
  const value = field ? client[field] : (client.attributes as Values)[attribute ?? ''];
  if (typeof kind === 'object')
    return 'choice' in kind && storedChoices(kind.choice).has(value as string) ? value : null;
  switch (kind) {
    case 'flag':
      return value === undefined ? standard : value === true || value === 'true';
    case 'texts':
      return typeof value === 'string' ? value.split(between) : [];
    case 'text':
      return value === undefined || value === '' ? null : value;
    case 'instant':
      return value === none ? null : new Date(Number(value) * 1000);
    default: {
      const number = value === undefined || value === '' ? Number.NaN : Number(value);
      return number === none || !Number.isInteger(number) ? null : number;
    }
  }
}

/** The values of a group by their names here. */
export const readGroup = (settings: readonly ClientSetting[], client: Values): Record<string, unknown> =>
  Object.fromEntries(settings.map((setting) => [setting.name, shown(setting, client)]));

/** Converts a setting to its stored form. Null removes an attribute. */
function sent({ kind, none, attribute }: ClientSetting, value: unknown, path: string): unknown {
  if (value === null) {
    if (kind === 'flag' || kind === 'texts') throw invalid(`\`${path}\` must not be null`, path);
    return none ?? null;
  }
  if (value instanceof Date) return Math.floor(value.getTime() / 1000);
  if (Array.isArray(value)) {
    const wrong = value.findIndex((item: string) => item === '' || item.includes(between));
    if (wrong >= 0)
      throw invalid(
        `\`${path}\` must have items that are not empty and do not contain "${between}"`,
        `${path}.${wrong}`,
      );
    return value.length > 0 ? value.join(between) : null;
  }
  return attribute === undefined ? value : String(value);
}

/** The settings of an input in the form of ClientRepresentation: its fields, and the attributes to set or remove. */
export function sendSettings(input: Values): { fields: Values; attributes: Readonly<Record<string, string | null>> } {
  const fields: Record<string, unknown> = {};
  const attributes: Record<string, string | null> = {};
  const take = (settings: readonly ClientSetting[], given: Values, prefix: string) => {
    for (const setting of settings) {
      const value = given[setting.name];
      if (value === undefined) continue;
      const written = sent(setting, value, prefix + setting.name);
      if (setting.field) fields[setting.field] = written;
      else if (setting.attribute) attributes[setting.attribute] = written as string | null;
    }
  };
  take(generalSettings, input, '');
  for (const { name, settings } of clientSettingGroups) {
    const given = input[name];
    if (given === null) throw invalid(`\`${name}\` must not be null`, name);
    if (given !== undefined) take(settings, given as Values, `${name}.`);
  }
  return { fields, attributes };
}

/** Attributes that no field of the schema shows. */
export const withoutSettings = (attributes: Readonly<Record<string, string>>): [name: string, value: string][] =>
  Object.entries(attributes).filter(([name]) => !attributePaths.has(name));

/** Refuses attributes for which there is a separate field. */
export function requireNoSettings(names: readonly string[], field: string): void {
  names.forEach((name, index) => {
    const path = attributePaths.get(name);
    if (path) throw invalid(`The attribute \`${name}\` is set as \`${path}\``, `${field}.${index}.name`);
  });
}

/** Path of an input field here, for one of ClientRepresentation. */
export const clientPath = fieldNamed({
  ...inputNames(clientFields),
  ...Object.fromEntries(settingPaths.map(([path, { field, attribute }]) => [field ?? `attributes.${attribute}`, path])),
  publicClient: 'kind',
  bearerOnly: 'kind',
  'authenticationFlowBindingOverrides.browser': 'flowOverrides.browser',
  'authenticationFlowBindingOverrides.direct_grant': 'flowOverrides.directGrant',
});
