import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ChangeList } from '../parts/change-list.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type Bulk, changedUsers, performBulk, undoOf } from './bulk.js';
import { TargetSelect } from './target-select.js';
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
    <Modal opened onClose={onClose} title={t(kind)} size="lg" closeButtonProps={{ 'aria-label': t('cancel') }}>
      <Stack>
        {needsTarget && (
          <TargetSelect
            kind={kind === 'join' ? 'group' : 'role'}
            label={t(kind === 'join' ? 'group' : 'role')}
            realm={realm}
            value={target}
            onChange={setTarget}
          />
        )}
        {isReady && !preview && <Skeleton height={120} />}
        {preview && preview.errors.length > 0 && (
          <Alert color="red" icon={<IconAlertTriangle />} title={t('refused')} role="alert">
            {[...new Set(preview.errors.map(({ message }) => message))].join(' ')}
          </Alert>
        )}
        {preview && preview.errors.length === 0 && (
          <section aria-label={t('preview')}>
            <Text fw={600} mb="xs">
              {t('previewCount', { count: changedUsers(preview.changes).length, total: users.length })}
            </Text>
            <ChangeList changes={preview.changes} nameOf={nameOf} />
          </section>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            onClick={apply}
            loading={isRunning}
            disabled={!preview || preview.errors.length > 0}
            {...(kind === 'remove' && { color: 'red' })}
          >
            {t('apply', { count: users.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
