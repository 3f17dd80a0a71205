import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import type { Change } from './change-list.js';
import { PreviewDialog } from './preview-dialog.js';

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
  /** what is above the changes */
  hint?: string | undefined;
  onDone(data: object | undefined): void;
  onClose(): void;
}

/** What the payloads of a mutation say that it changes. */
export const changesIn = (data: object | undefined): Change[] =>
  Object.values(data ?? {}).flatMap((payload: { changes?: Change[] | null } | null) => payload?.changes ?? []);

/** Shows what a mutation would change, by a dry run, before it is performed. */
export function Review(props: ReviewProps) {
  const { title, act, done, undo, isDangerous = false, nameOf, hint, onDone, onClose } = props;
  const notify = useNotify();
  const [preview, setPreview] = useState<Outcome<object>>();
  const [isRunning, setRunning] = useState(false);

  // once: the dialog is there for one action
  useEffect(() => {
    let isCurrent = true;
    act({ isDryRun: true }).then((found) => {
      if (isCurrent) setPreview(found);
    });
    return () => {
      isCurrent = false;
    };
  }, []);

  const apply = async () => {
    setRunning(true);
    const { data, errors } = await act({ isDryRun: false });
    setRunning(false);
    if (errors.length > 0) return notify.failed(errors);
    notify.succeeded(done, undo);
    onDone(data);
    onClose();
  };
  return (
    <PreviewDialog
      title={title}
      preview={preview && { errors: preview.errors, changes: changesIn(preview.data) }}
      isRunning={isRunning}
      isDangerous={isDangerous}
      {...(nameOf && { nameOf })}
      onApply={apply}
      onClose={onClose}
    >
      {hint && <Text size="sm">{hint}</Text>}
    </PreviewDialog>
  );
}
