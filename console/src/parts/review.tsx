import { Alert, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './change-list.js';
import { Dialog, DialogButton, type DialogButtonProps } from './dialog.js';
import { FieldInput } from './field-input.js';
import type { FormField } from './fields.js';
import { partTexts } from './text.js';

/** A mutation of any kind: performed, or only tried. `chosen` is what the field of its dialog has. */
export type Act = (options: { isDryRun: boolean }, chosen: string) => Promise<Outcome<object>>;

interface ReviewProps {
  title: string;
  /** what is above the changes */
  hint?: string | undefined;
  /** what has to be chosen first */
  field?: FormField | undefined;
  act: Act;
  /** what the list of changes is called */
  heading?(changes: Change[]): string;
  /** the label of the button */
  apply?: string;
  /** what is told afterwards */
  done: string | ((changes: Change[]) => string);
  /** takes back what was changed. Undefined if there is nothing that can be taken back. */
  undo?(changes: Change[], chosen: string): (() => Promise<Outcome<unknown>>) | undefined;
  isDangerous?: boolean | undefined;
  nameOf?(id: string | null): string;
  onDone?(data: object | undefined): void;
  onClose(): void;
}

/** What the payloads of a mutation say that it changes. */
export const changesIn = (data: object | undefined): Change[] =>
  Object.values(data ?? {}).flatMap((payload: { changes?: Change[] | null } | null) => payload?.changes ?? []);

/** Shows what a mutation would change, or why it is refused, by a dry run, before it is performed. */
export function Review(props: ReviewProps) {
  const { title, hint, field, act, heading, done, isDangerous = false, nameOf, onClose } = props;
  const t = useText(partTexts);
  const notify = useNotify();
  const [chosen, setChosen] = useState('');
  const [preview, setPreview] = useState<Outcome<object>>();
  const [isRunning, setRunning] = useState(false);
  const isReady = !field || chosen !== '';
  const isRefused = preview && preview.errors.length > 0;
  const changes = changesIn(preview?.data);

  // the dialog is there for one action
  useEffect(() => {
    let isCurrent = true;
    setPreview(undefined);
    if (isReady) act({ isDryRun: true }, chosen).then((found) => isCurrent && setPreview(found));
    return () => {
      isCurrent = false;
    };
  }, [chosen]);

  const run = async () => {
    setRunning(true);
    const { data, errors } = await act({ isDryRun: false }, chosen);
    setRunning(false);
    if (errors.length > 0) return notify.failed(errors);
    const changed = changesIn(data);
    notify.succeeded(typeof done === 'string' ? done : done(changed), props.undo?.(changed, chosen));
    props.onDone?.(data);
    onClose();
  };
  const { apply: label = t('apply') } = props;
  return (
    <Dialog
      title={title}
      size="lg"
      action={{ label, isRunning, isDisabled: !preview || isRefused === true, isDangerous, run }}
      onClose={onClose}
    >
      {hint && <Text>{hint}</Text>}
      {field && <FieldInput field={field} value={chosen} onChange={(id) => setChosen(String(id ?? ''))} />}
      {isReady && !preview && <Skeleton height={120} />}
      {isRefused && (
        <Alert color="red" icon={<IconAlertTriangle />} title={t('refused')} role="alert">
          {[...new Set(preview.errors.map(({ message }) => message))].join(' ')}
        </Alert>
      )}
      {preview && !isRefused && (
        <section aria-label={t('preview')}>
          <Text size="md" fw={600} mb="xs">
            {heading?.(changes) ?? t('preview')}
          </Text>
          <ChangeList changes={changes} {...(nameOf && { nameOf })} />
        </section>
      )}
    </Dialog>
  );
}

/** A button that opens the review of a mutation. */
export function ReviewButton({ button, ...review }: Omit<ReviewProps, 'onClose'> & { button?: DialogButtonProps }) {
  return (
    <DialogButton title={review.title} {...button}>
      {(onClose) => <Review {...review} onClose={onClose} />}
    </DialogButton>
  );
}
