import { SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { AttributeEditor } from '../parts/attribute-editor.js';
import { messageFor } from '../parts/draft.js';
import { StoredForm } from '../parts/stored-form.js';
import { load, mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { type UserFormFragment, UserSave, UserStored } from './documents.js';
import { type UserPart, type UserValues, valuesOf } from './loaded-user.js';
import { userTexts } from './user-text.js';

const texts = ['username', 'email', 'firstName', 'lastName'] as const;
const flags = ['isEnabled', 'isEmailVerified'] as const;

const storedOf = (user: UserFormFragment) => ({ values: valuesOf(user), version: user.version });

/** The form of a user. It saves what was changed, unless somebody else has saved since it was loaded. */
export function UserForm({ user }: UserPart) {
  const t = useText(userTexts);
  const isReadOnly = !user.viewerCan.update.isAllowed;
  return (
    <StoredForm<UserValues>
      {...storedOf(user)}
      isReadOnly={isReadOnly}
      isAtField={() => true}
      savedText={({ username }) => t('saved', { name: username })}
      labelOf={(key) => t(key as keyof UserValues)}
      save={async (changes, expectedVersion) => {
        const { data, errors } = await mutate(UserSave, { input: { id: user.id, expectedVersion, ...changes } });
        const saved = data?.userUpdate?.user;
        return { errors, stored: saved ? storedOf(saved) : undefined };
      }}
      load={async () => {
        const stored = await load(UserStored, { id: user.id });
        return stored?.node && 'username' in stored.node ? storedOf(stored.node as UserFormFragment) : undefined;
      }}
    >
      {(values, set, errors) => (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {texts.map((field) => (
              <TextInput
                key={field}
                label={t(field)}
                required={field === 'username'}
                readOnly={isReadOnly}
                value={values[field] ?? ''}
                error={messageFor(errors, field)}
                onChange={({ currentTarget: { value } }) =>
                  set(field, (value === '' && field !== 'username' ? null : value) as never)
                }
              />
            ))}
          </SimpleGrid>
          {flags.map((field) => (
            <Switch
              key={field}
              label={t(field)}
              description={field === 'isEnabled' ? t('isEnabledHint') : undefined}
              disabled={isReadOnly}
              checked={values[field]}
              onChange={({ currentTarget: { checked } }) => set(field, checked as never)}
            />
          ))}
          <TagsInput
            label={t('requiredActions')}
            description={t('requiredActionsHint')}
            readOnly={isReadOnly}
            value={values.requiredActions}
            error={messageFor(errors, 'requiredActions')}
            onChange={(aliases) => set('requiredActions', aliases as never)}
          />
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
