import { Alert, Button, type ButtonProps, Group, Modal, type ModalProps, Skeleton, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import type { MutationName } from '../session/mutation-text.js';
import { useRunning } from '../session/running.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './display.js';
import { HelpOf } from './field-help.js';
import { FieldInput } from './field-input.js';
import { type FieldValues, type FormField, inputOf, messageAt, missingIn } from './fields.js';
import { useFirstError } from './first-error.js';
import { IconAlertTriangle } from './icons.js';
import { useReturnedFocus } from './kept-focus.js';
import { texts } from './texts.js';

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
  const t = useText(texts);
  useReturnedFocus();
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
      <Stack component="form" ref={markFirst} onSubmit={submit}>
        {children}
        {action && (
          <Group justify="flex-end">
            <Button onClick={leave?.run ?? onClose}>{leave?.label ?? t('cancel')}</Button>
            <Button
              variant="filled"
              type="submit"
              loading={action.isRunning}
              disabled={action.isDisabled ?? false}
              {...(action.isDangerous && { color: 'red.9', 'data-dangerous': true })}
            >
              {action.label}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

/** Has a dialog begin at its first field, or at the button that acts. What cannot be undone begins at the one that leaves. */
function markFirst(form: HTMLElement | null): void {
  const inputs = ':is(input, textarea):not([type="hidden"], [type="file"], :disabled)';
  // a text is typed at once, while choices have a value mostly
  const places = [`${inputs}:not([aria-haspopup])`, inputs, 'button[type="submit"]:not([data-dangerous])', 'button'];
  const first = places.map((place) => form?.querySelector(place)).find(Boolean);
  first?.setAttribute('data-autofocus', '');
}

/** How the button of a dialog looks, and what it is called where its label is only a sign or one of several. */
export interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  label?: string;
  'aria-label'?: string;
}

/** A button that opens a dialog. */
function DialogButton({
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

/** The fields of a dialog, which may depend on what was chosen. */
export type Fields = readonly FormField[] | ((values: FieldValues) => readonly FormField[]);

export interface FormDialogProps<Data extends object> {
  title: string;
  hint?: string;
  fields?: Fields;
  /** the mutation that is sent, whose descriptions explain the fields */
  help?: MutationName;
  start?: FieldValues;
  /** whether what would change is shown, by a dry run, before it is saved */
  isPreviewed?: boolean;
  isDangerous?: boolean;
  /** sends the values, in the form of the API's input, or only tries them */
  submit(input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<Data>>;
  /** what is told afterwards */
  done?(data: Data | undefined, input: FieldValues): string;
  /** what takes back what was done, if it can be */
  undo?(input: FieldValues): (() => Promise<Outcome<unknown>>) | undefined;
  onDone?(data: Data | undefined): void;
  onClose(): void;
}

/** The ID of the object that a mutation has created, from the data of its answer. */
export function createdIn(data: object | undefined): string | undefined {
  const payloads: object[] = Object.values(data ?? {});
  return payloads.flatMap((payload): { id?: string }[] => Object.values(payload)).find((value) => value?.id)?.id;
}

/** A form in a dialog, as one creates or changes small objects. Errors stand at their fields. */
export function FormDialog<Data extends object>(props: FormDialogProps<Data>) {
  const { title, hint, fields = [], start = {}, isPreviewed = false, isDangerous = false, onClose } = props;
  const t = useText(texts);
  const notify = useNotify();
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [isRunning, whileRunning] = useRunning();
  const [preview, setPreview] = useState<{ of: FieldValues; changes: Change[] }>();
  const isChecked = !isPreviewed || preview?.of === values;
  const shown = typeof fields === 'function' ? fields(values) : fields;
  const valueAt = (field: FormField) => (field.path in values ? values[field.path] : field.start);
  const form = useFirstError(errors);
  const run = async () => {
    const entered = Object.fromEntries(shown.map((field) => [field.path, valueAt(field)]));
    const missing = missingIn(shown, entered, t('missing'));
    if (missing.length > 0) return setErrors(missing);
    // what is empty from the beginning is not sent
    const given = Object.entries(entered).filter(([path, value]) => value != null || start[path] != null);
    const input = inputOf(Object.fromEntries(given));
    const { data, errors } = await whileRunning(() => props.submit(input, { isDryRun: !isChecked }));
    setErrors(errors);
    const others = errors.filter((error) => !shown.some((field) => messageAt([error], field)));
    if (others.length > 0) notify.failed(others);
    if (errors.length > 0) return;
    if (!isChecked) return setPreview({ of: values, changes: changesIn(data) });
    if (props.done) notify.succeeded(props.done(data, input), props.undo?.(input));
    props.onDone?.(data);
    onClose();
  };
  return (
    <Dialog
      title={title}
      action={{ label: isChecked ? title : t('check'), isRunning, isDangerous, run }}
      onClose={onClose}
    >
      {hint && <Text>{hint}</Text>}
      {isDangerous && <Text>{t('irreversible')}</Text>}
      {shown.length > 0 && (
        <HelpOf value={props.help}>
          <Stack ref={form}>
            {shown.map((field) => (
              <FieldInput
                key={field.path}
                field={field}
                value={valueAt(field)}
                error={messageAt(errors, field)}
                onChange={(value) => setValues((before) => ({ ...before, [field.path]: value }))}
              />
            ))}
          </Stack>
        </HelpOf>
      )}
      {preview && isChecked && (
        <Alert color="indigo" title={t('wouldChange')} role="status">
          <ChangeList changes={preview.changes} />
        </Alert>
      )}
    </Dialog>
  );
}

/** A button that opens a form in a dialog: asks for a name, a target, or whether it is meant. */
export function FormButton<Data extends object>({
  button,
  ...dialog
}: Omit<FormDialogProps<Data>, 'onClose'> & { button?: DialogButtonProps }) {
  return (
    <DialogButton title={dialog.title} {...button}>
      {(onClose) => <FormDialog {...dialog} onClose={onClose} />}
    </DialogButton>
  );
}

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
  const t = useText(texts);
  const notify = useNotify();
  const [chosen, setChosen] = useState('');
  const [preview, setPreview] = useState<Outcome<object>>();
  const [isRunning, whileRunning] = useRunning();
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
    const { data, errors } = await whileRunning(() => act({ isDryRun: false }, chosen));
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
      {preview && !isRefused && (changes.length > 0 || !isDangerous) && (
        <section aria-label={t('preview')}>
          <Text size="md" fw={600} mb="xs">
            {heading?.(changes) ?? t('preview')}
          </Text>
          <ChangeList changes={changes} {...(nameOf && { nameOf })} />
        </section>
      )}
      {isDangerous && !isRefused && <Text>{t('irreversible')}</Text>}
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
