import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLoad } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { UserTargets } from './documents.js';
import { texts } from './text.js';

interface TargetSelectProps {
  kind: 'group' | 'role' | 'user';
  label: string;
  realm: string;
  value: string;
  onChange(id: string): void;
}

/** Chooses a group, role, or user of the realm, which is searched as one types. */
export function TargetSelect({ kind, label, realm, value, onChange }: TargetSelectProps) {
  const t = useText(texts);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 200);
  const { data, isLoading } = useLoad(UserTargets, {
    realm,
    ...(search && { search }),
    groups: kind === 'group',
    roles: kind === 'role',
    users: kind === 'user',
  });
  const groups = data?.realm?.groups?.edges.map(({ node: { id, path } }) => ({ value: id, label: path })) ?? [];
  const roles = data?.realm?.roles?.edges.map(({ node: { id, name } }) => ({ value: id, label: name })) ?? [];
  const users = data?.realm?.users?.edges.map(({ node: { id, username } }) => ({ value: id, label: username })) ?? [];
  return (
    <Select
      label={label}
      placeholder={t('choose')}
      searchable
      data-autofocus
      data={{ group: groups, role: roles, user: users }[kind]}
      // the server has searched already
      filter={({ options }) => options}
      onSearchChange={setText}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      rightSection={isLoading ? <Loader size={14} /> : undefined}
    />
  );
}
