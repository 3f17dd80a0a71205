import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { messageFor } from '../parts/draft.js';
import { type UserError, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { UserAdd } from './documents.js';
import { texts } from './text.js';

const fields = ['username', 'email', 'firstName', 'lastName'] as const;

/** Creates a user and opens it. Errors stand at their fields. */
export function CreateUser({ realm, realmId, onClose }: { realm: string; realmId: string; onClose(): void }) {
  const t = useText(texts);
  const navigate = useNavigate();
  const notify = useNotify();
  const { run, isRunning } = useMutate(UserAdd);
  const [values, setValues] = useState<Partial<Record<(typeof fields)[number], string>>>({});
  const [errors, setErrors] = useState<UserError[]>([]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, errors } = await run({ input: { realm: realmId, isEnabled: true, ...values } });
    const user = data?.userCreate?.user;
    setErrors(errors);
    if (errors.some(({ path }) => !path)) notify.failed(errors);
    if (!user) return;
    onClose();
    notify.succeeded(t('created', { name: user.username }));
    navigate({ to: '/$realm/users/$id', params: { realm, id: user.id } });
  };
  return (
    <Modal opened onClose={onClose} title={t('create')} closeButtonProps={{ 'aria-label': t('cancel') }}>
      <form onSubmit={submit}>
        <Stack>
          {fields.map((field, at) => (
            <TextInput
              key={field}
              label={t(field)}
              required={field === 'username'}
              {...(at === 0 && { 'data-autofocus': true })}
              autoComplete="off"
              value={values[field] ?? ''}
              error={messageFor(errors, field)}
              onChange={({ currentTarget: { value } }) =>
                setValues(({ [field]: _, ...others }) => (value ? { ...others, [field]: value } : others))
              }
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
