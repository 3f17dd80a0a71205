import { Button, Code, Group, Text } from '@mantine/core';
import { useActorName } from '../parts/actor.js';
import { useChange } from '../parts/address.js';
import { ObjectLink } from '../parts/cells.js';
import { ChangeList } from '../parts/change-list.js';
import { NotFound } from '../parts/empty.js';
import { RowSection } from '../parts/row.js';
import { useLoad } from '../session/graphql.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { AuditDetail } from './documents.js';
import type { EventSearch } from './event-filters.js';
import { EventDrawer, EventFields } from './event-screen.js';
import { texts } from './text.js';

/** An audit record: who has changed what, and how it was before and after. */
export function AuditRecord({ id, onClose }: { id: string; onClose(): void }) {
  const t = useText(texts);
  const actorName = useActorName();
  const { moment } = useFormat();
  const change = useChange<EventSearch>();
  const loaded = useLoad(AuditDetail, { id });
  const { data, error, isLoading } = loaded;
  const record = data?.node && 'operation' in data.node ? data.node : undefined;
  const { actor, actorRealm } = record ?? {};
  return (
    <EventDrawer title={record?.operation ?? t('audit')} onClose={onClose}>
      {error && !isLoading && <Failure loaded={loaded} />}
      {isLoading && !record && <Placeholder />}
      {!isLoading && !error && !record && <NotFound />}
      {record && (
        <>
          <EventFields
            fields={[
              [t('time'), moment(record.time)],
              [t('type'), record.operationType],
              [t('object'), record.resourceType],
              [t('path'), record.resourcePath || t('realmItself')],
              [
                t('actor'),
                actor && actorRealm ? (
                  <ObjectLink to="/$realm/users/$id" realm={actorRealm.name} id={actor.id}>
                    {actor.username}
                  </ObjectLink>
                ) : (
                  // the ID tells deleted users apart
                  [actorName({ actor: null, actorId: record.actorId }), record.actorId].filter(Boolean).join(' · ')
                ),
              ],
              [t('client'), record.clientId],
              [t('ipAddress'), record.ipAddress],
            ]}
          />
          <Group gap="xs">
            {(
              [
                ['allOfObject', record.resourceId, 'object'],
                ['allOfActor', record.actorId, 'actor'],
              ] as const
            ).map(([label, id, filter]) => (
              <Button
                key={label}
                variant="default"
                size="xs"
                disabled={id === null}
                onClick={() => change({ [filter]: id, event: undefined })}
              >
                {t(label)}
              </Button>
            ))}
          </Group>
          {record.changes && (
            <RowSection title={t('changes')}>
              <ChangeList changes={record.changes} />
            </RowSection>
          )}
          {(['before', 'after'] as const).map(
            (side) =>
              record[side] && (
                <RowSection key={side} title={t(side)}>
                  <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {indented(record[side])}
                  </Code>
                </RowSection>
              ),
          )}
          {!record.before && !record.after && <Text c="dimmed">{t('noDetails')}</Text>}
        </>
      )}
    </EventDrawer>
  );
}

/** A JSON text on several lines. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
