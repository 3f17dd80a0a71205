import { Alert, Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { attributeSection, fieldsOf, type Section } from '../parts/fields.js';
import { IconLock } from '../parts/icons.js';
import { DetailScreen } from '../parts/object-screen.js';
import { Assignments } from '../parts/rows.js';
import { mutate, nodeOf, useNode } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { UserDetail, UserGroups } from './documents.js';
import { texts } from './text.js';
import { Access, Credentials, Events, type LoadedUser, Roles, Sessions, type UserPart } from './user-tabs.js';

const sections: Section[] = [
  {
    title: texts.general,
    fields: fieldsOf({
      username: ['text', ...texts.username, { isRequired: true }],
      email: ['email', ...texts.email],
      firstName: ['text', ...texts.firstName],
      lastName: ['text', ...texts.lastName],
      isEnabled: ['flag', ...texts.enabled, { hint: texts.isEnabledHint }],
      isEmailVerified: ['flag', ...texts.emailVerified],
      requiredActions: ['lines', ...texts.requiredActions, { hint: texts.requiredActionsHint }],
    }),
  },
  attributeSection,
];

/** Everything about one user, in tabs. */
export function User() {
  const { realm, id } = useParams({ from: '/$realm/users/$id' });
  const may = useMay(realm);
  const viewsEvents = may('VIEW_EVENTS');
  const managesUsers = may('MANAGE_USERS');
  const shown = useNode(UserDetail, { id, managesUsers });
  return (
    <DetailScreen
      shown={shown}
      kind={texts.user}
      nameOf={({ username }) => username}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('userDelete', { id }, options)}
      above={({ node }) => <Badges user={node} />}
      form={{ title: texts.details, sections, isPreviewed: false, save: (input) => mutate('userUpdate', input) }}
      tabs={(part) => [
        ['groups', texts.groups, <Groups {...part} />],
        ['roles', texts.roles, <Roles {...part} />],
        ['credentials', texts.credentials, <Credentials {...part} />],
        ['sessions', texts.sessions, <Sessions {...part} />],
        ['access', texts.access, <Access {...part} />],
        viewsEvents && ['events', texts.events, <Events {...part} />],
      ]}
    />
  );
}

function Groups({ node: { id, viewerCan } }: UserPart) {
  const t = useText(texts);
  return (
    <Assignments
      pages={usePages(UserGroups, { id }, ({ node }) => nodeOf(node)?.groups)}
      nameOf={({ path }) => path}
      to="/$realm/groups/$id"
      kind="group"
      label={t('join')}
      empty={t('noGroups')}
      isAllowed={viewerCan.joinGroups.isAllowed}
      add={(group) => mutate('userJoinGroups', { id, groups: [group] })}
      remove={(group) => mutate('userLeaveGroups', { id, groups: [group] })}
    />
  );
}

function Badges({ user: { federationLink, loginFailures } }: { user: LoadedUser }) {
  const t = useText(texts);
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
