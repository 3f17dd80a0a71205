import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLoad } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ClientUsers } from './documents.js';
import { texts } from './text.js';

/** Chooses a user of the realm, who is searched as one types. */
export function UserSelect({ realm, value, onChange }: { realm: string; value: string; onChange(id: string): void }) {
  const t = useText(texts);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  // the name of the chosen user stands in the input, and is no search
  const { data } = useLoad(ClientUsers, { realm, ...(search && search !== chosen?.label && { search }) });
  const found = data?.realm?.users?.edges.map(({ node }) => ({ value: node.id, label: node.username })) ?? [];
  const isFound = found.some((user) => user.value === chosen?.value);
  return (
    <Select
      label={t('user')}
      placeholder={t('choose')}
      searchable
      data={chosen && !isFound ? [chosen, ...found] : found}
      // the server has searched already
      filter={({ options }) => options}
      onSearchChange={setText}
      value={value || null}
      onChange={(id, option) => {
        setChosen(option ?? undefined);
        onChange(id ?? '');
      }}
    />
  );
}
