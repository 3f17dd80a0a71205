import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ChangeList } from '../parts/change-list.js';
import { useFormat, useText } from '../text/text.js';
import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The last logins of a user, and what administrators have changed. */
export function UserEvents({ user: { events, adminEvents } }: UserPart) {
  const t = useText(userTexts);
  const { moment } = useFormat();
  return (
    <Stack maw={760}>
      <Title order={2} size="h4">
        {t('logins')}
      </Title>
      {!events?.edges.length && (
        <Text size="sm" c="dimmed">
          {t('noEvents')}
        </Text>
      )}
      {events?.edges.map(({ node: { id, type, time, ipAddress, error, clientId } }) => (
        <Group key={id} gap="xs">
          <Badge color={error ? 'red' : 'teal'}>{type}</Badge>
          <Text size="sm" flex="1 1 160px">
            {[clientId, ipAddress, error].filter(Boolean).join(' · ')}
          </Text>
          <Text size="sm" c="dimmed">
            {moment(time)}
          </Text>
        </Group>
      ))}
      <Title order={2} size="h4">
        {t('changes')}
      </Title>
      {!adminEvents?.edges.length && (
        <Text size="sm" c="dimmed">
          {t('noChanges')}
        </Text>
      )}
      {adminEvents?.edges.map(({ node: { id, time, operationType, actor, changes } }) => (
        <Paper key={id} withBorder p="xs">
          <Text size="sm" c="dimmed" mb={4}>
            {operationType} · {t('by', { name: actor?.username ?? t('unknown') })} · {moment(time)}
          </Text>
          {changes && changes.length > 0 && <ChangeList changes={changes} />}
        </Paper>
      ))}
    </Stack>
  );
}
