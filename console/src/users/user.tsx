import { Alert, Badge, Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { IconLock, IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { NotFound } from '../parts/not-found.js';
import { useLoad } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useMay } from '../shell/permissions.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { performBulk } from './bulk.js';
import { UserDetail } from './documents.js';
import type { LoadedUser, UserPart } from './loaded-user.js';
import { UserAccess } from './user-access.js';
import { UserCredentials } from './user-credentials.js';
import { UserEvents } from './user-events.js';
import { UserForm } from './user-form.js';
import { UserGroups } from './user-groups.js';
import { UserRoles } from './user-roles.js';
import { UserSessions } from './user-sessions.js';
import { userTexts } from './user-text.js';

/** The tabs of a user, in their order. */
const parts = {
  details: UserForm,
  groups: UserGroups,
  roles: UserRoles,
  credentials: UserCredentials,
  sessions: UserSessions,
  access: UserAccess,
  events: UserEvents,
} as const satisfies Record<string, ComponentType<UserPart>>;

/** Everything about one user, in tabs. */
export function User() {
  const t = useText(userTexts);
  const { realm, id } = useParams({ from: '/$realm/users/$id' });
  const may = useMay(realm);
  const viewsEvents = may('VIEW_EVENTS');
  const loaded = useLoad(UserDetail, { id, viewsEvents, managesUsers: may('MANAGE_USERS') });
  const user = userOf(loaded.data?.node);
  return (
    <Screen
      title={user?.username ?? t('user')}
      loaded={loaded}
      actions={user?.viewerCan.delete.isAllowed && <DeleteUser realm={realm} user={user} />}
    >
      {() =>
        user ? (
          <>
            <Badges user={user} />
            <Tabs defaultValue="details">
              <Tabs.List>
                {(Object.keys(parts) as (keyof typeof parts)[])
                  .filter((part) => part !== 'events' || viewsEvents)
                  .map((part) => (
                    <Tabs.Tab key={part} value={part}>
                      {t(part)}
                    </Tabs.Tab>
                  ))}
              </Tabs.List>
              {Object.entries(parts).map(([name, Part]) => (
                // the form keeps what was typed while another tab is open
                <Tabs.Panel key={name} value={name} pt="md" keepMounted={name === 'details'}>
                  <Part user={user} realm={realm} reload={loaded.reload} />
                </Tabs.Panel>
              ))}
            </Tabs>
          </>
        ) : (
          <NotFound />
        )
      }
    </Screen>
  );
}

/** The user among the types that a node may be of. */
const userOf = (node: object | null | undefined): LoadedUser | undefined =>
  node && 'username' in node ? (node as LoadedUser) : undefined;

function Badges({ user: { federationLink, loginFailures } }: { user: LoadedUser }) {
  const t = useText(userTexts);
  return (
    <>
      {federationLink && <Badge color="blue">{t('federated', { name: federationLink.name ?? '' })}</Badge>}
      {loginFailures?.isLocked && (
        <Alert color="yellow" icon={<IconLock />}>
          {t('locked', { count: loginFailures.count })}
        </Alert>
      )}
    </>
  );
}

function DeleteUser({ realm, user }: { realm: string; user: LoadedUser }) {
  const t = useText(userTexts);
  const notify = useNotify();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    const { errors } = await performBulk({ kind: 'remove', realm: user.realm.id, users: [user], target: '' }, false);
    if (errors.length > 0) return notify.failed(errors);
    notify.succeeded(t('removed', { name: user.username }));
    navigate({ to: '/$realm/users', params: { realm } });
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`${t('remove')}: ${user.username}`}
        closeButtonProps={{ 'aria-label': t('cancel') }}
      >
        <Stack>
          <Text size="sm">{t('removeQuestion')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t('cancel')}
            </Button>
            <Button color="red" onClick={remove}>
              {t('remove')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
