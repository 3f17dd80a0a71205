import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './change-list.js';
import { Dialog, DialogButton, type DialogButtonProps } from './dialog.js';
import { FieldInput } from './field-input.js';
import { type FieldValues, type FormField, inputOf, messageAt } from './fields.js';
import { changesIn } from './review.js';
import { partTexts } from './text.js';

/** The fields of a dialog, which may depend on what was chosen. */
export type Fields = readonly FormField[] | ((values: FieldValues) => readonly FormField[]);

export interface FormDialogProps<Data extends object> {
  title: string;
  hint?: string;
  fields?: Fields;
  start?: FieldValues;
  /** whether what would change is shown, by a dry run, before it is saved */
  isPreviewed?: boolean;
  isDangerous?: boolean;
  /** sends the values, in the form of the API's input, or only tries them */
  submit(input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<Data>>;
  /** what is told afterwards */
  done?(data: Data | undefined, input: FieldValues): string;
  /** takes back what was done */
  undo?(): Promise<Outcome<unknown>>;
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
  const t = useText(partTexts);
  const notify = useNotify();
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [preview, setPreview] = useState<{ of: FieldValues; changes: Change[] }>();
  const isChecked = !isPreviewed || preview?.of === values;
  const shown = typeof fields === 'function' ? fields(values) : fields;
  const valueAt = (field: FormField) => (field.path in values ? values[field.path] : field.start);
  const run = async () => {
    setRunning(true);
    // what is empty from the beginning is not sent
    const given = shown.filter((field) => valueAt(field) != null || start[field.path] != null);
    const input = inputOf(Object.fromEntries(given.map((field) => [field.path, valueAt(field)])));
    const { data, errors } = await props.submit(input, { isDryRun: !isChecked });
    setRunning(false);
    setErrors(errors);
    const others = errors.filter((error) => !shown.some((field) => messageAt([error], field)));
    if (others.length > 0) notify.failed(others);
    if (errors.length > 0) return;
    if (!isChecked) return setPreview({ of: values, changes: changesIn(data) });
    if (props.done) notify.succeeded(props.done(data, input), props.undo);
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
      {shown.map((field) => (
        <FieldInput
          key={field.path}
          field={field}
          value={valueAt(field)}
          error={messageAt(errors, field)}
          onChange={(value) => setValues((before) => ({ ...before, [field.path]: value }))}
        />
      ))}
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
