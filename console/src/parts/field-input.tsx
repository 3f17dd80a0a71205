import { MultiSelect, NumberInput, PasswordInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { UserError } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { language, type Text, translated, useText } from '../text/text.js';
import { messageFor } from './draft.js';
import { formTexts } from './form-text.js';
import { type TargetKind, TargetsSelect } from './target-select.js';

/** A field of a form as data: its input, its place in the API's input, and its name in reviews and conflicts. */
export interface FormField {
  /** the path of the field in the API, such as `flows.isStandardEnabled`; a key with dots is in brackets, as in `settings[claim.name]` */
  path: string;
  label: Text;
  /**
   * `lines`: a list of texts; `choice`: one of `choices`; `choices`: several of them; `time`: a time of the API; `targets`: objects of
   * the realm, which are searched. By default a text.
   */
  kind?: 'text' | 'long' | 'secret' | 'flag' | 'number' | 'lines' | 'choice' | 'choices' | 'time' | 'targets';
  /** of `targets` */
  target?: { kind: TargetKind; realm: string };
  hint?: Text;
  choices?: readonly (string | { value: string; label: string })[];
  isRequired?: boolean;
  /** the value with which a dialog begins */
  start?: unknown;
}

interface FieldInputProps {
  field: FormField;
  value: unknown;
  error?: string | undefined;
  isReadOnly?: boolean;
  onChange(value: unknown): void;
}

/** The input of a field. An empty text is null. */
export function FieldInput({ field, value, error, isReadOnly = false, onChange }: FieldInputProps) {
  const t = useText(formTexts);
  const present = useStore(language);
  const { kind = 'text', isRequired = false, choices = [] } = field;
  const common = {
    label: translated(field.label, present),
    description: field.hint && translated(field.hint, present),
    error,
    required: isRequired,
  };
  const data = [...choices];
  const list = Array.isArray(value) ? (value as string[]) : [];
  const text = typeof value === 'string' ? value : '';
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value || null);
  if (kind === 'flag') {
    const { required: _, ...flag } = common;
    return (
      <Switch
        {...flag}
        disabled={isReadOnly}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    );
  }
  if (kind === 'number')
    return (
      <NumberInput
        {...common}
        readOnly={isReadOnly}
        hideControls
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      />
    );
  if (kind === 'lines') return <TagsInput {...common} readOnly={isReadOnly} value={list} onChange={onChange} />;
  if (kind === 'choices')
    return <MultiSelect {...common} readOnly={isReadOnly} data={data} searchable value={list} onChange={onChange} />;
  if (kind === 'choice')
    return (
      <Select
        {...common}
        readOnly={isReadOnly}
        data={data}
        searchable
        clearable={!isRequired && !isReadOnly}
        allowDeselect={!isRequired}
        value={text || null}
        onChange={onChange}
      />
    );
  if (kind === 'targets' && field.target)
    return <TargetsSelect {...common} {...field.target} readOnly={isReadOnly} value={list} onChange={onChange} />;
  if (kind === 'long')
    return <Textarea {...common} readOnly={isReadOnly} autosize minRows={2} value={text} onChange={onText} />;
  if (kind === 'secret')
    return (
      <PasswordInput
        {...common}
        readOnly={isReadOnly}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('reveal') }}
        value={text}
        onChange={onText}
      />
    );
  if (kind === 'time')
    return (
      <TextInput
        {...common}
        type="datetime-local"
        readOnly={isReadOnly}
        value={localTime(text)}
        onChange={({ currentTarget: { value } }) => onChange(value ? new Date(value).toISOString() : null)}
      />
    );
  return <TextInput {...common} readOnly={isReadOnly} autoComplete="off" value={text} onChange={onText} />;
}

/** A time of the API as inputs of the browser have it: to the minute, in its time zone. */
function localTime(time: string): string {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Values of fields by their paths, as forms and conflicts have them. */
export type FieldValues = Record<string, unknown>;

/** The keys of a path. */
const keysOf = (path: string): string[] => path.match(/(?<=\[)[^\]]+|[^.[\]]+(?![^[]*\])/g) ?? [path];

/** The messages of the errors at a field. The last key of its path names it. */
export const messageAt = (errors: UserError[], { path }: FormField): string | undefined =>
  messageFor(errors, keysOf(path).at(-1) ?? path);

/** The values of fields in an object of the API. */
export const valuesAt = (fields: readonly FormField[], object: object): FieldValues =>
  Object.fromEntries(
    fields.map(({ path }) => [
      path,
      keysOf(path).reduce<unknown>((at, key) => (at as FieldValues | null)?.[key] ?? null, object),
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
