import { TextInput } from '@mantine/core';
import type { Outcome, UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { AttributeEditor } from './attribute-editor.js';
import { messageFor } from './draft.js';
import { partTexts } from './part-text.js';
import { StoredForm } from './stored-form.js';

/** An object with a name and attributes, and its texts. */
export interface Named {
  id: string;
  version: number;
  name: string;
  description?: string | null;
  attributes: { name: string; values: string[] }[] | null;
}

interface NamedFormProps {
  object: Named;
  isReadOnly: boolean;
  save(
    input: { id: string; expectedVersion: number } & Partial<Values>,
  ): Promise<Outcome<unknown> & { saved: Named | null | undefined }>;
  load(): Promise<Named | undefined>;
}

interface Values {
  name: string;
  description?: string | null;
  attributes: { name: string; values: string[] }[];
}

/** The form of a group or role: its name, its description if it has one, and its attributes. */
export function NamedForm({ object, isReadOnly, save, load }: NamedFormProps) {
  const t = useText(partTexts);
  const fields = (['name', 'description'] as const).filter((field) => field in object);
  return (
    <StoredForm<Values>
      {...storedOf(object)}
      isReadOnly={isReadOnly}
      labelOf={(key) => t(key as keyof Values)}
      save={async (changes, expectedVersion) => {
        const { errors, saved } = await save({ id: object.id, expectedVersion, ...changes });
        return { errors, stored: saved ? storedOf(saved) : undefined };
      }}
      load={async () => {
        const stored = await load();
        return stored && storedOf(stored);
      }}
    >
      {(values, set, errors: UserError[]) => (
        <>
          {fields.map((field) => (
            <TextInput
              key={field}
              label={t(field)}
              required={field === 'name'}
              readOnly={isReadOnly}
              value={values[field] ?? ''}
              error={messageFor(errors, field)}
              onChange={({ currentTarget: { value } }) => set(field, value as never)}
            />
          ))}
          <AttributeEditor
            attributes={values.attributes}
            isReadOnly={isReadOnly}
            error={messageFor(errors, 'attributes')}
            onChange={(attributes) => set('attributes', attributes as never)}
          />
        </>
      )}
    </StoredForm>
  );
}

/** The values of the form of a stored object. */
const storedOf = (object: Named) => ({
  version: object.version,
  values: {
    name: object.name,
    ...('description' in object && { description: object.description ?? null }),
    attributes: (object.attributes ?? []).map(({ name, values }) => ({ name, values })),
  },
});
