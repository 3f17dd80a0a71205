import { Badge } from '@mantine/core';
import { Moment } from '../parts/cells.js';
import type { Column } from '../parts/list.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { AuditRecord } from './audit-record.js';
import * as documents from './documents.js';
import { EventScreen } from './event-screen.js';
import { texts } from './text.js';

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red', ACTION: 'gray' } as const;
const types = Object.keys(colors) as documents.AdminOperationType[];

/** What administrators have changed in a realm: filters, live tail, details, and export. */
export function Audit() {
  const t = useText(texts);
  const columns: Column<documents.AuditRowFragment>[] = [
    { key: 'operation', title: texts.operation, width: 200 },
    {
      key: 'type',
      title: texts.type,
      width: 110,
      render: ({ operationType }) => <Badge color={colors[operationType]}>{operationType}</Badge>,
    },
    { key: 'path', title: texts.path, render: ({ resourcePath }) => resourcePath || t('realmItself') },
    { key: 'actor', title: texts.actor, width: 140, render: ({ actor, actorId }) => actor?.username ?? actorId },
    { key: 'time', title: texts.time, width: 190, render: ({ time }) => <Moment time={time} /> },
  ];
  return (
    <EventScreen
      area={area.audit}
      file="audit"
      types={types}
      filterOf={(common, type) => ({ ...common, ...(type && { operationTypes: [type] }) })}
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
