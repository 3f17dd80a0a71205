import { Badge } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from '../parts/list.js';
import { read } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { AuditRecord } from './audit-record.js';
import {
  type AdminEventFilter,
  type AdminOperationType,
  AuditList,
  AuditLive,
  type AuditRowFragment,
} from './documents.js';
import { EventFilters } from './event-filters.js';
import { ExportEvents } from './export-events.js';
import { LiveList } from './live-list.js';
import { commonFilter } from './search.js';
import { texts } from './text.js';
import { useEventSearch } from './use-event-search.js';

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red', ACTION: 'gray' } as const;
const types = Object.keys(colors) as AdminOperationType[];

/** What administrators have changed in a realm: filters, live tail, details, and export. */
export function Audit() {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm, search, change } = useEventSearch('/$realm/audit');
  const { event, live = false, ...filters } = search;
  const key = JSON.stringify(filters);
  // the key stands for the filters, which are a new object each time
  const filter = useMemo((): AdminEventFilter => {
    const type = types.find((name) => name === filters.type);
    return { ...commonFilter(filters), ...(type && { operationTypes: [type] }) };
  }, [key]);
  const variables = useMemo(() => ({ realm, filter }), [realm, filter]);
  const pages = usePages(AuditList, variables, ({ realm: found }) => found?.adminEvents);
  const columns: Column<AuditRowFragment, never>[] = [
    { key: 'operation', title: t('operation'), width: 220, render: ({ operation }) => operation },
    {
      key: 'type',
      title: t('type'),
      width: 120,
      render: ({ operationType }) => <Badge color={colors[operationType]}>{operationType}</Badge>,
    },
    { key: 'path', title: t('path'), width: 300, render: ({ resourcePath }) => resourcePath || t('realmItself') },
    { key: 'actor', title: t('actor'), render: ({ actor, actorId }) => actor?.username ?? actorId },
    { key: 'time', title: t('time'), width: 190, render: ({ time }) => moment(time) },
  ];
  const page = async (after: string | null) => {
    const { data, errors } = await read(AuditList, { ...variables, first: 500, after, isFirst: false });
    return { data: data?.realm?.adminEvents, errors };
  };
  return (
    <Screen title={t('audit')} loaded={pages} actions={<ExportEvents name={`${realm}-audit`} page={page} />}>
      {({ realm: found }) =>
        found && (
          <>
            <EventFilters search={search} types={types} onChange={change} />
            <LiveList
              key={key}
              label={t('audit')}
              pages={pages}
              total={found.adminEvents?.totalCount}
              columns={columns}
              nameOf={({ operation }) => operation}
              onOpen={({ id }: AuditRowFragment) => change({ event: id })}
              isLive={live}
              document={AuditLive}
              variables={{ realm: found.id, filter }}
              eventOf={({ adminEvents }) => adminEvents.event}
            />
            {event && <AuditRecord id={event} onClose={() => change({ event: undefined })} />}
          </>
        )
      }
    </Screen>
  );
}
