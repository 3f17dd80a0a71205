import { useEffect, useState } from 'react';
import { PreviewDialog } from '../parts/preview-dialog.js';
import { TargetSelect } from '../parts/target-select.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Bulk, changedUsers, performBulk, undoOf } from './bulk.js';
import { texts } from './text.js';

interface BulkDialogProps extends Omit<Bulk, 'target' | 'realm'> {
  realm: string;
  realmId: string;
  onClose(): void;
  onDone(): void;
}

type Preview = Awaited<ReturnType<typeof performBulk>>;

/** Shows what an action would change, by a dry run, before it is performed. */
export function BulkDialog({ kind, realm, realmId, users, onClose, onDone }: BulkDialogProps) {
  const t = useText(texts);
  const notify = useNotify();
  const [target, setTarget] = useState('');
  const [preview, setPreview] = useState<Preview>();
  const [isRunning, setRunning] = useState(false);
  const bulk: Bulk = { kind, realm: realmId, users, target };
  const needsTarget = kind === 'join' || kind === 'addRole';
  const isReady = !needsTarget || target !== '';
  const key = JSON.stringify([kind, target, users.map(({ id, version }) => [id, version])]);

  // the key stands for the action, which is a new object each time
  useEffect(() => {
    let isCurrent = true;
    setPreview(undefined);
    if (isReady) performBulk(bulk, true).then((found) => isCurrent && setPreview(found));
    return () => {
      isCurrent = false;
    };
  }, [key]);

  const apply = async () => {
    setRunning(true);
    const { errors, changes } = await performBulk(bulk, false);
    setRunning(false);
    if (errors.length > 0) return notify.failed(errors);
    const count = kind === 'remove' ? users.length : changedUsers(changes).length;
    notify.succeeded(t('done', { count }), undoOf(bulk, changes));
    onDone();
  };
  const nameOf = (id: string | null) => users.find((user) => user.id === id)?.username ?? '';
  return (
    <PreviewDialog
      title={t(kind)}
      preview={preview}
      isReady={isReady}
      label={t('preview')}
      heading={t('previewCount', { count: changedUsers(preview?.changes ?? []).length, total: users.length })}
      apply={t('apply', { count: users.length })}
      isRunning={isRunning}
      isDangerous={kind === 'remove'}
      nameOf={nameOf}
      onApply={apply}
      onClose={onClose}
    >
      {needsTarget && (
        <TargetSelect
          kind={kind === 'join' ? 'group' : 'role'}
          label={t(kind === 'join' ? 'group' : 'role')}
          realm={realm}
          value={target}
          onChange={setTarget}
        />
      )}
    </PreviewDialog>
  );
}
