import { Alert, Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { defineAssignments, relatedPages } from '../parts/define-relation.js';
import { attributeSection, fieldsOf, type Section } from '../parts/fields.js';
import { IconLock } from '../parts/icons.js';
import { DetailScreen } from '../parts/object-screen.js';
import { mutate, useNode } from '../session/graphql.js';
import { area, useMay } from '../shell/areas.js';
import { useText, useValueName } from '../text/text.js';
import { Access } from './access.js';
import { Credentials } from './credentials.js';
import { UserDetail, type UserDetailQuery, UserGroups } from './documents.js';
import { texts } from './texts.js';
import { UserActions } from './user-actions.js';
import { Events, type LoadedUser, Roles, Sessions } from './user-tabs.js';

type Actions = UserDetailQuery['realm'];

/** The sections of the form. The required actions are those of the realm and those that the user has. */
const sectionsFor = (realm: Actions, { requiredActions }: LoadedUser, nameOf: (value: string) => string): Section[] => [
  {
    title: texts.general,
    fields: fieldsOf(texts, {
      username: ['text', { isRequired: true }],
      email: ['email'],
      firstName: ['text'],
      lastName: ['text'],
      isEnabled: ['flag', { hint: texts.isEnabledHint }],
      isEmailVerified: ['flag'],
      requiredActions: [
        realm ? 'choices' : 'lines',
        { hint: texts.requiredActionsHint, choices: actionChoices(realm, requiredActions, nameOf) },
      ],
    }),
  },
  attributeSection,
];

/** The required actions that a user can be given. */
function actionChoices(realm: Actions, given: string[], nameOf: (value: string) => string) {
  const registered = realm?.requiredActions?.nodes.filter(({ isEnabled }) => isEnabled) ?? [];
  const names = new Map(given.map((alias) => [alias, nameOf(alias)]));
  for (const { alias, name } of registered) names.set(alias, name ?? nameOf(alias));
  return [...names].map(([value, label]) => ({ value, label }));
}

/** Everything about one user, in tabs. */
export function User() {
  const { realm, id } = useParams({ from: '/$realm/users/$id' });
  const may = useMay(realm);
  const viewsEvents = may('VIEW_EVENTS');
  const managesUsers = may('MANAGE_USERS');
  const viewsActions = may('VIEW_REQUIRED_ACTIONS');
  const nameOf = useValueName();
  const shown = useNode(UserDetail, { realm, id, managesUsers, viewsActions });
  const actions = shown.loaded.data?.realm ?? null;
  return (
    <DetailScreen
      shown={shown}
      area={area.users}
      kind={texts.user}
      nameOf={({ username }) => username}
      actions={(part) => <UserActions {...part} actions={actionChoices(actions, [], nameOf)} />}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('userDelete', { id }, options)}
      above={({ node }) => <Badges user={node} />}
      form={{
        title: texts.details,
        sections: (user) => sectionsFor(actions, user, nameOf),
        isPreviewed: false,
        save: (input) => mutate('userUpdate', input),
        help: 'userUpdate',
      }}
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

const Groups = defineAssignments({
  pages: relatedPages(UserGroups, ({ groups }) => groups),
  nameOf: ({ path }) => path,
  kind: 'group',
  label: texts.join,
  empty: texts.noGroups,
  isAllowed: ({ viewerCan }: LoadedUser) => viewerCan.joinGroups.isAllowed,
  add: (id, group) => mutate('userJoinGroups', { id, groups: [group] }),
  remove: (id, group) => mutate('userLeaveGroups', { id, groups: [group] }),
});

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
