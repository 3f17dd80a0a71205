import { Anchor, Code, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChangeList } from '../parts/change-list.js';
import { NotFound } from '../parts/not-found.js';
import { useLoad } from '../session/graphql.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { AuditDetail } from './documents.js';
import { EventDrawer } from './event-drawer.js';
import { EventFields } from './event-fields.js';
import { texts } from './text.js';

/** An audit record: who has changed what, and how it was before and after. */
export function AuditRecord({ id, onClose }: { id: string; onClose(): void }) {
  const t = useText(texts);
  const { moment } = useFormat();
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
                  <Anchor
                    fz="inherit"
                    renderRoot={(props) => (
                      <Link to="/$realm/users/$id" params={{ realm: actorRealm.name, id: actor.id }} {...props} />
                    )}
                  >
                    {actor.username}
                  </Anchor>
                ) : (
                  record.actorId
                ),
              ],
              [t('client'), record.clientId],
              [t('ipAddress'), record.ipAddress],
            ]}
          />
          {record.changes && (
            <>
              <Title order={2} size="h5">
                {t('changes')}
              </Title>
              <ChangeList changes={record.changes} />
            </>
          )}
          {(['before', 'after'] as const).map(
            (side) =>
              record[side] && (
                <section key={side} aria-label={t(side)}>
                  <Title order={2} size="h5" mb={4}>
                    {t(side)}
                  </Title>
                  <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {indented(record[side])}
                  </Code>
                </section>
              ),
          )}
          {!record.before && !record.after && (
            <Text size="sm" c="dimmed">
              {t('noDetails')}
            </Text>
          )}
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
