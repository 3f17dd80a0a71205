import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { SettingDescription } from './setting.js';
import { definitions } from './settings.js';
import { ConfigError, readSettingsFile } from './settings-file.js';

export { ConfigError };

type Definitions = typeof definitions;

/** Every setting, validated. Sizes are in bytes and times in seconds. */
export type Config = { readonly [Key in keyof Definitions]: z.output<Definitions[Key]['schema']> };

const configFile = 'REALMGATE_CONFIG';

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
  const known = new Set(Object.values(definitions).map(({ name }) => name));
  const file = path ? readSettingsFile(configFile, path, known, readFile) : {};
  const values = Object.entries(definitions).map(([key, setting]) => [
    key,
    validated(setting, env[setting.name] || file[setting.name] || setting.default),
  ]);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

function validated(setting: Definitions[keyof Definitions], text: string | undefined): unknown {
  const result = setting.schema.safeParse(text);
  if (result.success) return result.data;
  const shown = setting.secret ? 'has another value' : `is ${JSON.stringify(withoutPassword(text ?? ''))}`;
  throw new ConfigError(`${setting.name} must be ${setting.expected}, but ${shown}.`);
}

/** The text without what stands between `//` and `@` in an address. */
const withoutPassword = (text: string): string => text.replace(/\/\/.*@/, '//…@');
