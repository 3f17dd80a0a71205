import {
  ColorInput,
  FileInput,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ChangeEvent, ReactNode } from 'react';
import { useStore } from '../session/store.js';
import { language } from '../text/catalogue.js';
import { type Translate, useText, useWords, type Words } from '../text/text.js';
import { type Attribute, AttributeEditor } from './attribute-editor.js';
import { EmailInput } from './email-input.js';
import { Helped } from './field-help.js';
import type { FieldKind, FormField } from './fields.js';
import { LogoInput } from './logo-input.js';
import { TargetSelect, TargetsSelect } from './target-select.js';
import { texts } from './texts.js';

interface FieldInputProps {
  field: FormField;
  value: unknown;
  error?: string | undefined;
  isReadOnly?: boolean;
  onChange(value: unknown): void;
}

/** What the inputs of all kinds are made from. */
interface Input extends FieldInputProps {
  /** properties that all inputs have */
  common: { label: string; description: ReactNode; error: ReactNode; required: boolean; readOnly: boolean };
  text: string;
  list: string[];
  number: number | '';
  t: Translate<typeof texts>;
  durationOf(seconds: number): string;
  words: Words;
}

const onText =
  ({ onChange }: Input) =>
  ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onChange(value || null);

const numberInput = (input: Input, more: object = {}) => (
  <NumberInput
    {...input.common}
    hideControls
    allowDecimal={false}
    value={input.number}
    onChange={(next) => input.onChange(typeof next === 'number' ? next : null)}
    {...more}
  />
);

/** The values that a field can have, with their names. */
const choicesOf = ({ choices = [] }: FormField, { valueName, translate }: Words) =>
  choices.map((one) =>
    typeof one === 'string' ? { value: one, label: valueName(one) } : { value: one.value, label: translate(one.label) },
  );

/** The input of each kind of field. An empty text is null. */
const inputs: Record<FieldKind, (input: Input) => ReactNode> = {
  text: (input) => <TextInput {...input.common} autoComplete="off" value={input.text} onChange={onText(input)} />,
  email: (input) => (
    <EmailInput {...input.common} value={input.text} onChange={(value) => input.onChange(value || null)} />
  ),
  long: (input) => (
    <Textarea {...input.common} autosize minRows={2} maxRows={8} value={input.text} onChange={onText(input)} />
  ),
  secret: (input) => (
    <PasswordInput
      {...input.common}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': input.t('reveal') }}
      value={input.text}
      onChange={onText(input)}
    />
  ),
  flag: ({ common: { required: _, readOnly, ...common }, value, onChange }) => (
    <Switch
      {...common}
      aria-invalid={Boolean(common.error)}
      disabled={readOnly}
      checked={value === true}
      onChange={({ currentTarget: { checked } }) => onChange(checked)}
    />
  ),
  number: (input) => numberInput(input),
  seconds: (input) =>
    numberInput(input, {
      suffix: ' s',
      description: input.number ? input.durationOf(input.number) : input.t('zero'),
    }),
  lines: ({ common, list, t, onChange }) => (
    <TagsInput
      {...common}
      {...(list.length === 0 && !common.readOnly && { placeholder: t('oneByOne') })}
      acceptValueOnBlur
      value={list}
      onChange={onChange}
    />
  ),
  choice: ({ common, field, text, t, words, onChange }) => (
    <Select
      {...common}
      nothingFoundMessage={t('nothingFound')}
      data={choicesOf(field, words)}
      searchable
      clearable={!common.required && !common.readOnly}
      allowDeselect={!common.required}
      value={text || null}
      onChange={onChange}
    />
  ),
  choices: ({ common, field, list, t, words, onChange }) => (
    <MultiSelect
      {...common}
      nothingFoundMessage={t('nothingFound')}
      data={choicesOf(field, words)}
      searchable
      value={list}
      onChange={onChange}
    />
  ),
  time: ({ common, text, onChange }) => (
    <TextInput
      {...common}
      type="datetime-local"
      value={localTime(text)}
      onChange={({ currentTarget: { value } }) => onChange(value ? new Date(value).toISOString() : null)}
    />
  ),
  color: ({ common, text, onChange }) => (
    <ColorInput {...common} withEyeDropper={false} value={text} onChange={(color) => onChange(color || null)} />
  ),
  logo: ({ common, text, onChange }) => <LogoInput {...common} value={text} onChange={onChange} />,
  file: ({ common, field, value, t, onChange }) => (
    <FileInput
      {...common}
      accept={field.accept ?? ''}
      placeholder={t('chooseFile')}
      clearable
      clearButtonProps={{ 'aria-label': t('removeNamed', { name: common.label }) }}
      value={value instanceof File ? value : null}
      onChange={onChange}
    />
  ),
  target: ({ common, field, text, onChange }) =>
    field.target && (
      <TargetSelect
        {...common}
        clearable={!common.required && !common.readOnly}
        kind={field.target}
        value={text}
        onChange={(id) => onChange(id || null)}
      />
    ),
  targets: ({ common, field, list, onChange }) =>
    field.target && <TargetsSelect {...common} kind={field.target} value={list} onChange={onChange} />,
  attributes: ({ common, value, onChange }) => (
    <AttributeEditor {...common} attributes={(value ?? []) as Attribute[]} onChange={onChange} />
  ),
};

/** The input of a field. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, error, isReadOnly = false } = props;
  const t = useText(texts);
  const present = useStore(language);
  const words = useWords();
  const label = words.translate(field.label);
  const Input = inputs[field.kind ?? 'text'];
  const input = Input({
    ...props,
    common: {
      label,
      description: field.hint && words.translate(field.hint),
      // the API calls the field by its path, and writes Markdown
      error: error?.replaceAll(`\`${field.path}\``, label).replaceAll('`', ''),
      required: field.isRequired ?? false,
      readOnly: isReadOnly,
    },
    text: typeof value === 'string' ? value : '',
    list: Array.isArray(value) ? (value as string[]) : [],
    number: typeof value === 'number' ? value : '',
    t,
    durationOf: (seconds) => durationOf(seconds, present),
    words,
  });
  return <Helped field={field}>{input}</Helped>;
}

/** A time of the API as inputs of the browser have it: to the minute, in its time zone. */
function localTime(time: string): string {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const units = { day: 86_400, hour: 3600, minute: 60, second: 1 } as const;

/** Seconds as one says them, e.g. "2 hours, 30 minutes". */
function durationOf(seconds: number, present: string): string {
  let rest = seconds;
  return Object.entries(units)
    .flatMap(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest %= size;
      return count > 0 ? [count.toLocaleString(present, { style: 'unit', unit, unitDisplay: 'long' })] : [];
    })
    .join(', ');
}
