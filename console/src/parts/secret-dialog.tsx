import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../text/text.js';
import { Dialog, type DialogButtonProps, FormButton, type FormDialogProps } from './dialogs.js';
import { texts } from './texts.js';

interface SecretDialogProps {
  secret: string;
  /** what the secret is called */
  title?: string | undefined;
  /** where it is needed, and whether it can be read again */
  hint: string;
  onClose(): void;
}

/** Shows a secret that was just made, to be copied. */
export function SecretDialog({ secret, title: given, hint, onClose }: SecretDialogProps) {
  const t = useText(texts);
  const title = given ?? t('secret');
  return (
    <Dialog title={title} onClose={onClose}>
      <Text>{hint}</Text>
      <Group align="flex-end" wrap="nowrap">
        <TextInput label={title} readOnly value={secret} flex={1} ff="monospace" />
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

interface SecretButtonProps<Data extends object> extends Omit<FormDialogProps<Data>, 'onClose'> {
  button?: DialogButtonProps;
  /** the secret that a mutation has made, in the data of its answer */
  secretIn(data: Data): string | null | undefined;
  secretTitle?: string;
  secretHint: string;
}

/** A button that makes a secret after a question, and shows it. */
export function SecretButton<Data extends object>(props: SecretButtonProps<Data>) {
  const { secretIn, secretTitle, secretHint, ...form } = props;
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <FormButton
        {...form}
        onDone={(data) => {
          setSecret((data && secretIn(data)) ?? undefined);
          form.onDone?.(data);
        }}
      />
      {secret && (
        <SecretDialog secret={secret} title={secretTitle} hint={secretHint} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}
