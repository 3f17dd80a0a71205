import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './change-list.js';
import { FieldInput, type FieldValues, type FormField, inputOf, messageAt } from './field-input.js';
import { partTexts } from './part-text.js';
import { changesIn } from './review.js';

interface FormDialogProps<Data extends object> {
  title: string;
  /** the fields, which may depend on what was chosen */
  fields: readonly FormField[] | ((values: FieldValues) => readonly FormField[]);
  start?: FieldValues;
  /** whether what would change is shown, by a dry run, before it is saved */
  isPreviewed?: boolean;
  /** sends the values, in the form of the API's input, or only tries them */
  submit(input: FieldValues, options: { isDryRun: boolean }): Promise<Outcome<Data>>;
  onDone(data: Data | undefined): void;
  onClose(): void;
  children?: ReactNode;
}

/** A form in a dialog, as one creates or changes small objects. Errors stand at their fields. */
export function FormDialog<Data extends object>({
  title,
  fields,
  start = {},
  isPreviewed = false,
  submit,
  onDone,
  onClose,
  children,
}: FormDialogProps<Data>) {
  const t = useText(partTexts);
  const notify = useNotify();
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [preview, setPreview] = useState<{ of: FieldValues; changes: Change[] }>();
  const isChecked = !isPreviewed || preview?.of === values;
  const shown = typeof fields === 'function' ? fields(values) : fields;
  const valueAt = (field: FormField) => (field.path in values ? values[field.path] : field.start);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    // what is empty from the beginning is not sent
    const given = shown.filter((field) => valueAt(field) != null || start[field.path] != null);
    const input = inputOf(Object.fromEntries(given.map((field) => [field.path, valueAt(field)])));
    const { data, errors } = await submit(input, { isDryRun: !isChecked });
    setRunning(false);
    setErrors(errors);
    const isShown = (error: UserError) => shown.some((field) => messageAt([error], field));
    const others = errors.filter((error) => !isShown(error));
    if (others.length > 0) notify.failed(others);
    if (errors.length > 0) return;
    if (!isChecked) return setPreview({ of: values, changes: changesIn(data ?? undefined) });
    onDone(data);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('cancel') }}>
      <form onSubmit={send}>
        <Stack>
          {children}
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
            <Alert color="indigo" title={t('changes')} role="status">
              <ChangeList changes={preview.changes} />
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {isChecked ? title : t('check')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
