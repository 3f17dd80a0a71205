import { Button, List, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Assignments, roleLabel } from '../parts/assignments.js';
import { Origin } from '../parts/cells.js';
import { Dialog } from '../parts/dialog.js';
import { useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { useText } from '../text/text.js';
import { UserRoleOrigin, type UserRoleOriginQuery } from './documents.js';
import { texts } from './text.js';
import type { LoadedUser, UserPart } from './user-tabs.js';

type Edge = NonNullable<LoadedUser['effectiveRoles']>['edges'][number];

/** The effective roles of a user, and why it has each of them. */
export function UserRoles({ node: user }: UserPart) {
  const t = useText(texts);
  const [asked, setAsked] = useState<Edge>();
  const { id } = user;
  return (
    <>
      <Assignments
        nodes={user.effectiveRoles?.edges.map((edge) => ({ ...edge, id: edge.node.id })) ?? []}
        nameOf={({ node }) => roleLabel(node)}
        to="/$realm/roles/$id"
        describe={(edge) => ({
          isFixed: !edge.isDirect,
          actions: (
            <>
              <Origin isDirect={edge.isDirect} />
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setAsked(edge)}
                aria-label={t('whyOf', { name: roleLabel(edge.node) })}
              >
                {t('why')}
              </Button>
            </>
          ),
        })}
        kind="role"
        label={t('addRole')}
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
  const { groups, roles } = originsOf(data, user, role);
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
function originsOf(data: UserRoleOriginQuery | undefined, user: LoadedUser, role: string) {
  const held = new Set(user.effectiveRoles?.edges.map(({ node }) => node.id));
  const groups = nodeOf(data?.user)?.groups?.nodes ?? [];
  const containing = nodeOf(data?.role)?.compositeOf?.nodes ?? [];
  return {
    groups: groups
      .filter(({ effectiveRoles }) => effectiveRoles?.nodes.some(({ id }) => id === role))
      .map(({ path }) => path),
    roles: containing.filter(({ id }) => held.has(id)).map(({ name }) => name),
  };
}
