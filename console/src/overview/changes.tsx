import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useActorName } from '../parts/actor.js';
import { Empty } from '../parts/empty.js';
import { useLive } from '../session/graphql.js';
import { useFormat, useText } from '../text/text.js';
import { OverviewLive } from './documents.js';
import type { RealmOverview } from './realm-overview.js';
import { texts } from './text.js';

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red', ACTION: 'gray' } as const;
const most = 8;

/** The last changes of administrators, with those that happen while one looks. */
export function Changes({ realm }: { realm: RealmOverview }) {
  const t = useText(texts);
  const format = useFormat();
  const actorName = useActorName();
  const live = useLive(OverviewLive, { realm: realm.id }, ({ adminEvents }) => adminEvents.event, { most });
  const stored = realm.adminEvents?.nodes ?? [];
  const events = [...new Map([...live, ...stored].map((event) => [event.id, event])).values()].slice(0, most);
  if (events.length === 0) return <Empty icon={IconHistory} title={t('noChanges')} hint={t('noChangesHint')} />;
  return (
    <Stack gap="xs" aria-live="polite">
      {events.map((event) => (
        <Group key={event.id} gap="xs" wrap="wrap">
          <Badge color={colors[event.operationType]} miw={90}>
            {t(event.operationType)}
          </Badge>
          <Text ff="monospace" style={{ overflowWrap: 'anywhere' }} flex="1 1 200px">
            {event.resourcePath || t('realm')}
          </Text>
          <Text c="dimmed">
            {t('by', { name: actorName(event) })} · {format.moment(event.time)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
