import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { ChangeList } from './change-list.js';
import { formTexts } from './form-text.js';

/** A mutation of any kind: performed, or only tried. */
export type Act = (options: { isDryRun: boolean }) => Promise<Outcome<object>>;

interface ReviewProps {
  title: string;
  act: Act;
  /** what is told afterwards */
  done: string;
  undo?(): Promise<Outcome<unknown>>;
  isDangerous?: boolean;
  nameOf?(id: string | null): string;
  /** takes errors that are shown elsewhere; true if it has */
  onErrors?(errors: UserError[]): boolean;
  onDone(data: object | undefined): void;
  onClose(): void;
}

interface WithChanges {
  changes?: { resourceId?: string | null; path: string[]; before: string | null; after: string | null }[] | null;
}

/** Shows what a mutation would change, by a dry run, before it is performed. */
export function Review(props: ReviewProps) {
  const { title, act, done, undo, isDangerous = false, nameOf, onErrors, onDone, onClose } = props;
  const t = useText(formTexts);
  const notify = useNotify();
  const [preview, setPreview] = useState<Outcome<object>>();
  const [isRunning, setRunning] = useState(false);

  // once: the dialog is there for one action
  useEffect(() => {
    let isCurrent = true;
    act({ isDryRun: true }).then((found) => {
      if (isCurrent && !onErrors?.(found.errors)) setPreview(found);
    });
    return () => {
      isCurrent = false;
    };
  }, []);

  const apply = async () => {
    setRunning(true);
    const { data, errors } = await act({ isDryRun: false });
    setRunning(false);
    if (onErrors?.(errors)) return;
    if (errors.length > 0) return notify.failed(errors);
    notify.succeeded(done, undo);
    onDone(data);
    onClose();
  };
  const payloads = Object.values(preview?.data ?? {}) as (WithChanges | null)[];
  const errors = preview?.errors ?? [];
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': t('cancel') }}>
      <Stack>
        {!preview && <Skeleton height={120} />}
        {errors.length > 0 && (
          <Alert color="red" icon={<IconAlertTriangle />} title={t('refused')} role="alert">
            {[...new Set(errors.map(({ message }) => message))].join(' ')}
          </Alert>
        )}
        {preview && errors.length === 0 && (
          <section aria-label={t('preview')}>
            <Text fw={600} mb="xs">
              {t('preview')}
            </Text>
            <ChangeList changes={payloads.flatMap((payload) => payload?.changes ?? [])} {...(nameOf && { nameOf })} />
          </section>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            onClick={apply}
            loading={isRunning}
            disabled={!preview || errors.length > 0}
            {...(isDangerous && { color: 'red' })}
          >
            {t('apply')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
