import { type FieldKind, type FieldLine, type FieldValues, type FormField, fieldsOf, settingValue } from './fields.js';

/** A setting that a provider declares, as the API has it. */
interface Property {
  name: string;
  label: string;
  helpText: string;
  type: string;
  isSecret: boolean;
  options: string[];
  defaultValue: string | null;
}

/** A setting as it is stored: a text, or several. A flag is `true` or `false`. */
export interface StoredSetting {
  name: string;
  values: string[];
}

/** The settings of a table, by their names. */
export const settingsOf = (lines: Record<string, FieldLine>): FormField[] =>
  fieldsOf(lines).map(({ path: setting, ...field }) => ({ ...field, setting, path: `settings[${setting}]` }));

const kinds: Record<string, FieldKind> = {
  boolean: 'flag',
  MultivaluedString: 'lines',
  MultivaluedList: 'choices',
  Script: 'long',
  FLAG: 'flag',
  LONG_TEXT: 'long',
};

/** The fields of the settings that a provider declares, with the texts of the API. */
export const declaredFields = (properties: readonly Property[]): FormField[] =>
  properties.map(({ name, label, helpText, type, isSecret, options, defaultValue }) => {
    // the API writes Markdown
    const hint = helpText.replaceAll('`', '');
    const field: FormField = {
      setting: name,
      path: `settings[${name}]`,
      label: [label, label],
      kind: isSecret ? 'secret' : (kinds[type] ?? (options.length > 0 ? 'choice' : 'text')),
      ...(hint && { hint: [hint, hint] }),
      choices: options,
      standard: defaultValue,
    };
    return { ...field, start: settingValue(field) };
  });

/** Settings as the API takes them, for values by the names of the settings. Null removes a setting. */
export const settingInput = (values: unknown): StoredSetting[] =>
  Object.entries((values ?? {}) as FieldValues).map(([name, value]) => ({
    name,
    values: value == null ? [] : [value].flat().map(String),
  }));

/** A setting that has one value, as those of identity providers and authenticators. */
export interface ProviderSetting {
  name: string;
  value: string;
}

/** Stored settings with values changed: the API replaces all settings, also those that no form shows. */
export function mergedSettings(stored: readonly ProviderSetting[], changed: unknown): ProviderSetting[] {
  const merged = new Map(stored.map(({ name, value }) => [name, value]));
  for (const { name, values } of settingInput(changed)) {
    const [value] = values;
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  return [...merged].map(([name, value]) => ({ name, value }));
}
