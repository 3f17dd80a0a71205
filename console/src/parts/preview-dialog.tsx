import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './change-list.js';
import { formTexts } from './form-text.js';

interface PreviewDialogProps {
  title: string;
  /** what a dry run has told; undefined while it runs */
  preview: { changes: Change[]; errors: UserError[] } | undefined;
  /** whether there is something to try */
  isReady?: boolean;
  /** what the list of changes is called */
  label?: string;
  /** what is above the changes */
  heading?: string;
  apply?: string;
  isRunning: boolean;
  isDangerous?: boolean;
  nameOf?(id: string | null): string;
  /** what has to be chosen first */
  children?: ReactNode;
  onApply(): void;
  onClose(): void;
}

/** A dialog that shows what an action would change, or why it is refused, before it is performed. */
export function PreviewDialog(props: PreviewDialogProps) {
  const { title, preview, isReady = true, isRunning, isDangerous = false, nameOf, children, onApply, onClose } = props;
  const t = useText(formTexts);
  const errors = preview?.errors ?? [];
  const { label = t('preview'), heading = label, apply = t('apply') } = props;
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': t('cancel') }}>
      <Stack>
        {children}
        {isReady && !preview && <Skeleton height={120} />}
        {errors.length > 0 && (
          <Alert color="red" icon={<IconAlertTriangle />} title={t('refused')} role="alert">
            {[...new Set(errors.map(({ message }) => message))].join(' ')}
          </Alert>
        )}
        {preview && errors.length === 0 && (
          <section aria-label={label}>
            <Text fw={600} mb="xs">
              {heading}
            </Text>
            <ChangeList changes={preview.changes} {...(nameOf && { nameOf })} />
          </section>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            onClick={onApply}
            loading={isRunning}
            disabled={!preview || errors.length > 0}
            {...(isDangerous && { color: 'red' })}
          >
            {apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
