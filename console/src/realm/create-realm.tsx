import { useNavigate } from '@tanstack/react-router';
import { readFiles } from '../code/files.js';
import { texts as fileTexts } from '../code/texts.js';
import { FormDialog } from '../parts/dialogs.js';
import type { FieldValues, FormField } from '../parts/fields.js';
import { mutate, type Outcome, type UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

/** A realm that was created, and what its file had besides. */
interface Created {
  name: string;
  ignoredFields: readonly string[];
}

const name: FormField = { path: 'name', label: texts.name, hint: texts.nameHint, isRequired: true };
const displayName: FormField = { path: 'displayName', label: texts.displayName };
const file: FormField = {
  path: 'file',
  label: texts.file,
  kind: 'file',
  hint: texts.fileHint,
  accept: '.json,.yaml,.yml',
  explainedBy: false,
};

/** The fields of the dialog. A file contains a name and all settings. */
export const fieldsFor = (values: FieldValues): FormField[] =>
  values.file ? [{ ...name, isRequired: false, hint: texts.nameOfFile }, file] : [name, displayName, file];

/** The dialog that creates a realm: an empty one, or the one that a file describes. */
export function CreateRealm({ onClose }: { onClose(): void }) {
  const t = useText(texts);
  const fileText = useText(fileTexts);
  const navigate = useNavigate();
  /** A name that another realm has, which may come from the file, is an error of the field that changes it. */
  const atName = (error: UserError): UserError =>
    error.code === 'NAME_TAKEN' ? { ...error, message: t('taken'), path: ['name'] } : error;
  const create = async ({ name, displayName, file }: FieldValues): Promise<Outcome<Created>> => {
    const given = typeof name === 'string' ? { name } : {};
    if (!(file instanceof File)) {
      const input = { name: '', ...given, ...(typeof displayName === 'string' && { displayName }), isEnabled: true };
      const { data, errors } = await mutate('realmCreate', input);
      return { data: data && { name: input.name, ignoredFields: [] }, errors: errors.map(atName) };
    }
    const read = await readFiles([file], fileText).catch((error: Error) => error);
    if (read instanceof Error)
      return { data: undefined, errors: [{ code: 'FILE', message: read.message, path: ['file'] }] };
    const json = { ...read.value, ...(given.name && { realm: given.name }) };
    const { data, errors } = await mutate('realmImport', { representation: { json } }, { reads: ['ignoredFields'] });
    return {
      data: data && { name: String(json.realm), ignoredFields: data.realmImport.ignoredFields },
      errors: errors.map(atName),
    };
  };
  return (
    <FormDialog
      title={t('create')}
      help="realmCreate"
      fields={fieldsFor}
      submit={create}
      done={(created) =>
        [
          t('created', { name: created?.name ?? '' }),
          ...(created?.ignoredFields.length ? [t('ignored', { fields: created.ignoredFields.join(', ') })] : []),
        ].join(' ')
      }
      onDone={(created) => created && navigate({ to: '/$realm', params: { realm: created.name } })}
      onClose={onClose}
    />
  );
}
