import { ActionIcon, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../text/text.js';
import { partTexts } from './text.js';

/** What a row shows of an object besides its name. */
export interface Described {
  hint?: ReactNode;
  badges?: readonly (string | null | undefined | false)[];
  actions?: ReactNode;
}

interface RowProps extends Described {
  name: ReactNode;
  /** what the object is called for those who hear it */
  label?: string;
  onRemove?: (() => void) | false | null | undefined;
  /** the label of the button that removes it */
  removeLabel?: string;
}

/** One of a few objects under each other: its name, what is to be known of it, and what can be done with it. */
export function Row({ name, label = String(name), hint, badges = [], actions, onRemove, removeLabel }: RowProps) {
  const t = useText(partTexts);
  return (
    <Paper withBorder p="xs">
      <Group gap="xs">
        <Stack gap={0} flex="1 1 140px" style={{ overflowWrap: 'anywhere' }}>
          <Text component="div">{name}</Text>
          {hint && (
            <Text size="xs" c="dimmed" component="div">
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
              aria-label={removeLabel ?? t('deleteNamed', { name: label })}
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

interface SectionProps {
  title: string;
  /** stands in place of the rows if there are none */
  empty?: string;
  children: ReactNode;
}

/** Rows or other parts of a screen under a title. */
export function RowSection({ title, empty, children }: SectionProps) {
  const isEmpty = empty !== undefined && Array.isArray(children) && children.length === 0;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {isEmpty ? <Text c="dimmed">{empty}</Text> : children}
    </Stack>
  );
}
