import { ActionIcon, Button, Fieldset, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useText } from '../text/text.js';
import { partTexts } from './part-text.js';

interface Attribute {
  name: string;
  values: string[];
}

interface AttributeEditorProps {
  attributes: Attribute[];
  isReadOnly: boolean;
  error: string | undefined;
  onChange(attributes: Attribute[]): void;
}

/** Edits attributes, each with a name and any number of values. */
export function AttributeEditor({ attributes, isReadOnly, error, onChange }: AttributeEditorProps) {
  const t = useText(partTexts);
  const set = (at: number, changes: Partial<Attribute>) =>
    onChange(attributes.map((attribute, index) => (index === at ? { ...attribute, ...changes } : attribute)));
  return (
    <Fieldset legend={t('attributes')}>
      <Stack gap="xs">
        {attributes.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('noAttributes')}
          </Text>
        )}
        {attributes.map(({ name, values }, at) => (
          <Group key={`${at} of ${attributes.length}`} align="flex-start" gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t('attributeName')}
              placeholder={t('attributeName')}
              readOnly={isReadOnly}
              flex="0 1 200px"
              miw={80}
              value={name}
              onChange={({ currentTarget: { value } }) => set(at, { name: value })}
            />
            <TagsInput
              aria-label={`${t('attributeValues')} ${name}`}
              readOnly={isReadOnly}
              flex="1 1 200px"
              miw={0}
              value={values}
              onChange={(next) => set(at, { values: next })}
              acceptValueOnBlur
            />
            {!isReadOnly && (
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
        {error && (
          <Text size="sm" c="red">
            {error}
          </Text>
        )}
        {!isReadOnly && (
          <Button
            variant="default"
            size="xs"
            w="fit-content"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...attributes, { name: '', values: [] }])}
          >
            {t('addAttribute')}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}
