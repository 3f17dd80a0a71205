import { Button, CopyButton, Group, Text } from '@mantine/core';
import { useFormat, useText } from '../text/text.js';
import { partTexts } from './text.js';

/** The ID of an object, and the time of its creation. */
export interface Identified {
  /** its ID in the REST API */
  uuid: string;
  createdAt?: string | null;
}

/** The ID of an object, to be copied, and when the object was created. */
export function Identity({ uuid, createdAt }: Identified) {
  const t = useText(partTexts);
  const { moment } = useFormat();
  return (
    <Group gap="xs" c="dimmed">
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {uuid}
      </Text>
      <CopyButton value={uuid}>
        {({ copied, copy }) => (
          <Button size="compact-xs" aria-label={t('copyNamed', { name: 'ID' })} onClick={copy}>
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
      {createdAt && <Text size="xs">{t('createdOn', { moment: moment(createdAt) })}</Text>}
    </Group>
  );
}
