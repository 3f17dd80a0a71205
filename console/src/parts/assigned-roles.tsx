import { ActionIcon, Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Outcome } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { partTexts } from './part-text.js';
import { TargetSelect } from './target-select.js';
import { useAct } from './use-act.js';

interface AssignedProps {
  realm: string;
  /** roles that an object has */
  roles: { id: string; name: string; client: { clientId: string } | null }[];
  /** of the field that adds a role */
  label: string;
  empty: string;
  isAllowed: boolean;
  add(ids: string[]): Promise<Outcome<unknown>>;
  remove(ids: string[]): Promise<Outcome<unknown>>;
}

/** The roles that a group has or that a role contains: they are added and removed one by one, which can be undone. */
export function AssignedRoles({ realm, roles, label, empty, isAllowed, add, remove }: AssignedProps) {
  const t = useText(partTexts);
  const act = useAct();
  const change = (isAdded: boolean, id: string, name: string) =>
    act(
      () => (isAdded ? add : remove)([id]),
      t(isAdded ? 'added' : 'removed', { name }),
      () => (isAdded ? remove : add)([id]),
    );
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <TargetSelect
          kind="role"
          label={label}
          realm={realm}
          value=""
          onChange={(id) => id && change(true, id, label)}
        />
      )}
      {roles.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {roles.map((role) => (
        <Paper key={role.id} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <Anchor
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
              renderRoot={(props) => <Link to="/$realm/roles/$id" params={{ realm, id: role.id }} {...props} />}
            >
              {roleLabel(role)}
            </Anchor>
            {isAllowed && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('remove', { name: roleLabel(role) })}
                onClick={() => change(false, role.id, roleLabel(role))}
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

/** The name of a role, after that of its client if it has one. */
export const roleLabel = ({ name, client }: { name: string; client: { clientId: string } | null }): string =>
  client ? `${client.clientId} · ${name}` : name;
