import { Button, Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Conflict } from '../conflict/conflict.js';
import type { Outcome, UserError } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { language, type Text, translated, useText } from '../text/text.js';
import { changesOf, messageFor, useDraft } from './draft.js';
import { FieldInput, type FieldValues, type FormField, inputOf, valuesAt } from './field-input.js';
import { formTexts } from './form-text.js';
import { Review } from './review.js';

/** Fields of a form under a title. */
export interface Section {
  title: Text;
  fields: readonly FormField[];
}

interface Stored {
  id: string;
  version: number;
}

interface SettingsFormProps<Node extends Stored> {
  name: string;
  sections: readonly Section[];
  stored: Node;
  isReadOnly: boolean;
  save(input: { id: string; expectedVersion: number }, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** what is stored now, after somebody else has saved */
  loadStored(): Promise<Node | undefined>;
}

/** A form made from sections of fields. It shows what would change before it saves, and keeps what others have saved meanwhile. */
export function SettingsForm<Node extends Stored>(props: SettingsFormProps<Node>) {
  const { name, sections, stored, isReadOnly, save, loadStored } = props;
  const t = useText(formTexts);
  const present = useStore(language);
  const fields = sections.flatMap((section) => section.fields);
  const draft = useDraft(valuesAt(fields, stored), stored.version);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [isReviewing, setReviewing] = useState(false);
  const [theirs, setTheirs] = useState<Node>();
  const labelOf = (path: string) =>
    translated(fields.find((field) => field.path === path)?.label ?? [path, path], present);
  const input = () => ({
    id: stored.id,
    expectedVersion: draft.version,
    ...inputOf(changesOf<FieldValues>(draft.base, draft.values)),
  });
  const onErrors = (found: UserError[]) => {
    setErrors(found);
    const isStale = found.some(({ code }) => code === 'STALE');
    if (isStale) loadStored().then(setTheirs);
    const isHere =
      isStale ||
      (found.length > 0 && found.every((error) => fields.some(({ path }) => messageFor([error], keyOf(path)))));
    if (isHere) setReviewing(false);
    return isHere;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setReviewing(true);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={900}>
        {sections.map(({ title, fields }) => (
          <Paper key={title[0]} withBorder p="md" component="section" aria-label={translated(title, present)}>
            <Title order={2} size="h4" mb="sm">
              {translated(title, present)}
            </Title>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {fields.map((field) => (
                <FieldInput
                  key={field.path}
                  field={field}
                  value={draft.values[field.path]}
                  error={messageFor(errors, keyOf(field.path))}
                  isReadOnly={isReadOnly}
                  onChange={(value) => draft.set(field.path, value)}
                />
              ))}
            </SimpleGrid>
          </Paper>
        ))}
        {!isReadOnly && (
          <Group>
            <Button type="submit" disabled={!draft.isChanged}>
              {t('save')}
            </Button>
            <Button variant="default" disabled={!draft.isChanged} onClick={draft.reset}>
              {t('reset')}
            </Button>
          </Group>
        )}
      </Stack>
      {isReviewing && (
        <Review
          title={name}
          act={(options) => save(input(), options)}
          done={t('saved', { name })}
          onErrors={onErrors}
          onDone={async () => {
            const now = await loadStored();
            if (now) draft.rebase(valuesAt(fields, now), now.version, valuesAt(fields, now));
          }}
          onClose={() => setReviewing(false)}
        />
      )}
      {theirs && (
        <Conflict
          base={draft.base}
          mine={draft.values}
          theirs={valuesAt(fields, theirs)}
          labelOf={labelOf}
          isSaving={false}
          onSave={(values) => {
            draft.rebase(valuesAt(fields, theirs), theirs.version, values);
            setTheirs(undefined);
            setReviewing(true);
          }}
          onDiscard={() => {
            draft.rebase(valuesAt(fields, theirs), theirs.version, valuesAt(fields, theirs));
            setTheirs(undefined);
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </form>
  );
}

const keyOf = (path: string): string => path.split('.').at(-1) ?? path;
