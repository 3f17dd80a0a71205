import { Alert, Badge } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ObjectScreen } from '../parts/object-screen.js';
import { TabSet } from '../parts/tab-set.js';
import { mutate, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import { UserDetail, UsersRemove } from './documents.js';
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
  const names = (Object.keys(parts) as (keyof typeof parts)[]).filter((part) => part !== 'events' || viewsEvents);
  return (
    <ObjectScreen
      title={user?.username ?? t('user')}
      loaded={loaded}
      object={user}
      remove={{
        isAllowed: user?.viewerCan.delete.isAllowed,
        hint: t('removeQuestion'),
        act: (options) => mutate(UsersRemove, { realm: user?.realm.id ?? '', ids: [id] }, options),
      }}
    >
      {(user) => (
        <>
          <Badges user={user} />
          <TabSet
            tabs={names.map((name) => {
              const Part = parts[name];
              return {
                name,
                title: t(name),
                content: <Part user={user} realm={realm} reload={loaded.reload} />,
                // the form keeps what was typed while another tab is open
                keepsMounted: name === 'details',
              };
            })}
          />
        </>
      )}
    </ObjectScreen>
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
