import { ActionIcon, Button, Group, Paper, PasswordInput, Stack, Switch, Text } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { messageFor } from '../parts/draft.js';
import { Empty } from '../parts/empty.js';
import { useAct } from '../parts/use-act.js';
import { mutate, type UserError } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import { UserCredentialDelete, UserPassword } from './documents.js';
import type { LoadedUser, UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The credentials of a user, and a new password. */
export function UserCredentials({ user, reload }: UserPart) {
  const t = useText(userTexts);
  const { moment } = useFormat();
  const act = useAct();
  if (!user.credentials)
    return (
      <Text size="sm" c="dimmed">
        {t('needsManage')}
      </Text>
    );
  return (
    <Stack maw={760}>
      {user.viewerCan.setPassword.isAllowed && <NewPassword user={user} />}
      {user.credentials.length === 0 && (
        <Empty icon={IconKey} title={t('noCredentials')}>
          {t('noCredentialsHint')}
        </Empty>
      )}
      {user.credentials.map(({ id, type, label, createdAt }) => (
        <Paper key={id} withBorder p="xs">
          <Group justify="space-between">
            <Text size="sm">{label ? `${type} · ${label}` : type}</Text>
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {createdAt && moment(createdAt)}
              </Text>
              {user.viewerCan.update.isAllowed && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('deleteCredential', { name: type })}
                  onClick={async () => {
                    const name = t('deleteCredential', { name: type });
                    if (await act(() => mutate(UserCredentialDelete, { id }), name)) reload();
                  }}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </Group>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

function NewPassword({ user }: { user: LoadedUser }) {
  const t = useText(userTexts);
  const notify = useNotify();
  const [value, setValue] = useState('');
  const [isTemporary, setTemporary] = useState(true);
  const [errors, setErrors] = useState<UserError[]>([]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { errors } = await mutate(UserPassword, { id: user.id, value, isTemporary });
    setErrors(errors);
    if (errors.some(({ path }) => !path)) notify.failed(errors);
    if (errors.length > 0) return;
    setValue('');
    notify.succeeded(t('passwordSet'));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <PasswordInput
          label={t('password')}
          autoComplete="new-password"
          flex="1 1 220px"
          value={value}
          error={messageFor(errors, 'value')}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
        <Switch
          label={t('temporary')}
          checked={isTemporary}
          onChange={({ currentTarget: { checked } }) => setTemporary(checked)}
          pb={8}
        />
        <Button type="submit" disabled={value === ''}>
          {t('setPassword')}
        </Button>
      </Group>
    </form>
  );
}
