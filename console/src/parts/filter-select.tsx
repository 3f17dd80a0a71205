import { Select } from '@mantine/core';

interface FilterSelectProps<Value extends string> {
  label: string;
  width?: number;
  /** the values with their names */
  choices: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChange(value: Value | undefined): void;
}

/** A filter with some values, or all if none is chosen. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, width = 190, choices, value, onChange } = props;
  return (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      w={width}
      data={choices}
      value={value ?? null}
      onChange={(chosen) => onChange(choices.find((choice) => choice.value === chosen)?.value)}
    />
  );
}

interface FlagFilterProps {
  label: string;
  names: [yes: string, no: string];
  value: boolean | undefined;
  onChange(value: boolean | undefined): void;
}

/** A filter with the values yes, no, and all. */
export function FlagFilter({ label, names: [yes, no], value, onChange }: FlagFilterProps) {
  return (
    <FilterSelect
      label={label}
      choices={[
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]}
      value={value === undefined ? undefined : value ? 'yes' : 'no'}
      onChange={(chosen) => onChange(chosen === undefined ? undefined : chosen === 'yes')}
    />
  );
}
