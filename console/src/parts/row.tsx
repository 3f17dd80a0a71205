import { ActionIcon, Badge, Group, Paper, type PaperProps, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { useText } from '../text/text.js';
import { formTexts } from './form-text.js';

interface RowProps
  extends PaperProps,
    Pick<ComponentProps<'div'>, 'draggable' | 'onDragStart' | 'onDragOver' | 'onDrop'> {
  name: ReactNode;
  /** what the object is called for those who hear it */
  label?: string;
  hint?: string | null | undefined;
  badges?: readonly (string | null | undefined | false)[];
  actions?: ReactNode;
  onRemove?: (() => void) | false | undefined;
}

/** One of a few objects under each other: its name, what is to be known of it, and what can be done with it. */
export function Row({ name, label, hint, badges = [], actions, onRemove, ...paper }: RowProps) {
  const t = useText(formTexts);
  return (
    <Paper withBorder p="xs" {...paper}>
      <Group gap="xs">
        <Stack gap={0} flex="1 1 140px" style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" component="div">
            {name}
          </Text>
          {hint && (
            <Text size="xs" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
        {badges.map(
          (badge) =>
            badge && (
              <Badge key={badge} color="gray">
                {badge}
              </Badge>
            ),
        )}
        <Group gap="xs" ml="auto" justify="flex-end">
          {actions}
          {onRemove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('remove', { name: label ?? String(name) })}
              onClick={onRemove}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
