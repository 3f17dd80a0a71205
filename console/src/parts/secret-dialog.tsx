import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { useText } from '../text/text.js';
import { Dialog } from './dialogs.js';
import { partTexts } from './text.js';

interface SecretDialogProps {
  secret: string;
  /** where it is needed, and whether it can be read again */
  hint: string;
  onClose(): void;
}

/** Shows a secret that was just made, to be copied. */
export function SecretDialog({ secret, hint, onClose }: SecretDialogProps) {
  const t = useText(partTexts);
  return (
    <Dialog title={t('secret')} onClose={onClose}>
      <Text>{hint}</Text>
      <Group align="flex-end" wrap="nowrap">
        <TextInput label={t('secret')} readOnly value={secret} flex={1} ff="monospace" />
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="filled" onClick={copy}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Dialog>
  );
}
