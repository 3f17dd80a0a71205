import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { partTexts } from './part-text.js';

interface ActionDialogProps {
  /** of the button that opens the dialog, and of the one that acts */
  label: string;
  explanation?: string;
  /** the label of the one text that is asked for */
  field?: string;
  isDangerous?: boolean;
  /** returns the errors, which keep the dialog open */
  onConfirm(text: string): Promise<UserError[]>;
  children?: ReactNode;
}

/** A button that asks before it acts: for a name, a target, or whether it is meant. */
export function ActionDialog(props: ActionDialogProps) {
  const { label, explanation, field, isDangerous = false, onConfirm, children } = props;
  const t = useText(partTexts);
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [text, setText] = useState('');
  const [errors, setErrors] = useState<UserError[]>([]);
  const message = errors.map(({ message }) => message).join(' ');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    const found = await onConfirm(text);
    setRunning(false);
    setErrors(found);
    if (found.length > 0) return;
    setText('');
    setOpen(false);
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={label}
        closeButtonProps={{ 'aria-label': t('cancel') }}
      >
        <form onSubmit={submit}>
          <Stack>
            {explanation && <Text size="sm">{explanation}</Text>}
            {field && (
              <TextInput
                label={field}
                required
                data-autofocus
                autoComplete="off"
                value={text}
                error={message}
                onChange={({ currentTarget: { value } }) => setText(value)}
              />
            )}
            {children}
            {message && !field && (
              <Alert color="red" role="alert">
                {message}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                {t('cancel')}
              </Button>
              <Button type="submit" loading={isRunning} {...(isDangerous && { color: 'red' })}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
