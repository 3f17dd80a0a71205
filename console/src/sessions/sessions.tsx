import { Button, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { oneOf } from '../parts/address.js';
import { defineList, orderedBy, pagesOf } from '../parts/define-list.js';
import { Dialog, FormButton } from '../parts/dialogs.js';
import { EndSessions } from '../parts/end-sessions.js';
import { mutate } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { useFormat, useText } from '../text/text.js';
import { RealmUserSessions, type UserSessionRowFragment as Session, type UserSessionOrderField } from './documents.js';
import { texts } from './texts.js';

const kinds = ['regular', 'offline'] as const;
const clientsOf = ({ clients }: Session): string => clients.flatMap(({ client }) => client?.clientId ?? []).join(', ');

/** The sessions of a realm: who is logged in, and how to end it. */
export const Sessions = defineList({
  area: area.sessions,
  pages: pagesOf(
    RealmUserSessions,
    ({ userSessions }) => userSessions,
    (search, orderBy, { kind }) => {
      const known = oneOf(...kinds)(kind);
      return { search, ...(known && { filter: { isOffline: known === 'offline' } }), orderBy };
    },
    orderedBy<UserSessionOrderField>('-STARTED_AT'),
  ),
  columns: [
    { key: 'user', title: texts.user, render: ({ user }) => user?.username },
    { key: 'ipAddress', title: texts.ipAddress, width: 140 },
    {
      key: 'kind',
      title: texts.kind,
      width: 100,
      render: ({ isOffline }, { translate }) => translate(isOffline ? texts.offline : texts.regular),
    },
    { key: 'clients', title: texts.clients, width: 190, render: clientsOf },
    { key: 'startedAt', title: texts.startedAt, sort: 'STARTED_AT', width: 190, isTime: true },
    { key: 'lastAccessAt', title: texts.lastAccessAt, sort: 'LAST_ACCESS_AT', width: 190, isTime: true },
  ],
  nameOf: ({ user, ipAddress }) => user?.username ?? ipAddress,
  empty: [texts.none, texts.noneHint],
  search: texts.search,
  filters: ({ translate }) => [
    {
      key: 'kind',
      label: translate(texts.kind),
      choices: kinds.map((value) => ({ value, label: translate(texts[value]) })),
    },
  ],
  actions: ({ id, viewerCan }, reload) => viewerCan?.logoutAll.isAllowed && <EndAll realm={id} onDone={reload} />,
  dialog: (session, onClose, reload) => (
    <SessionDialog
      session={session}
      onClose={onClose}
      onEnded={() => {
        onClose();
        reload();
      }}
    />
  ),
});

/** A button that ends all sessions of a realm. */
function EndAll({ realm, onDone }: { realm: string; onDone(): void }) {
  const t = useText(texts);
  return (
    <FormButton
      title={t('endAll')}
      hint={t('endAllHint')}
      isDangerous
      submit={() => mutate('realmLogoutAll', { id: realm })}
      done={() => t('ended')}
      onDone={onDone}
    />
  );
}

interface SessionDialogProps {
  session: Session;
  onClose(): void;
  onEnded(): void;
}

/** One session: when and where it began, its user, and how to end it or all of that user. */
function SessionDialog({ session, onClose, onEnded }: SessionDialogProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm } = useParams({ from: '/$realm' });
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
