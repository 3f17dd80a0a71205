import { Badge, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../parts/dialogs.js';
import { ChangeList, Empty, Moment, Origin, useActorName } from '../parts/display.js';
import { EndSessions } from '../parts/end-sessions.js';
import { IconDeviceLaptop } from '../parts/icons.js';
import { PagedRows } from '../parts/paged-rows.js';
import { Assignments, Row, RowSection } from '../parts/rows.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, type NodeOf, nodeOf, type Part, useLoad } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useFormat, useText, useValueName } from '../text/text.js';
import {
  UserAdminEvents,
  type UserDetailQuery,
  UserLoginEvents,
  UserRoleOrigin,
  type UserRoleOriginQuery,
  UserRoles,
  type UserRolesQuery,
  UserSessions,
} from './documents.js';
import { texts } from './texts.js';

/** A user as its screen has loaded it. */
export type LoadedUser = NodeOf<UserDetailQuery>;

/** What each tab of the screen gets. */
export type UserPart = Part<LoadedUser>;

/** The sessions of a user, with the clients that each of them has logged in to. */
export function Sessions({ node: user }: UserPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const pages = usePages(UserSessions, { id: user.id }, ({ node }) => nodeOf(node)?.sessions);
  const isAllowed = user.viewerCan.logout.isAllowed;
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && pages.nodes.length > 0 && (
        <EndSessions mutation="userLogout" id={user.id} title={t('endAll')} onDone={pages.reload} />
      )}
      <PagedRows
        pages={pages}
        empty={<Empty icon={IconDeviceLaptop} title={t('noSessions')} hint={t('noSessionsHint')} />}
      >
        {pages.nodes.map(({ id, ipAddress, isOffline, startedAt, lastAccessAt, clients }) => (
          <Row
            key={id}
            name={`${ipAddress} · ${clients.flatMap(({ client }) => client?.clientId ?? []).join(', ')}`}
            hint={t('since', { moment: moment(startedAt), last: moment(lastAccessAt) })}
            badges={[isOffline && t('offline')]}
            actions={
              isAllowed && (
                <EndSessions
                  mutation="userSessionEnd"
                  id={id}
                  title={t('endSession')}
                  size="compact-xs"
                  onDone={pages.reload}
                />
              )
            }
          />
        ))}
      </PagedRows>
    </Stack>
  );
}

/** The last logins of a user, and what administrators have changed. */
export function Events({ node: { id: user } }: UserPart) {
  const t = useText(texts);
  const actorName = useActorName();
  const valueName = useValueName();
  const logins = usePages(UserLoginEvents, { id: user }, ({ node }) => nodeOf(node)?.loginEvents);
  const changes = usePages(UserAdminEvents, { id: user }, ({ node }) => nodeOf(node)?.adminEvents);
  return (
    <Stack maw={760}>
      <RowSection title={t('logins')}>
        <PagedRows pages={logins} empty={<Text c="dimmed">{t('noEvents')}</Text>}>
          {logins.nodes.map(({ id, type, time, ipAddress, error, clientId }) => (
            <Group key={id} gap="xs">
              <Badge color={error ? 'red' : 'teal'}>{valueName(type)}</Badge>
              <Text flex="1 1 160px">{[clientId, ipAddress, error].filter(Boolean).join(' · ')}</Text>
              <Text c="dimmed">
                <Moment time={time} />
              </Text>
            </Group>
          ))}
        </PagedRows>
      </RowSection>
      <RowSection title={t('changes')}>
        <PagedRows pages={changes} empty={<Text c="dimmed">{t('noChanges')}</Text>}>
          {changes.nodes.map(({ id, time, operationType, actor, actorId, changes }) => (
            <Row
              key={id}
              name={
                <>
                  {valueName(operationType)} · {t('by', { name: actorName({ actor, actorId }) })} ·{' '}
                  <Moment time={time} />
                </>
              }
              hint={changes && changes.length > 0 && <ChangeList changes={changes} />}
            />
          ))}
        </PagedRows>
      </RowSection>
    </Stack>
  );
}

type Edge = NonNullable<NonNullable<NodeOf<UserRolesQuery>>['effectiveRoles']>['edges'][number];

/** The effective roles of a user, and why it has each of them. */
export function Roles({ node: user }: UserPart) {
  const t = useText(texts);
  const [asked, setAsked] = useState<Edge>();
  const { id } = user;
  const pages = usePages(UserRoles, { id }, ({ node }) => {
    const roles = nodeOf(node)?.effectiveRoles;
    return roles && { ...roles, nodes: roles.edges.map((edge) => ({ ...edge, id: edge.node.id })) };
  });
  return (
    <>
      <Assignments
        pages={pages}
        nameOf={({ node }) => roleLabel(node)}
        describe={(edge) => ({
          isFixed: !edge.isDirect,
          actions: (
            <>
              <Origin isDirect={edge.isDirect} />
              <Button
                size="compact-xs"
                onClick={() => setAsked(edge)}
                aria-label={t('whyOf', { name: roleLabel(edge.node) })}
              >
                {t('why')}
              </Button>
            </>
          ),
        })}
        kind="role"
        owner={id}
        label={t('addRole')}
        empty={t('noRoles')}
        isAllowed={user.viewerCan.addRoles.isAllowed}
        add={(role) => mutate('userAddRoles', { id, roles: [role] })}
        remove={(role) => mutate('userRemoveRoles', { id, roles: [role] })}
      />
      {asked && <Reasons user={user} edge={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Why a user has a role. */
function Reasons({ user, edge, onClose }: { user: LoadedUser; edge: Edge; onClose(): void }) {
  const t = useText(texts);
  const { id: role, name } = edge.node;
  const { data } = useLoad(UserRoleOrigin, { user: user.id, role, name });
  const { groups, roles } = originsOf(data, role);
  const reasons = [
    ...(edge.isDirect ? [t('isDirect')] : []),
    ...groups.map((path) => t('fromGroup', { name: path })),
    ...roles.map((containing) => t('fromRole', { name: containing })),
  ];
  return (
    <Dialog title={t('whyOf', { name: roleLabel(edge.node) })} onClose={onClose}>
      {data ? (
        <List size="sm" spacing="xs">
          {(reasons.length > 0 ? reasons : [t('fromHidden')]).map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
      ) : (
        <Skeleton height={60} />
      )}
    </Dialog>
  );
}

/** The groups of the user that have a role, and the roles of the user that contain it. */
function originsOf(data: UserRoleOriginQuery | undefined, role: string) {
  const held = new Set(nodeOf(data?.user)?.effectiveRoles?.nodes.map(({ id }) => id));
  const groups = nodeOf(data?.user)?.groups?.nodes ?? [];
  const containing = nodeOf(data?.role)?.compositeOf?.nodes ?? [];
  return {
    groups: groups
      .filter(({ effectiveRoles }) => effectiveRoles?.nodes.some(({ id }) => id === role))
      .map(({ path }) => path),
    roles: containing.filter(({ id }) => held.has(id)).map(({ name }) => name),
  };
}
