import { Button, Group, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Conflict } from '../conflict/conflict.js';
import { changesOf, messageFor, useDraft } from '../parts/draft.js';
import { load, type UserError, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { AttributeEditor } from './attribute-editor.js';
import { type UserFormFragment, UserSave, UserStored } from './documents.js';
import { type UserPart, type UserValues, valuesOf } from './loaded-user.js';
import { userTexts } from './user-text.js';

const texts = ['username', 'email', 'firstName', 'lastName'] as const;
const flags = ['isEnabled', 'isEmailVerified'] as const;

/** The form of a user. It saves what was changed, unless somebody else has saved since it was loaded. */
export function UserForm({ user }: UserPart) {
  const t = useText(userTexts);
  const notify = useNotify();
  const { run, isRunning } = useMutate(UserSave);
  const draft = useDraft(valuesOf(user), user.version);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [theirs, setTheirs] = useState<UserFormFragment>();
  const isReadOnly = !user.viewerCan.update.isAllowed;

  const save = async (base: UserValues, version: number, values: UserValues) => {
    const { data, errors } = await run({
      input: { id: user.id, expectedVersion: version, ...changesOf(base, values) },
    });
    const saved = data?.userUpdate?.user;
    if (errors.some(({ code }) => code === 'STALE')) {
      const stored = await load(UserStored, { id: user.id });
      if (stored?.node && 'username' in stored.node) setTheirs(stored.node as UserFormFragment);
      return;
    }
    setErrors(errors);
    setTheirs(undefined);
    if (saved && errors.length === 0) {
      draft.rebase(valuesOf(saved), saved.version, valuesOf(saved));
      notify.succeeded(t('saved', { name: values.username }));
    } else if (errors.some(({ path }) => !path)) notify.failed(errors);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(draft.base, draft.version, draft.values);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={760}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {texts.map((field) => (
            <TextInput
              key={field}
              label={t(field)}
              required={field === 'username'}
              readOnly={isReadOnly}
              value={draft.values[field] ?? ''}
              error={messageFor(errors, field)}
              onChange={({ currentTarget: { value } }) =>
                draft.set(field, value === '' && field !== 'username' ? null : (value as string & null))
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
            checked={draft.values[field]}
            onChange={({ currentTarget: { checked } }) => draft.set(field, checked)}
          />
        ))}
        <TagsInput
          label={t('requiredActions')}
          description={t('requiredActionsHint')}
          readOnly={isReadOnly}
          value={draft.values.requiredActions}
          error={messageFor(errors, 'requiredActions')}
          onChange={(aliases) => draft.set('requiredActions', aliases)}
        />
        <AttributeEditor
          attributes={draft.values.attributes}
          isReadOnly={isReadOnly}
          error={messageFor(errors, 'attributes')}
          onChange={(attributes) => draft.set('attributes', attributes)}
        />
        {!isReadOnly && (
          <Group>
            <Button type="submit" disabled={!draft.isChanged} loading={isRunning}>
              {t('save')}
            </Button>
            <Button variant="default" disabled={!draft.isChanged} onClick={draft.reset}>
              {t('reset')}
            </Button>
          </Group>
        )}
      </Stack>
      {theirs && (
        <Conflict
          base={draft.base}
          mine={draft.values}
          theirs={valuesOf(theirs)}
          labelOf={(key) => t(key as keyof UserValues)}
          isSaving={isRunning}
          onSave={(values) => {
            draft.rebase(valuesOf(theirs), theirs.version, values);
            save(valuesOf(theirs), theirs.version, values);
          }}
          onDiscard={() => {
            draft.rebase(valuesOf(theirs), theirs.version, valuesOf(theirs));
            setTheirs(undefined);
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </form>
  );
}
