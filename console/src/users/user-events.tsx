import { Badge, Group, Stack, Text } from '@mantine/core';
import { useActorName } from '../parts/actor.js';
import { Moment } from '../parts/cells.js';
import { ChangeList } from '../parts/change-list.js';
import { Row, RowSection } from '../parts/row.js';
import { useText } from '../text/text.js';
import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The last logins of a user, and what administrators have changed. */
export function UserEvents({ node: { events, adminEvents } }: UserPart) {
  const t = useText(userTexts);
  const actorName = useActorName();
  return (
    <Stack maw={760}>
      <RowSection title={t('logins')} empty={t('noEvents')}>
        {(events?.nodes ?? []).map(({ id, type, time, ipAddress, error, clientId }) => (
          <Group key={id} gap="xs">
            <Badge color={error ? 'red' : 'teal'}>{type}</Badge>
            <Text flex="1 1 160px">{[clientId, ipAddress, error].filter(Boolean).join(' · ')}</Text>
            <Text c="dimmed">
              <Moment time={time} />
            </Text>
          </Group>
        ))}
      </RowSection>
      <RowSection title={t('changes')} empty={t('noChanges')}>
        {(adminEvents?.nodes ?? []).map(({ id, time, operationType, actor, actorId, changes }) => (
          <Row
            key={id}
            name={
              <>
                {operationType} · {t('by', { name: actorName({ actor, actorId }) })} · <Moment time={time} />
              </>
            }
            hint={changes && changes.length > 0 && <ChangeList changes={changes} />}
          />
        ))}
      </RowSection>
    </Stack>
  );
}
