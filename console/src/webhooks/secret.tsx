import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { Dialog } from '../parts/dialog.js';
import { useText } from '../text/text.js';
import { texts } from './text.js';

/** Shows the secret of a webhook once. */
export function Secret({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useText(texts);
  return (
    <Dialog title={t('secret')} onClose={onClose}>
      <Text>{t('secretHint')}</Text>
      <Group align="flex-end" wrap="nowrap">
        <TextInput label={t('secret')} readOnly value={secret} flex={1} ff="monospace" />
        <CopyButton value={secret}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? 'copied' : 'copy')}</Button>}
        </CopyButton>
      </Group>
    </Dialog>
  );
}
