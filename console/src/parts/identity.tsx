import { Button, CopyButton, Group, Text } from '@mantine/core';
import { useFormat, useText } from '../text/text.js';
import { Status } from './display.js';
import { texts } from './texts.js';

/** The ID of an object, the time of its creation, and whether it is enabled. */
export interface Identified {
  /** its ID in the REST API */
  uuid: string;
  createdAt?: string | null;
  isEnabled?: boolean;
}

/** Whether an object is enabled, its ID, to be copied, and when it was created. */
export function Identity({ uuid, createdAt, isEnabled }: Identified) {
  const t = useText(texts);
  const { moment } = useFormat();
  return (
    <Group gap="xs" c="dimmed">
      {isEnabled !== undefined && <Status isEnabled={isEnabled} />}
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
