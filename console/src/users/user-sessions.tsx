import { Button, Stack } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { Empty } from '../parts/empty.js';
import { Row } from '../parts/row.js';
import { useAct } from '../parts/use-act.js';
import type { Outcome } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { useFormat, useText } from '../text/text.js';

import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The sessions of a user, with the clients that each of them has logged in to. */
export function UserSessions({ node: user, reload }: UserPart) {
  const t = useText(userTexts);
  const { moment } = useFormat();
  const act = useAct();
  const sessions = user.sessions?.nodes ?? [];
  const isAllowed = user.viewerCan.logout.isAllowed;
  const end = (run: () => Promise<Outcome<unknown>>) => async () => {
    if (await act(run, t('ended'))) reload();
  };
  if (sessions.length === 0)
    return <Empty icon={IconDeviceLaptop} title={t('noSessions')} hint={t('noSessionsHint')} />;
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <Button variant="default" w="fit-content" onClick={end(() => mutate('userLogout', { id: user.id }))}>
          {t('endAll')}
        </Button>
      )}
      {sessions.map(({ id, ipAddress, isOffline, startedAt, lastAccessAt, clients }) => (
        <Row
          key={id}
          name={`${ipAddress} · ${clients.flatMap(({ client }) => client?.clientId ?? []).join(', ')}`}
          hint={t('since', { moment: moment(startedAt), last: moment(lastAccessAt) })}
          badges={[isOffline && t('offline')]}
          actions={
            isAllowed && (
              <Button size="compact-xs" variant="default" onClick={end(() => mutate('userSessionEnd', { id }))}>
                {t('endSession')}
              </Button>
            )
          }
        />
      ))}
    </Stack>
  );
}
