import { Badge, Button, Modal, Select, Stack, Text } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import { ListScreen } from '../parts/list-screen.js';
import { useAct } from '../parts/use-act.js';
import { mutate, type Outcome } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import {
  SessionEnd,
  SessionEndAll,
  SessionEndOfUser,
  SessionList,
  type SessionListQuery,
  type UserSessionOrderField,
} from './documents.js';
import { type SessionSearch, sessionOrders } from './search.js';
import { texts } from './text.js';

type Session = NonNullable<NonNullable<SessionListQuery['realm']>['userSessions']>['edges'][number]['node'];

/** The sessions of a realm: who is logged in, and how to end it. */
export function Sessions() {
  const t = useText(texts);
  const notify = useNotify();
  const { moment } = useFormat();
  const { realm } = useParams({ from: '/$realm' });
  const { search, kind, sort = '-STARTED_AT' } = useSearch({ from: '/$realm/sessions' });
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Session>();
  const variables = useMemo(
    () => ({
      realm,
      search: search ?? null,
      filter: kind ? { isOffline: kind === 'offline' } : null,
      orderBy: sessionOrders[sort],
    }),
    [realm, search, kind, sort],
  );
  const pages = usePages(SessionList, variables, ({ realm: found }) => found?.userSessions);
  const found = pages.data?.realm;
  const change = (changes: SessionSearch) =>
    navigate({ to: '.', search: ((before: object) => ({ ...before, ...changes })) as never, replace: true });
  const endAll = async () => {
    const { errors } = await mutate(SessionEndAll, { realm: found?.id ?? '' });
    if (errors.length === 0) notify.succeeded(t('ended'));
    pages.reload();
    return errors;
  };
  return (
    <ListScreen<SessionListQuery, Session, UserSessionOrderField>
      title={t('title')}
      pages={pages}
      total={found?.userSessions?.totalCount}
      search={t('search')}
      filters={
        <Select
          aria-label={t('kind')}
          placeholder={t('kind')}
          clearable
          w={160}
          data={(['regular', 'offline'] as const).map((value) => ({ value, label: t(value) }))}
          value={kind ?? null}
          onChange={(value) => change({ kind: value as SessionSearch['kind'] })}
        />
      }
      icon={IconDeviceLaptop}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'user', title: t('user'), width: 200, render: ({ user }) => user?.username },
        { key: 'ipAddress', title: t('ipAddress'), width: 150, render: ({ ipAddress }) => ipAddress },
        {
          key: 'kind',
          title: t('kind'),
          width: 110,
          render: ({ isOffline }) => isOffline && <Badge color="gray">{t('offline')}</Badge>,
        },
        { key: 'clients', title: t('clients'), width: 220, render: clientsOf },
        {
          key: 'startedAt',
          title: t('startedAt'),
          sort: 'STARTED_AT',
          width: 190,
          render: ({ startedAt }) => moment(startedAt),
        },
        {
          key: 'lastAccessAt',
          title: t('lastAccessAt'),
          sort: 'LAST_ACCESS_AT',
          width: 190,
          render: ({ lastAccessAt }) => moment(lastAccessAt),
        },
      ]}
      sort={sort}
      onSort={(next) => change({ sort: next })}
      nameOf={(session) => session.user?.username ?? session.ipAddress}
      onOpen={setOpened}
      actions={
        found?.viewerCan?.logoutAll.isAllowed && (
          <ActionDialog label={t('endAll')} explanation={t('endAllHint')} isDangerous onConfirm={endAll} />
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
  const act = useAct();
  const { moment } = useFormat();
  const { id, user, ipAddress, startedAt, lastAccessAt, viewerCan } = session;
  const end = async (run: () => Promise<Outcome<unknown>>) => {
    if (await act(run, t('ended'))) onEnded();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('session', { name: user?.username ?? ipAddress })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {[ipAddress, clientsOf(session), moment(startedAt), moment(lastAccessAt)].filter(Boolean).join(' · ')}
        </Text>
        {viewerCan.end.isAllowed && <Text size="sm">{t('sessionHint')}</Text>}
        {user && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/$realm/users/$id" params={{ realm, id: user.id }} {...props} />}
          >
            {t('openUser')}
          </Button>
        )}
        {viewerCan.end.isAllowed && (
          <Button onClick={() => end(() => mutate(SessionEnd, { id }))}>{t('endSession')}</Button>
        )}
        {viewerCan.end.isAllowed && user && (
          <Button variant="default" onClick={() => end(() => mutate(SessionEndOfUser, { user: user.id }))}>
            {t('endOfUser')}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
