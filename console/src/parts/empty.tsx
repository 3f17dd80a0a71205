import { Center, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconMoodEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../text/text.js';
import { partTexts } from './text.js';

interface EmptyProps {
  icon: Icon;
  title: string;
  hint?: ReactNode;
}

/** In place of an empty list: what would be here, and how it comes here. */
export function Empty({ icon: Icon, title, hint }: EmptyProps) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={48} radius="xl" variant="light" color="gray">
          <Icon size={26} aria-hidden />
        </ThemeIcon>
        <Text size="md" fw={600}>
          {title}
        </Text>
        <Text c="dimmed" ta="center" component="div">
          {hint}
        </Text>
      </Stack>
    </Center>
  );
}

/** In place of an object that does not exist or that the caller may not view. */
export function NotFound() {
  const t = useText(partTexts);
  return <Empty icon={IconMoodEmpty} title={t('notFound')} hint={t('notFoundHint')} />;
}
