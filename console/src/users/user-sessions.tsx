import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { Empty } from '../parts/empty.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useFormat, useText } from '../text/text.js';
import { UserEndSession, UserSignOut } from './documents.js';
import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The sessions of a user, with the clients that each of them has logged in to. */
export function UserSessions({ user, reload }: UserPart) {
  const t = useText(userTexts);
  const { moment } = useFormat();
  const act = useAct();
  const sessions = user.sessions?.edges.map(({ node }) => node) ?? [];
  const isAllowed = user.viewerCan.logout.isAllowed;
  if (sessions.length === 0)
    return (
      <Empty icon={IconDeviceLaptop} title={t('noSessions')}>
        {t('noSessionsHint')}
      </Empty>
    );
  return (
    <Stack maw={760}>
      {isAllowed && (
        <Button
          variant="default"
          w="fit-content"
          onClick={async () => (await act(() => mutate(UserSignOut, { id: user.id }), t('ended'))) && reload()}
        >
          {t('endAll')}
        </Button>
      )}
      {sessions.map(({ id, ipAddress, isOffline, startedAt, lastAccessAt, clients }) => (
        <Paper key={id} withBorder p="xs">
          <Group justify="space-between">
            <div>
              <Group gap="xs">
                <Text size="sm" ff="monospace">
                  {ipAddress}
                </Text>
                {isOffline && <Badge color="gray">{t('offline')}</Badge>}
              </Group>
              <Text size="sm" c="dimmed">
                {t('since', { moment: moment(startedAt), last: moment(lastAccessAt) })}
              </Text>
              <Text size="sm">{clients.flatMap(({ client }) => client?.clientId ?? []).join(', ')}</Text>
            </div>
            {isAllowed && (
              <Button
                size="xs"
                variant="default"
                onClick={async () => (await act(() => mutate(UserEndSession, { id }), t('ended'))) && reload()}
              >
                {t('endSession')}
              </Button>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
