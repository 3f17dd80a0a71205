import { ActionIcon, Badge, Button, Group, List, Modal, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { TargetSelect } from '../parts/target-select.js';
import { useAct } from '../parts/use-act.js';
import { mutate, useLoad } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { UserAddRole, UserRemoveRole, UserRoleOrigin, type UserRoleOriginQuery } from './documents.js';
import type { LoadedUser, UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

type Edge = NonNullable<LoadedUser['effectiveRoles']>['edges'][number];

/** The effective roles of a user, and why it has each of them. */
export function UserRoles({ user, realm }: UserPart) {
  const t = useText(userTexts);
  const act = useAct();
  const [asked, setAsked] = useState<Edge>();
  const { id } = user;
  const add = (role: string) => mutate(UserAddRole, { id, roles: [role] });
  const remove = (role: string) => mutate(UserRemoveRole, { id, roles: [role] });
  const isAllowed = user.viewerCan.addRoles.isAllowed;
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <TargetSelect
          kind="role"
          label={t('addRole')}
          realm={realm}
          value=""
          onChange={(role) =>
            role &&
            act(
              () => add(role),
              t('addRole'),
              () => remove(role),
            )
          }
        />
      )}
      {user.effectiveRoles?.edges.map((edge) => {
        const name = nameOf(edge);
        return (
          <Paper key={edge.node.id} withBorder p="xs">
            <Group justify="space-between" gap="xs">
              <Text size="sm" flex="1 1 140px" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Badge color={edge.isDirect ? 'indigo' : 'gray'}>{t(edge.isDirect ? 'direct' : 'inherited')}</Badge>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setAsked(edge)}
                aria-label={t('whyOf', { name })}
              >
                {t('why')}
              </Button>
              {isAllowed && edge.isDirect && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('takeRole', { name })}
                  onClick={() =>
                    act(
                      () => remove(edge.node.id),
                      t('takeRole', { name }),
                      () => add(edge.node.id),
                    )
                  }
                >
                  <IconX size={16} />
                </ActionIcon>
              )}
            </Group>
          </Paper>
        );
      })}
      {asked && <Origin user={user} edge={asked} onClose={() => setAsked(undefined)} />}
    </Stack>
  );
}

const nameOf = ({ node: { client, name } }: Edge): string => (client ? `${client.clientId} · ${name}` : name);

function Origin({ user, edge, onClose }: { user: LoadedUser; edge: Edge; onClose(): void }) {
  const t = useText(userTexts);
  const { id: role, name } = edge.node;
  const { data } = useLoad(UserRoleOrigin, { user: user.id, role, name });
  const reasons = data && originsOf(data, user, role);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('whyOf', { name: nameOf(edge) })}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      {!reasons && <Skeleton height={60} />}
      {reasons && (
        <List size="sm" spacing="xs">
          {edge.isDirect && <List.Item>{t('isDirect')}</List.Item>}
          {reasons.groups.map((path) => (
            <List.Item key={path}>{t('fromGroup', { name: path })}</List.Item>
          ))}
          {reasons.roles.map((containing) => (
            <List.Item key={containing}>{t('fromRole', { name: containing })}</List.Item>
          ))}
          {!edge.isDirect && reasons.groups.length + reasons.roles.length === 0 && (
            <List.Item>{t('fromHidden')}</List.Item>
          )}
        </List>
      )}
    </Modal>
  );
}

/** The groups of the user that have a role, and the roles of the user that contain it. */
function originsOf({ user: owner, role: contained }: UserRoleOriginQuery, user: LoadedUser, role: string) {
  const held = new Set(user.effectiveRoles?.edges.map(({ node }) => node.id));
  const groups = owner && 'groups' in owner ? (owner.groups?.edges ?? []) : [];
  const containing = contained && 'compositeOf' in contained ? (contained.compositeOf?.edges ?? []) : [];
  return {
    groups: groups
      .filter(({ node }) => node.effectiveRoles?.edges.some((edge) => edge.node.id === role))
      .map(({ node }) => node.path),
    roles: containing.filter(({ node }) => held.has(node.id)).map(({ node }) => node.name),
  };
}
