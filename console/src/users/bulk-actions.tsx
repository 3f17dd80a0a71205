import { IconPlayerPause, IconPlayerPlay, IconShieldPlus, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { SelectionBar } from '../parts/selection-bar.js';
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
      <SelectionBar<BulkKind>
        selected={t('selected', { count: users.length })}
        actions={(Object.keys(actions) as BulkKind[]).map((action) => ({
          kind: action,
          title: t(action),
          icon: actions[action],
        }))}
        clear={t('clearSelection')}
        onAct={setKind}
        onClear={onDone}
      />
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
