import { ActionIcon, Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.js';
import { IconPlus, IconTrash } from './icons.js';
import { texts } from './texts.js';

/** An attribute of a user, group, or role. */
export interface Attribute {
  name: string;
  values: string[];
}

interface AttributeEditorProps {
  label: string;
  attributes: readonly Attribute[];
  readOnly: boolean;
  error: ReactNode;
  onChange(attributes: Attribute[]): void;
}

/** Edits attributes, each with a name and any number of values. */
export function AttributeEditor({ label, attributes, readOnly, error, onChange }: AttributeEditorProps) {
  const t = useText(texts);
  const set = (at: number, changes: Partial<Attribute>) =>
    onChange(attributes.map((attribute, index) => (index === at ? { ...attribute, ...changes } : attribute)));
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {attributes.length === 0 && <Text c="dimmed">{t('noAttributes')}</Text>}
      {attributes.map(({ name, values }, at) => (
        <Group key={`${at} of ${attributes.length}`} align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            aria-label={t('attributeName')}
            placeholder={t('attributeName')}
            readOnly={readOnly}
            flex="0 1 200px"
            miw={80}
            value={name}
            onChange={({ currentTarget: { value } }) => set(at, { name: value })}
          />
          <TagsInput
            aria-label={`${t('attributeValues')} ${name}`}
            readOnly={readOnly}
            flex="1 1 200px"
            miw={0}
            value={values}
            onChange={(next) => set(at, { values: next })}
            acceptValueOnBlur
          />
          {!readOnly && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('removeAttribute', { name })}
              onClick={() => onChange(attributes.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {error && <Text c="red">{error}</Text>}
      {!readOnly && (
        <Button
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...attributes, { name: '', values: [] }])}
        >
          {t('addAttribute')}
        </Button>
      )}
    </Stack>
  );
}
