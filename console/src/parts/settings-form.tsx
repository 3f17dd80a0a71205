import { Paper, SimpleGrid, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { language, type Text, translated, useText } from '../text/text.js';
import { FieldInput, type FieldValues, type FormField, inputOf, messageAt, valuesAt } from './field-input.js';
import { formTexts } from './form-text.js';
import { changesIn } from './review.js';
import { StoredForm } from './stored-form.js';

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
  save(
    input: FieldValues & { id: string; expectedVersion: number },
    options: { isDryRun: boolean },
  ): Promise<Outcome<object>>;
  /** what is stored now, after this form or somebody else has saved */
  loadStored(): Promise<Node | undefined>;
  /** what can be done with the values besides saving them */
  actions?(values: FieldValues): ReactNode;
}

/** A form made from sections of fields. It shows what would change before it saves, and keeps what others have saved meanwhile. */
export function SettingsForm<Node extends Stored>(props: SettingsFormProps<Node>) {
  const { name, sections, stored, isReadOnly, save, loadStored, actions } = props;
  const t = useText(formTexts);
  const present = useStore(language);
  const fields = sections.flatMap((section) => section.fields);
  const storedOf = (node: Node) => ({ values: valuesAt(fields, node), version: node.version });
  const load = async () => {
    const now = await loadStored();
    return now && storedOf(now);
  };
  return (
    <StoredForm<FieldValues>
      {...storedOf(stored)}
      isReadOnly={isReadOnly}
      isPreviewed
      isAtField={(error) => !error.path || fields.some((field) => messageAt([error], field))}
      savedText={() => t('saved', { name })}
      labelOf={(path) => translated(fields.find((field) => field.path === path)?.label ?? [path, path], present)}
      save={async (changes, expectedVersion, options) => {
        const input = { id: stored.id, expectedVersion, ...inputOf(changes) };
        const { data, errors } = await save(input, options);
        const isSaved = errors.length === 0 && !options.isDryRun;
        return { errors, changes: changesIn(data), stored: isSaved ? await load() : undefined };
      }}
      load={load}
      {...(actions && { actions })}
    >
      {(values, set, errors) =>
        sections.map(({ title, fields }) => (
          <Paper key={title[0]} withBorder p="md" component="section" aria-label={translated(title, present)}>
            <Title order={2} size="h4" mb="sm">
              {translated(title, present)}
            </Title>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {fields.map((field) => (
                <FieldInput
                  key={field.path}
                  field={field}
                  value={values[field.path]}
                  error={messageAt(errors, field)}
                  isReadOnly={isReadOnly}
                  onChange={(value) => set(field.path, value as never)}
                />
              ))}
            </SimpleGrid>
          </Paper>
        ))
      }
    </StoredForm>
  );
}
