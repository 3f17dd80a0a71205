import { Button, FileButton, Paper, Stack, Text } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../text/text.js';
import { texts } from './text.js';

/** A place for files that are dropped or chosen. */
export function DropFiles({ onFiles }: { onFiles(files: File[]): void }) {
  const t = useText(texts);
  const [isOver, setOver] = useState(false);
  const given = (files: File[]) => files.length > 0 && onFiles(files);
  return (
    <Paper
      withBorder
      p="lg"
      bg={isOver ? 'var(--mantine-color-default-hover)' : undefined}
      style={{ borderStyle: 'dashed' }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        given([...event.dataTransfer.files]);
      }}
    >
      <Stack align="center" gap="xs">
        <IconFileCode size={32} aria-hidden />
        <Text fw={600} ta="center">
          {t('drop')}
        </Text>
        <Text c="dimmed" ta="center" maw={560}>
          {t('dropHint')}
        </Text>
        <FileButton multiple accept=".json,.yaml,.yml" onChange={given} inputProps={{ 'aria-label': t('choose') }}>
          {(props) => (
            <Button variant="default" {...props}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Paper>
  );
}
