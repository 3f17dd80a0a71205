import { useEffect, useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
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
  /** takes errors that are shown elsewhere; true if it has */
  onErrors?(errors: UserError[]): boolean;
  onDone(data: object | undefined): void;
  onClose(): void;
}

interface WithChanges {
  changes?: Change[] | null;
}

/** Shows what a mutation would change, by a dry run, before it is performed. */
export function Review(props: ReviewProps) {
  const { title, act, done, undo, isDangerous = false, nameOf, onErrors, onDone, onClose } = props;
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
  return (
    <PreviewDialog
      title={title}
      preview={preview && { errors: preview.errors, changes: payloads.flatMap((payload) => payload?.changes ?? []) }}
      isRunning={isRunning}
      isDangerous={isDangerous}
      {...(nameOf && { nameOf })}
      onApply={apply}
      onClose={onClose}
    />
  );
}
