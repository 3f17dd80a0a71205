import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

interface SearchInputProps {
  label: string;
  /** whether the label stands above the input */
  isTitled?: boolean;
  maw?: number;
  /** what the address has */
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A search as one types. */
export function SearchInput({ label, isTitled = false, maw, value = '', onChange }: SearchInputProps) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), 200);
  // the address may change otherwise, e.g. by the history
  useEffect(() => setText((before) => (before.trim() === value ? before : value)), [value]);
  return (
    <TextInput
      {...(isTitled ? { label } : { 'aria-label': label, placeholder: label })}
      {...(maw !== undefined && { maw })}
      type="search"
      flex="1 1 220px"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        settle(currentTarget.value);
      }}
    />
  );
}
