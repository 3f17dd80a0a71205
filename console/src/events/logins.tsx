import { Badge } from '@mantine/core';
import { useMemo } from 'react';
import type { Column } from '../parts/list.js';
import { read } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import {
  type LoginEventFilter,
  type LoginEventType,
  LoginList,
  LoginLive,
  type LoginRowFragment,
} from './documents.js';
import { EventDrawer } from './event-drawer.js';
import { EventFields } from './event-fields.js';
import { EventFilters } from './event-filters.js';
import { ExportEvents } from './export-events.js';
import { LiveList } from './live-list.js';
import { commonFilter } from './search.js';
import { texts } from './text.js';
import { useEventSearch } from './use-event-search.js';

/** The types that are offered as filters; the address may have any other one. */
const types = [
  'LOGIN',
  'LOGIN_ERROR',
  'LOGOUT',
  'LOGOUT_ERROR',
  'REGISTER',
  'CODE_TO_TOKEN',
  'CODE_TO_TOKEN_ERROR',
  'REFRESH_TOKEN',
  'REFRESH_TOKEN_ERROR',
  'CLIENT_LOGIN',
  'CLIENT_LOGIN_ERROR',
  'UPDATE_PASSWORD',
  'RESET_PASSWORD',
] as const satisfies LoginEventType[];

/** What users have done to sign in and out: filters, live tail, details, and export. */
export function Logins() {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm, search, change } = useEventSearch('/$realm/logins');
  const { event, live = false, ...filters } = search;
  const key = JSON.stringify(filters);
  // the key stands for the filters, which are a new object each time
  const filter = useMemo((): LoginEventFilter => {
    const type = types.find((name) => name === filters.type);
    return { ...commonFilter(filters), ...(type && { types: [type] }) };
  }, [key]);
  const variables = useMemo(() => ({ realm, filter }), [realm, filter]);
  const pages = usePages(LoginList, variables, ({ realm: found }) => found?.loginEvents);
  const nameOf = ({ user, userId }: LoginRowFragment) => user?.username ?? userId ?? '';
  const columns: Column<LoginRowFragment, never>[] = [
    {
      key: 'type',
      title: t('type'),
      width: 220,
      render: ({ type, error }) => <Badge color={error ? 'red' : 'teal'}>{type}</Badge>,
    },
    { key: 'user', title: t('user'), render: nameOf },
    { key: 'client', title: t('client'), render: ({ clientId }) => clientId },
    { key: 'error', title: t('error'), width: 200, render: ({ error }) => error },
    { key: 'ipAddress', title: t('ipAddress'), render: ({ ipAddress }) => ipAddress },
    { key: 'time', title: t('time'), width: 190, render: ({ time }) => moment(time) },
  ];
  const page = async (after: string | null) => {
    const { data, errors } = await read(LoginList, { ...variables, first: 500, after, isFirst: false });
    return { data: data?.realm?.loginEvents, errors };
  };
  const chosen = pages.nodes.find(({ id }) => id === event);
  return (
    <Screen title={t('logins')} loaded={pages} actions={<ExportEvents name={`${realm}-logins`} page={page} />}>
      {({ realm: found }) =>
        found && (
          <>
            <EventFilters search={search} types={types} onChange={change} />
            <LiveList
              key={key}
              label={t('logins')}
              pages={pages}
              total={found.loginEvents?.totalCount}
              columns={columns}
              nameOf={({ type }) => type}
              onOpen={({ id }: LoginRowFragment) => change({ event: id })}
              isLive={live}
              document={LoginLive}
              variables={{ realm: found.id, filter }}
              eventOf={({ loginEvents }) => loginEvents.event}
            />
            {chosen && (
              <EventDrawer title={chosen.type} onClose={() => change({ event: undefined })}>
                <EventFields
                  fields={[
                    [t('time'), moment(chosen.time)],
                    [t('user'), nameOf(chosen)],
                    [t('client'), chosen.clientId],
                    [t('error'), chosen.error],
                    [t('ipAddress'), chosen.ipAddress],
                    [t('session'), chosen.sessionId],
                    ...chosen.details.map(({ name, value }): [string, string] => [name, value]),
                  ]}
                />
              </EventDrawer>
            )}
          </>
        )
      }
    </Screen>
  );
}
