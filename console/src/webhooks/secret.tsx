import { Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useText } from '../text/text.js';
import { texts } from './text.js';

/** Shows the secret of a webhook once. */
export function Secret({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useText(texts);
  return (
    <Modal opened onClose={onClose} title={t('secret')} closeButtonProps={{ 'aria-label': t('cancel') }}>
      <Stack>
        <Text size="sm">{t('secretHint')}</Text>
        <Group align="flex-end" wrap="nowrap">
          <TextInput label={t('secret')} readOnly value={secret} flex={1} ff="monospace" />
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'copied' : 'copy')}</Button>}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  );
}
