import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

interface SearchInputProps {
  label: string;
  /** what the address has */
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A search as one types. */
export function SearchInput({ label, value = '', onChange }: SearchInputProps) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), 200);
  // the address may change otherwise, e.g. by the history
  useEffect(() => setText((before) => (before.trim() === value ? before : value)), [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
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
