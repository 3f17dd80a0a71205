import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Conflict } from '../conflict/conflict.js';
import type { UserError } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Change, ChangeList } from './change-list.js';
import { changesOf, useDraft } from './draft.js';
import { partTexts } from './part-text.js';

/** The values of a form as they are stored, and the version that has them. */
interface Stored<Values> {
  values: Values;
  version: number;
}

interface Saved<Values> {
  errors: UserError[];
  stored?: Stored<Values> | undefined;
  changes?: Change[] | null | undefined;
}

interface StoredFormProps<Values extends object> extends Stored<Values> {
  isReadOnly: boolean;
  /** whether the changes are shown, by a dry run, before they are saved */
  isPreviewed?: boolean;
  /** whether an error is shown at its field; others are listed below the fields */
  isAtField?(error: UserError): boolean;
  /** what is told after the values were saved */
  savedText?(values: Values): string;
  labelOf(key: string): string;
  save(changes: Partial<Values>, expectedVersion: number, options: { isDryRun: boolean }): Promise<Saved<Values>>;
  load(): Promise<Stored<Values> | undefined>;
  /** what can be done with the values besides saving them */
  actions?(values: Values): ReactNode;
  children(values: Values, set: (key: keyof Values, value: never) => void, errors: UserError[]): ReactNode;
}

/** A form that saves what was changed, unless somebody else has saved since it was loaded: then both sides are merged. */
export function StoredForm<Values extends object>(props: StoredFormProps<Values>) {
  const { isReadOnly, isPreviewed = false, isAtField, labelOf, actions, children } = props;
  const t = useText(partTexts);
  const notify = useNotify();
  const draft = useDraft(props.values, props.version);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [theirs, setTheirs] = useState<Stored<Values>>();
  const [preview, setPreview] = useState<{ of: Values; changes: Change[] }>();
  const [isRunning, setRunning] = useState(false);
  const isChecked = !isPreviewed || preview?.of === draft.values;
  const listed = errors.filter((error) => !isAtField?.(error));

  const save = async (base: Values, version: number, values: Values, isDryRun: boolean) => {
    setRunning(true);
    const saved = await props.save(changesOf(base, values), version, { isDryRun });
    const isStale = saved.errors.some(({ code }) => code === 'STALE');
    setTheirs(isStale ? await props.load() : undefined);
    setRunning(false);
    if (isStale) return;
    setErrors(saved.errors);
    if (saved.errors.some(({ path }) => !path)) notify.failed(saved.errors);
    if (saved.errors.length > 0) return;
    if (isDryRun) setPreview({ of: values, changes: saved.changes ?? [] });
    else {
      if (saved.stored) draft.rebase(saved.stored.values, saved.stored.version, saved.stored.values);
      notify.succeeded(props.savedText?.(saved.stored?.values ?? values) ?? t('saved'));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(draft.base, draft.version, draft.values, !isChecked);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={760}>
        {children(draft.values, draft.set as (key: keyof Values, value: never) => void, errors)}
        {preview && isChecked && draft.isChanged && (
          <Alert color="indigo" title={t('changes')} role="status">
            <ChangeList changes={preview.changes} />
          </Alert>
        )}
        {listed.length > 0 && (
          <Text size="sm" c="red" role="alert">
            {listed.map(({ message }) => message).join(' ')}
          </Text>
        )}
        {!isReadOnly && (
          <Group>
            <Button type="submit" disabled={!draft.isChanged} loading={isRunning}>
              {t(isChecked ? 'save' : 'check')}
            </Button>
            <Button variant="default" disabled={!draft.isChanged} onClick={draft.reset}>
              {t('reset')}
            </Button>
            {actions?.(draft.values)}
          </Group>
        )}
      </Stack>
      {theirs && (
        <Conflict
          base={draft.base}
          mine={draft.values}
          theirs={theirs.values}
          labelOf={labelOf}
          isSaving={isRunning}
          onSave={(values) => {
            draft.rebase(theirs.values, theirs.version, values);
            save(theirs.values, theirs.version, values, false);
          }}
          onDiscard={() => {
            draft.rebase(theirs.values, theirs.version, theirs.values);
            setTheirs(undefined);
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </form>
  );
}
