import { Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Moment } from '../parts/cells.js';
import { Empty } from '../parts/empty.js';
import { flagField } from '../parts/fields.js';
import { FormButton } from '../parts/form-dialog.js';
import { Row } from '../parts/row.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';

import type { UserPart } from './loaded-user.js';
import { userTexts as texts } from './user-text.js';

/** The credentials of a user, and a new password. */
export function UserCredentials({ node: user, reload }: UserPart) {
  const t = useText(texts);
  const act = useAct();
  if (!user.credentials) return <Text c="dimmed">{t('needsManage')}</Text>;
  const remove = async (id: string, name: string) => {
    if (await act(() => mutate('credentialDelete', { id }), t('deleted', { name }))) reload();
  };
  return (
    <Stack maw={760}>
      {user.viewerCan.setPassword.isAllowed && (
        <FormButton
          title={t('setPassword')}
          fields={[
            { path: 'value', label: texts.password, kind: 'secret', isRequired: true },
            { ...flagField('isTemporary', texts.temporary), start: true },
          ]}
          submit={({ value, isTemporary }) =>
            mutate('userSetPassword', { id: user.id, value: String(value), isTemporary: isTemporary === true })
          }
          done={() => t('passwordSet')}
          onDone={reload}
        />
      )}
      {user.credentials.length === 0 && (
        <Empty icon={IconKey} title={t('noCredentials')} hint={t('noCredentialsHint')} />
      )}
      {user.credentials.map(({ id, type, label, createdAt }) => (
        <Row
          key={id}
          name={label ? `${type} · ${label}` : type}
          label={type}
          hint={<Moment time={createdAt} />}
          onRemove={user.viewerCan.update.isAllowed && (() => remove(id, type))}
        />
      ))}
    </Stack>
  );
}
