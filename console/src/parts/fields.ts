import type { UserError } from '../session/graphql.js';
import { type Text, textOr } from '../text/catalogue.js';
import { texts as words } from '../words/texts.js';
import type { TargetKind } from './target-kinds.js';

/** A field of a form as data: its input, its place in the API's input, and its name in reviews and conflicts. */
export interface FormField {
  /** the path of the field in the API, such as `flows.isStandardEnabled`; a key with dots is in brackets, as in `settings[claim.name]` */
  path: string;
  label: Text | string;
  /**
   * `email`: an email address; `seconds`: a number that is shown as a duration too; `lines`: a list of texts; `choice`: one of `choices`; `choices`: several of
   * them; `time`: a time of the API; `color`: a colour `#rrggbb`; `logo`: a small image as a data URL; `file`: a file of the reader's computer; `target`: an object of the realm, which is searched; `targets`: several of them; `attributes`:
   * names with their values. By default a text.
   */
  kind?: FieldKind;
  /** of `file`: the endings that it may have */
  accept?: string;
  /** of `target` and `targets` */
  target?: TargetKind;
  hint?: Text | string;
  /** the path of the value in the input of the mutation whose description explains the field, by default its own. False: there is none. */
  explainedBy?: string | false;
  choices?: readonly (string | { value: string; label: string | Text })[];
  isRequired?: boolean;
  /** the value with which a dialog begins */
  start?: unknown;
  /** of a setting of a provider: its name, and what applies if it is not stored */
  setting?: string;
  standard?: string | null;
}

/** How a field is edited. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'long'
  | 'secret'
  | 'flag'
  | 'number'
  | 'seconds'
  | 'lines'
  | 'choice'
  | 'choices'
  | 'time'
  | 'color'
  | 'logo'
  | 'file'
  | 'target'
  | 'targets'
  | 'attributes';

/** Fields of a form under a title. */
export interface Section {
  title: Text;
  fields: readonly FormField[];
}

/** The field of a text that objects are called by. */
export const nameField: FormField = { path: 'name', label: words.name, isRequired: true };

/** The field of a description. */
export const descriptionField: FormField = { path: 'description', label: words.description };

/** The section of the attributes of a user, group, or role. */
export const attributeSection: Section = {
  title: words.attributes,
  fields: [{ path: 'attributes', label: words.attributes, kind: 'attributes' }],
};

/** A field as a line of a table: its kind or the values it can have, and what else is to be said of it. */
export type FieldLine = readonly [kind: FieldKind | readonly string[], more?: Partial<FormField>];

/** Lines by the paths of their fields, by which the texts have their labels. */
export type FieldLines<Texts> = { readonly [Path in keyof Texts]?: FieldLine };

/** The fields of a table. */
export const fieldsOf = <Texts extends object>(texts: Texts, lines: FieldLines<Texts>): FormField[] =>
  Object.entries<FieldLine>(lines as Record<string, FieldLine>).map(([path, [kind, more]]) => ({
    path,
    label: texts[path as keyof Texts] as Text,
    ...(typeof kind === 'string' ? { kind } : { kind: 'choice', choices: kind }),
    ...more,
  }));

/** Makes the field of something that is on or off. */
export const flagField = (path: string, label: Text, hint?: Text): FormField => ({
  path,
  label,
  kind: 'flag',
  ...(hint && { hint }),
});

/** Makes the field of one of some values, which has to be chosen. */
export const choiceField = (path: string, label: Text, choices: FormField['choices'] = []): FormField => ({
  path,
  label,
  kind: 'choice',
  choices,
  isRequired: true,
});

/** Choices among names, which are shown as they are. */
export const asNamed = (names: readonly string[]): { value: string; label: string }[] =>
  names.map((name) => ({ value: name, label: name }));

/** Values of fields by their paths, as forms and conflicts have them. */
export type FieldValues = Record<string, unknown>;

/** The keys of a path. */
export const keysOf = (path: string): string[] => path.match(/(?<=\[)[^\]]+|[^.[\]]+(?![^[]*\])/g) ?? [path];

/** Whether an error is one of a field. A setting of a provider is called by its name alone, wherever its error is. */
function isAt({ path }: UserError, field: FormField): boolean {
  if (!path) return false;
  const keys = keysOf(field.path);
  const isNamed = path.at(-1) === keys.at(-1);
  return keys.length === 1 ? path[0] === keys[0] : isNamed && (path[0] === keys[0] || field.path.endsWith(']'));
}

/** The messages of the errors at a field, as an input shows them. */
export function messageAt(errors: UserError[], field: FormField): string | undefined {
  const messages = errors.filter((error) => isAt(error, field)).map(({ message }) => message);
  return messages.length > 0 ? messages.join(' ') : undefined;
}

/** The kinds of inputs that the browser does not check for a value. */
const unchecked: readonly FieldKind[] = ['choices', 'lines', 'targets'];

/** The errors of required fields without a value, as far as the browser does not find them. */
export const missingIn = (fields: readonly FormField[], values: FieldValues, message: string): UserError[] =>
  fields
    .filter(({ path, kind = 'text', isRequired }) => {
      const value = values[path];
      return isRequired && unchecked.includes(kind) && !(Array.isArray(value) && value.length > 0);
    })
    .map(({ path }) => ({ code: 'REQUIRED', message, path: keysOf(path) }));

/** A value of the API as its inputs take it: without the names of types, which the cache has asked for. */
export const untyped = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (key, inner) => (key === '__typename' ? undefined : inner));

/** A setting of a provider as it is stored: a text, or several. A flag is `true` or `false`. */
interface Setting {
  name: string;
  value?: string | null;
  values?: readonly string[];
}

/** The value of a field for a setting that is stored, or that applies otherwise. */
function settingValue({ setting, kind, standard }: FormField, stored: readonly Setting[] = []): unknown {
  const found = stored.find(({ name }) => name === setting);
  const texts = found ? (found.values ?? [found.value ?? null]) : [standard ?? null];
  const values = texts.filter((text) => text !== null);
  if (kind === 'flag') return values[0] === 'true';
  return kind === 'lines' || kind === 'choices' ? values : (values[0] ?? null);
}

/** What is at a path of an object. An object that is chosen is called by its ID. */
function valueAt({ path, kind }: FormField, object: object): unknown {
  const value = keysOf(path).reduce<unknown>((at, key) => (at as FieldValues | null)?.[key] ?? null, object);
  const isChosen =
    (kind === 'choice' || kind === 'target') && typeof value === 'object' && value !== null && 'id' in value;
  return untyped(isChosen ? value.id : value);
}

const settingsIn = (object: object): Setting[] =>
  'settings' in object && Array.isArray(object.settings) ? object.settings : [];

/** The values of fields in an object of the API, whose settings are a list. */
export const valuesAt = (fields: readonly FormField[], object: object): FieldValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.path,
      field.setting === undefined ? valueAt(field, object) : settingValue(field, settingsIn(object)),
    ]),
  );

/** The input of the API for values by their paths. */
export function inputOf(values: FieldValues): FieldValues {
  const input: FieldValues = {};
  for (const [path, value] of Object.entries(values)) {
    const keys = keysOf(path);
    const last = keys.pop() ?? path;
    let at = input;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as FieldValues;
    }
    at[last] = value;
  }
  return input;
}

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
export const settingsOf = <Texts extends object>(texts: Texts, lines: FieldLines<Texts>): FormField[] =>
  fieldsOf(texts, lines).map(({ path: setting, ...field }) => ({ ...field, setting, path: `settings[${setting}]` }));

const kinds: Record<string, FieldKind> = {
  boolean: 'flag',
  MultivaluedString: 'lines',
  MultivaluedList: 'choices',
  Script: 'long',
  File: 'long',
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
      label,
      kind: isSecret && type !== 'File' ? 'secret' : (kinds[type] ?? (options.length > 0 ? 'choice' : 'text')),
      ...(hint && { hint }),
      choices: options,
      standard: defaultValue,
    };
    return { ...field, start: settingValue(field) };
  });

/** Fields with labels in the present language, by the names of their settings. The API has English ones, which others keep. */
export const translatedFields = (fields: readonly FormField[], texts: object, prefix: string): FormField[] =>
  fields.map((field) => ({ ...field, label: textOr(texts, prefix + field.setting, String(field.label)) }));

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
