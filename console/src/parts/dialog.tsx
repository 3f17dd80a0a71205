import { Button, type ButtonProps, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../text/text.js';
import { partTexts } from './text.js';

interface DialogProps {
  title: string;
  size?: ModalProps['size'];
  /** the button that acts; a dialog without it only shows something */
  action?: { label: string; isRunning: boolean; isDisabled?: boolean; isDangerous?: boolean; run(): void };
  /** the button that leaves it, by default one that only closes it */
  leave?: { label: string; run(): void };
  onClose(): void;
  children: ReactNode;
}

/** A dialog with the buttons that act and leave. */
export function Dialog({ title, size = 'md', action, leave, onClose, children }: DialogProps) {
  const t = useText(partTexts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // a form around the dialog is another one
    event.stopPropagation();
    action?.run();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t(action ? 'cancel' : 'close') }}
    >
      <Stack component="form" onSubmit={submit}>
        {children}
        {action && (
          <Group justify="flex-end">
            <Button onClick={leave?.run ?? onClose}>{leave?.label ?? t('cancel')}</Button>
            <Button
              variant="filled"
              type="submit"
              loading={action.isRunning}
              disabled={action.isDisabled ?? false}
              {...(action.isDangerous && { color: 'red.9' })}
            >
              {action.label}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

/** How the button of a dialog looks, and what it is called where its label is only a sign or one of several. */
export interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  label?: string;
  'aria-label'?: string;
}

/** A button that opens a dialog. */
export function DialogButton({
  title,
  label = title,
  children,
  ...button
}: DialogButtonProps & { title: string; children(onClose: () => void): ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button w="fit-content" aria-label={title} onClick={() => setOpen(true)} {...button}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
