import { Affix, Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconShieldPlus, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../text/text.js';
import type { BulkKind } from './bulk.js';
import { BulkDialog } from './bulk-dialog.js';
import type { UserRowFragment } from './documents.js';
import { texts } from './text.js';

const actions = {
  enable: IconPlayerPlay,
  disable: IconPlayerPause,
  join: IconUsersPlus,
  addRole: IconShieldPlus,
  remove: IconTrash,
} as const satisfies Record<BulkKind, unknown>;

interface BulkActionsProps {
  realm: string;
  realmId: string;
  users: UserRowFragment[];
  onDone(): void;
}

/** What can be done with the selected users. Each action shows first what it would change. */
export function BulkActions({ realm, realmId, users, onDone }: BulkActionsProps) {
  const t = useText(texts);
  const [kind, setKind] = useState<BulkKind>();
  if (users.length === 0) return null;
  return (
    <>
      <Affix withinPortal={false} position={{ bottom: 16, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
        <Paper
          withBorder
          shadow="md"
          p="xs"
          mx="auto"
          w="fit-content"
          role="toolbar"
          aria-label={t('selected', { count: users.length })}
          style={{ pointerEvents: 'auto' }}
        >
          <Group gap="xs" justify="center">
            <Text size="sm" fw={600} px="xs" role="status">
              {t('selected', { count: users.length })}
            </Text>
            {(Object.keys(actions) as BulkKind[]).map((action) => {
              const Icon = actions[action];
              return (
                <Button
                  key={action}
                  size="xs"
                  variant="default"
                  leftSection={<Icon size={14} aria-hidden />}
                  onClick={() => setKind(action)}
                >
                  {t(action)}
                </Button>
              );
            })}
            <CloseButton aria-label={t('clearSelection')} onClick={onDone} />
          </Group>
        </Paper>
      </Affix>
      {kind && (
        <BulkDialog
          kind={kind}
          realm={realm}
          realmId={realmId}
          users={users}
          onClose={() => setKind(undefined)}
          onDone={() => {
            setKind(undefined);
            onDone();
          }}
        />
      )}
    </>
  );
}
