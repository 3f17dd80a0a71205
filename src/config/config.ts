import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { SettingDescription } from './setting.js';
import { definitions } from './settings.js';
import { ConfigError, readSettingsFile, readValue } from './settings-file.js';

export { ConfigError };

type Definitions = typeof definitions;

/** Every setting, validated. Sizes are in bytes and times in seconds. */
export type Config = { readonly [Key in keyof Definitions]: z.output<Definitions[Key]['schema']> };

const configFile = 'REALMGATE_CONFIG';

/** Names of the settings with secrets, which a file can hold: those whose name with `_FILE` names it, as containers mount secrets. */
export const settingsInFiles: readonly string[] = Object.entries(definitions)
  .filter(([key, { secret }]) => secret || ['databaseUrl', 'databaseDirectUrl', 'databaseReadUrl'].includes(key))
  .map(([, { name }]) => name);
const fileSetting = (name: string): string => `${name}_FILE`;

/** What there is to set, in the order of the table in docs/settings.md. */
export const settings: readonly SettingDescription[] = [
  ...Object.values(definitions).map(({ name, default: initial, meaning, expected }) => ({
    name,
    default: initial,
    meaning,
    expected,
  })),
  {
    name: configFile,
    default: undefined,
    meaning: 'File with settings, as KEY=VALUE lines or as a JSON object. Environment variables override it.',
    expected: 'the path of a file',
  },
];

/**
 * Reads the settings from `env` and from the file that `REALMGATE_CONFIG` names. An empty value counts as unset.
 * Throws a ConfigError that names the first setting that is wrong.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const path = env[configFile];
  const known = new Set([...Object.values(definitions).map(({ name }) => name), ...settingsInFiles.map(fileSetting)]);
  const file = path ? readSettingsFile(configFile, path, known, readFile) : {};
  const values = Object.entries(definitions).map(([key, setting]) => {
    const given = givenBy(env, setting.name, readFile) ?? givenBy(file, setting.name, readFile);
    return [key, validated(setting, given ?? { text: setting.default })];
  });
  return Object.freeze(Object.fromEntries(values)) as Config;
}

interface Given {
  text: string | undefined;
  /** whether it must not appear in a message: it is what a file holds */
  isOfFile?: true;
}

/** The value of a setting among `values`, or in the file that they name for it. Undefined if it is not set. */
function givenBy(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
  readFile: (path: string) => string,
): Given | undefined {
  const path = settingsInFiles.includes(name) ? values[fileSetting(name)] : undefined;
  if (!path) return values[name] ? { text: values[name] } : undefined;
  if (values[name]) throw new ConfigError(`${name} and ${fileSetting(name)} are both set: set one of them.`);
  return { text: readValue(fileSetting(name), path, readFile).replace(/\r?\n$/, ''), isOfFile: true };
}

function validated(setting: Definitions[keyof Definitions], { text, isOfFile }: Given): unknown {
  const result = setting.schema.safeParse(text);
  if (result.success) return result.data;
  const shown = setting.secret || isOfFile ? 'has another value' : `is ${JSON.stringify(withoutPassword(text ?? ''))}`;
  throw new ConfigError(`${setting.name} must be ${setting.expected}, but ${shown}.`);
}

/** The text without what stands between `//` and `@` in an address. */
const withoutPassword = (text: string): string => text.replace(/\/\/.*@/, '//…@');
