import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useChange } from '../parts/address.js';
import { ChangeList, NotFound, ObjectLink, useActorName, useResourceName } from '../parts/display.js';
import type { Column } from '../parts/list.js';
import { RowSection } from '../parts/rows.js';
import { nodeOf, useLoad } from '../session/graphql.js';
import { home } from '../session/sign-in.js';
import { area } from '../shell/areas.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useFormat, useText, useValueName } from '../text/text.js';
import * as documents from './documents.js';
import { AuditDetail } from './documents.js';
import { choicesOf, EventDrawer, EventFields, EventScreen, type EventSearch } from './event-screen.js';
import { texts } from './texts.js';

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red', ACTION: 'gray' } as const;
const types = Object.keys(colors) as documents.AdminOperationType[];

/** The kinds of objects that are offered as filters. */
const objects = [
  'REALM',
  'USER',
  'GROUP',
  'REALM_ROLE',
  'CLIENT',
  'CLIENT_ROLE',
  'CLIENT_SCOPE',
  'PROTOCOL_MAPPER',
  'IDENTITY_PROVIDER',
  'IDENTITY_PROVIDER_MAPPER',
  'COMPONENT',
  'AUTH_FLOW',
  'AUTH_EXECUTION',
  'REQUIRED_ACTION',
] as const satisfies documents.AdminResourceType[];

/** A kind of objects, or else the ID of one of them. */
const objectFilter = (object: string): documents.AdminEventFilter => {
  const kind = objects.find((name) => name === object);
  return kind ? { resourceTypes: [kind] } : { resource: object };
};

/** What administrators have changed in a realm: filters, live tail, details, and export. */
export function Audit() {
  const t = useText(texts);
  const actorName = useActorName();
  const resourceName = useResourceName();
  const valueName = useValueName();
  const { object } = useSearch({ from: '/$realm/audit' });
  const isOne = object && !objects.some((name) => name === object);
  const choices = [...choicesOf(objects, valueName), ...(isOne ? [{ value: object, label: t('thisObject') }] : [])];
  const columns: Column<documents.AuditRowFragment>[] = [
    { key: 'operation', title: texts.operation, width: 240 },
    {
      key: 'type',
      title: texts.type,
      width: 130,
      render: ({ operationType }) => <Badge color={colors[operationType]}>{valueName(operationType)}</Badge>,
    },
    { key: 'object', title: texts.object, render: resourceName },
    { key: 'actor', title: texts.actor, width: 160, render: actorName },
    { key: 'time', title: texts.time, width: 190, isTime: true },
  ];
  return (
    <EventScreen
      area={area.audit}
      file="audit"
      types={types}
      filterOf={(common, type, { actor, object }) => ({
        ...common,
        ...(type && { operationTypes: [type] }),
        ...(actor && { actor }),
        ...(object && objectFilter(object)),
      })}
      // who administers a realm is a user of that of the login
      actor={{ label: t('actor'), realm: home }}
      filters={[{ key: 'object', label: t('object'), placeholder: t('anyObject'), choices }]}
      hint={t('auditHint')}
      document={documents.AuditList}
      connectionOf={({ realm }) => realm?.adminEvents}
      live={documents.AuditLive}
      eventOf={({ adminEvents }) => adminEvents.event}
      columns={columns}
      nameOf={({ operation }) => operation}
    >
      {(id, _, onClose) => <AuditRecord id={id} onClose={onClose} />}
    </EventScreen>
  );
}

/** An audit record: who has changed what, and how it was before and after. */
function AuditRecord({ id, onClose }: { id: string; onClose(): void }) {
  const t = useText(texts);
  const actorName = useActorName();
  const resourceName = useResourceName();
  const valueName = useValueName();
  const { moment } = useFormat();
  const change = useChange<EventSearch>();
  const loaded = useLoad(AuditDetail, { id });
  const { data, error, isLoading } = loaded;
  const record = nodeOf(data?.node);
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
              [t('type'), valueName(record.operationType)],
              [t('object'), resourceName(record)],
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
