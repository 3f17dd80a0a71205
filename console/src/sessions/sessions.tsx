import { Button, Text } from '@mantine/core';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { orderOf } from '../parts/address.js';
import { Dialog, FormButton } from '../parts/dialogs.js';
import { EndSessions } from '../parts/end-sessions.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useFormat, useText } from '../text/text.js';
import * as documents from './documents.js';
import { texts } from './text.js';

type Session = NonNullable<NonNullable<documents.SessionListQuery['realm']>['userSessions']>['nodes'][number];

/** The sessions of a realm: who is logged in, and how to end it. */
export function Sessions() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search = null, kind, sort = '-STARTED_AT' } = useSearch({ from: '/$realm/sessions' });
  const [opened, setOpened] = useState<Session>();
  const filter = kind ? { isOffline: kind === 'offline' } : null;
  const variables = { realm, search, filter, orderBy: orderOf(sort) };
  const pages = usePages(documents.SessionList, variables, ({ realm: found }) => found?.userSessions);
  const found = pages.data?.realm;
  const columns: Column<Session, documents.UserSessionOrderField>[] = [
    { key: 'user', title: texts.user, render: ({ user }) => user?.username },
    { key: 'ipAddress', title: texts.ipAddress, width: 140 },
    { key: 'kind', title: texts.kind, width: 100, render: ({ isOffline }) => t(isOffline ? 'offline' : 'regular') },
    { key: 'clients', title: texts.clients, width: 190, render: clientsOf },
    { key: 'startedAt', title: texts.startedAt, sort: 'STARTED_AT', width: 190, isTime: true },
    { key: 'lastAccessAt', title: texts.lastAccessAt, sort: 'LAST_ACCESS_AT', width: 190, isTime: true },
  ];
  return (
    <ListScreen
      area={area.sessions}
      pages={pages}
      search={t('search')}
      filters={[
        {
          key: 'kind',
          label: t('kind'),
          choices: (['regular', 'offline'] as const).map((value) => ({ value, label: t(value) })),
        },
      ]}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      sort={sort}
      nameOf={({ user, ipAddress }) => user?.username ?? ipAddress}
      onOpen={setOpened}
      actions={
        found?.viewerCan?.logoutAll.isAllowed && (
          <FormButton
            title={t('endAll')}
            hint={t('endAllHint')}
            isDangerous
            submit={() => mutate('realmLogoutAll', { id: found.id })}
            done={() => t('ended')}
            onDone={pages.reload}
          />
        )
      }
    >
      {opened && (
        <SessionDialog
          session={opened}
          realm={realm}
          onClose={() => setOpened(undefined)}
          onEnded={() => {
            setOpened(undefined);
            pages.reload();
          }}
        />
      )}
    </ListScreen>
  );
}

const clientsOf = ({ clients }: Session): string => clients.flatMap(({ client }) => client?.clientId ?? []).join(', ');

interface SessionDialogProps {
  session: Session;
  realm: string;
  onClose(): void;
  onEnded(): void;
}

/** One session: when and where it began, its user, and how to end it or all of that user. */
function SessionDialog({ session, realm, onClose, onEnded }: SessionDialogProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  const { id, user, ipAddress, startedAt, lastAccessAt, viewerCan } = session;
  return (
    <Dialog title={t('session', { name: user?.username ?? ipAddress })} onClose={onClose}>
      <Text>
        {[ipAddress, clientsOf(session), moment(startedAt), moment(lastAccessAt)].filter(Boolean).join(' · ')}
      </Text>
      {user && (
        <Button renderRoot={(props) => <Link to="/$realm/users/$id" params={{ realm, id: user.id }} {...props} />}>
          {t('openUser')}
        </Button>
      )}
      {viewerCan.end.isAllowed && (
        <EndSessions mutation="userSessionEnd" id={id} title={t('endSession')} onDone={onEnded} />
      )}
      {viewerCan.end.isAllowed && user && (
        <EndSessions mutation="userLogout" id={user.id} title={t('endOfUser')} onDone={onEnded} />
      )}
    </Dialog>
  );
}
