import { FormButton } from '../parts/dialogs.js';
import { isEmail } from '../parts/email-input.js';
import { type FieldValues, type FormField, fieldsOf, flagField } from '../parts/fields.js';
import { texts as partTexts } from '../parts/texts.js';
import { mutate, type Outcome, type UserError } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';
import { linesOf, usersIn } from './user-lines.js';

/** The switch of a password that somebody else has chosen. */
export const temporaryField: FormField = {
  ...flagField('isTemporary', texts.temporary),
  start: true,
  explainedBy: 'password.isTemporary',
};

const person = fieldsOf(texts, {
  username: ['text', { isRequired: true }],
  email: ['email'],
  firstName: ['text'],
  lastName: ['text'],
});

const password: FormField = {
  path: 'password',
  label: texts.initialPassword,
  kind: 'secret',
  hint: texts.initialPasswordHint,
};

/** The fields of a new user. Only a password can be temporary. */
export const newUserFields = (values: FieldValues): FormField[] => [
  ...person,
  password,
  ...(values.password ? [temporaryField] : []),
];

/** Creates a user from the values of the dialog. */
export const createUser = (realm: string, { password, isTemporary, ...input }: FieldValues) =>
  mutate('userCreate', {
    realm,
    isEnabled: true,
    username: '',
    ...input,
    ...(typeof password === 'string' && { password: { value: password, isTemporary: isTemporary === true } }),
  });

const list: FormField = {
  path: 'users',
  label: texts.lines,
  kind: 'long',
  hint: texts.linesHint,
  isRequired: true,
};

/** A button that creates a user for each line of a text: all of them, or none if one is refused. */
export function CreateUsers({ realm, onDone }: { realm: string; onDone(): void }) {
  const t = useText(texts);
  const own = useText(partTexts);
  const create = async (input: FieldValues): Promise<Outcome<object>> => {
    const lines = linesOf(String(input.users));
    const users = usersIn(lines);
    const placed = ({ path, message, code }: UserError): UserError => {
      const line = path?.[0] === 'users' ? lines[Number(path[1])] : undefined;
      if (!line) return { path, message, code };
      return { path: ['users'], message: t('lineError', { line: line.number, message }), code };
    };
    const refused = users.flatMap(({ email = '' }, at) =>
      isEmail(email) ? [] : [{ path: ['users', String(at)], message: own('notEmail'), code: 'INVALID' }],
    );
    if (refused.length > 0) return { data: undefined, errors: refused.map(placed) };
    const { data, errors } = await mutate('usersCreate', { realm, users });
    return { data, errors: errors.map(placed) };
  };
  return (
    <FormButton
      title={t('createSeveral')}
      fields={[list]}
      submit={create}
      done={(_, { users }) => t('createdSeveral', { count: linesOf(String(users)).length })}
      onDone={onDone}
    />
  );
}
