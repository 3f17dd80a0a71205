import { Stack, Text } from '@mantine/core';
import { useAct } from '../parts/act.js';
import { FormButton } from '../parts/dialogs.js';
import { Moment } from '../parts/display.js';
import { IconKey } from '../parts/icons.js';
import { ObjectList } from '../parts/rows.js';
import { mutate } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { useText, useValueName } from '../text/text.js';
import { temporaryField } from './create-users.js';
import { texts } from './texts.js';
import type { UserPart } from './user-tabs.js';

/** The credentials of a user in their order, their names, and a new password. */
export function Credentials({ node: user, reload }: UserPart) {
  const t = useText(texts);
  const act = useAct();
  const valueName = useValueName();
  if (!user.credentials) return <Text c="dimmed">{t('needsManage')}</Text>;
  const nodes = user.credentials.map((node) => ({
    ...node,
    name: [valueName(node.type), node.label].filter(Boolean).join(' · '),
  }));
  const moveTo = (id: string, place: number) => () => {
    const after = nodes.filter((node) => node.id !== id)[place - 1]?.id;
    return mutate('credentialMove', { id, ...(after && { after }) });
  };
  const move = ({ id, name }: (typeof nodes)[number], by: number) => {
    const place = nodes.findIndex((node) => node.id === id);
    return act(moveTo(id, place + by), t('moved', { name }), moveTo(id, place));
  };
  return (
    <Stack maw={760}>
      {user.viewerCan.setPassword.isAllowed && (
        <FormButton
          title={t('setPassword')}
          fields={[{ path: 'value', label: texts.password, kind: 'secret', isRequired: true }, temporaryField]}
          submit={({ value, isTemporary }) =>
            mutate('userSetPassword', { id: user.id, value: String(value), isTemporary: isTemporary === true })
          }
          done={() => t('passwordSet')}
          onDone={reload}
        />
      )}
      <ObjectList
        pages={wholeList(nodes, reload)}
        isAllowed={user.viewerCan.update.isAllowed}
        icon={IconKey}
        empty={{ title: t('noCredentials'), hint: t('noCredentialsHint') }}
        describe={({ createdAt }) => ({ hint: <Moment time={createdAt} /> })}
        edit={{
          fields: () => [{ path: 'label', label: texts.label }],
          save: ({ id }, { label }, options) =>
            mutate('credentialSetLabel', { id, label: String(label ?? '') }, options),
        }}
        removeHint={t('credentialHint')}
        remove={({ id }, options) => mutate('credentialDelete', { id }, options)}
        move={move}
      />
    </Stack>
  );
}
