import { Drawer, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../text/text.js';
import { texts } from './text.js';

interface EventDrawerProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** One event beside its list. */
export function EventDrawer({ title, onClose, children }: EventDrawerProps) {
  const t = useText(texts);
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>{children}</Stack>
    </Drawer>
  );
}
