import { NumberInput, PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UserError } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { language, translated, useText } from '../text/text.js';
import { fields } from './sections.js';
import { texts } from './text.js';

interface SettingProps {
  path: string;
  value: unknown;
  errors: UserError[];
  isReadOnly: boolean;
  onChange(value: unknown): void;
}

/** One setting, edited as its kind is. */
export function Setting({ path, value, errors, isReadOnly, onChange }: SettingProps) {
  const t = useText(texts);
  const present = useStore(language);
  const field = fields[path];
  if (!field) return null;
  const [kind, ...name] = field;
  const common = {
    label: translated(name, present),
    readOnly: isReadOnly,
    error: errors
      .filter((error) => error.path?.join('.') === path)
      .map(({ message }) => message)
      .join(' '),
  };
  if (typeof kind === 'object')
    return <Select {...common} data={kind} clearable={false} value={value as string | null} onChange={onChange} />;
  switch (kind) {
    case 'flag':
      return (
        <Switch
          label={common.label}
          error={common.error}
          disabled={isReadOnly}
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
      );
    case 'list':
      return <TagsInput {...common} acceptValueOnBlur value={(value as string[] | null) ?? []} onChange={onChange} />;
    case 'number':
    case 'seconds':
      return (
        <NumberInput
          {...common}
          allowDecimal={false}
          description={kind === 'seconds' && (value ? durationOf(Number(value), present) : t('zero'))}
          suffix={kind === 'seconds' ? ' s' : ''}
          value={value as number}
          onChange={(next) => onChange(next === '' ? null : next)}
        />
      );
    default: {
      const Input = kind === 'secret' ? PasswordInput : TextInput;
      return (
        <Input
          {...common}
          autoComplete="off"
          placeholder={kind === 'secret' ? t('unchanged') : ''}
          value={(value as string | null) ?? ''}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : value)}
        />
      );
    }
  }
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
