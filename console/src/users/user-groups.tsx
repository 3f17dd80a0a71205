import { ActionIcon, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUsersGroup, IconX } from '@tabler/icons-react';
import { Empty } from '../parts/empty.js';
import { TargetSelect } from '../parts/target-select.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { UserJoin, UserLeave } from './documents.js';
import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** The groups of a user. */
export function UserGroups({ user, realm }: UserPart) {
  const t = useText(userTexts);
  const act = useAct();
  const { id } = user;
  const join = (group: string) => mutate(UserJoin, { id, groups: [group] });
  const leave = (group: string) => mutate(UserLeave, { id, groups: [group] });
  const groups = user.groups?.edges.map(({ node }) => node) ?? [];
  const isAllowed = user.viewerCan.joinGroups.isAllowed;
  return (
    <Stack maw={760}>
      {isAllowed && (
        <TargetSelect
          kind="group"
          label={t('joinGroup')}
          realm={realm}
          value=""
          onChange={(group) =>
            group &&
            act(
              () => join(group),
              t('joinGroup'),
              () => leave(group),
            )
          }
        />
      )}
      {groups.length === 0 && (
        <Empty icon={IconUsersGroup} title={t('noGroups')}>
          {t('noGroupsHint')}
        </Empty>
      )}
      {groups.map(({ id: group, path }) => (
        <Paper key={group} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {path}
            </Text>
            {isAllowed && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('leave', { name: path })}
                onClick={() =>
                  act(
                    () => leave(group),
                    t('leave', { name: path }),
                    () => join(group),
                  )
                }
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
