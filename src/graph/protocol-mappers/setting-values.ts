import { invalid, requireAll } from '../../services/core/refusal.js';
import { allMapperTypes } from '../../services/providers/protocol-mappers.js';
import { builder } from '../core/builder.js';
import type { FieldOf } from '../core/input-path.js';
import { choiceEnums, settingTypes } from '../core/setting-types.js';
import { fieldNamed } from '../core/wire-names.js';
import { type MapperChoice, mapperChoices, mapperTypes } from './choices.js';
import { type MapperSetting, mapperSettingGroup, mapperSettings } from './settings.js';

type Values = Readonly<Record<string, unknown>>;
type Config = Readonly<Record<string, string>>;
type Change = Record<string, string | null>;

const types = settingTypes<MapperChoice>(choiceEnums(mapperChoices));

/** The enum of the types of protocol mappers. */
export const ProtocolMapperType = builder.enumType('ProtocolMapperType', {
  description: mapperTypes.description,
  values: Object.fromEntries(
    Object.entries(mapperTypes.values).map(([name, [value = '', description = '']]) => [name, { value, description }]),
  ),
});

const typeNames: ReadonlyMap<string, string> = new Map(
  Object.entries(mapperTypes.values).map(([name, [stored = '']]) => [stored, name]),
);

/** The stored type of a mapper, if the schema has it. */
export const knownType = (stored: string | null): string | null => (stored && typeNames.has(stored) ? stored : null);

/** The object type and the input type of all settings. */
export const MapperSettings = types.groupType(mapperSettingGroup);
export const MapperSettingsInput = types.groupInput(mapperSettingGroup);

const fieldsByEntry: ReadonlyMap<string, string> = new Map(mapperSettings.map(({ entry, name }) => [entry, name]));

function shown({ kind, entry }: MapperSetting, config: Config): unknown {
  const text = config[entry];
  if (text === undefined) return null;
  if (kind === 'flag') return text === 'true';
  if (typeof kind !== 'object' || !('choice' in kind)) return text;
  const values: readonly (readonly string[])[] = Object.values(mapperChoices[kind.choice].values);
  return values.some(([stored]) => stored === text) ? text : null;
}

/** The settings of a mapper by their names here. */
export const readSettings = (config: Config): Values =>
  Object.fromEntries(mapperSettings.map((setting) => [setting.name, shown(setting, config)]));

/** Entries of `config` that no setting shows. */
export const otherEntries = (config: Config): [name: string, value: string][] =>
  Object.entries(config).filter(([entry]) => !fieldsByEntry.has(entry));

const entriesByType = new Map(
  allMapperTypes.map(({ id, properties }) => [id, new Set(properties.map(({ name }) => name))]),
);

/**
 * Settings as entries of `config`, null for a removed one. Refuses settings that the type does not have, with `prefix`
 * before their paths.
 */
export function sendSettings(type: string | null, given: Values | null | undefined, prefix = ''): Change {
  const path = `${prefix}settings`;
  if (given === null) throw invalid(`\`${path}\` must not be null`, path);
  const known = type === null ? undefined : entriesByType.get(type);
  const config: Change = {};
  const send = ({ name, entry }: MapperSetting) => {
    const value = given?.[name];
    if (value === undefined) return;
    const field = `${path}.${name}`;
    if (value !== null && known && !known.has(entry)) {
      throw invalid(`\`${field}\` does not apply to mappers of type ${typeNames.get(type ?? '')}`, field);
    }
    config[entry] = value === null ? null : String(value);
  };
  requireAll(...mapperSettings.map((setting) => () => send(setting)));
  return config;
}

/** Refuses entries of `config` for which there is a separate field. */
export function requireNoSettings(names: readonly string[], prefix = ''): void {
  const check = (name: string, index: number) => () => {
    const field = fieldsByEntry.get(name);
    if (field)
      throw invalid(`The setting \`${name}\` is set as \`settings.${field}\``, `${prefix}config.${index}.name`);
  };
  requireAll(...names.map(check));
}

/** Path of an input field here, for one of the contract. */
export const mapperPath: FieldOf = fieldNamed({
  protocolMapper: 'type',
  ...Object.fromEntries(mapperSettings.map(({ entry, name }) => [`config.${entry}`, `settings.${name}`])),
});
