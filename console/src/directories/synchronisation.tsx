import { Alert, Badge, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormButton } from '../parts/form-dialog.js';
import { useLive } from '../session/graphql.js';
import { mutate, perform } from '../session/mutate.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import * as documents from './documents.js';
import type { DirectoryPart } from './loaded-directory.js';
import { texts } from './text.js';

const colors = { NEVER: 'gray', RUNNING: 'indigo', DONE: 'teal', FAILED: 'red', INTERRUPTED: 'yellow' } as const;

/** The present or last synchronisation of a directory, live, and what can be done with its users. */
export function Synchronisation({ directory, reload }: DirectoryPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const notify = useNotify();
  const { id, viewerCan } = directory;
  const [running, setRunning] = useState<documents.UserSyncKind>();
  const [live] = useLive(documents.DirectoryProgress, { id }, (data) => data.userStorageSync, { most: 1 });
  const { status, done, total, added, updated, removed, failed, error, endedAt } = live ?? directory.sync;
  const synchronise = async (kind: documents.UserSyncKind) => {
    setRunning(kind);
    const { data, errors } = await perform(documents.DirectorySync, { id, kind });
    setRunning(undefined);
    if (errors.length > 0) notify.failed(errors);
    else notify.succeeded(t(data?.userStorageSync.result?.isIgnored ? 'ignored' : 'synchronised'));
    reload();
  };
  return (
    <Stack maw={760}>
      <Paper withBorder p="md" component="section" aria-label={t('sync')}>
        <Stack gap="xs" role="status">
          <Group>
            <Badge color={colors[status]}>{t(status)}</Badge>
            {endedAt && <Text c="dimmed">{t('ended', { time: moment(endedAt) })}</Text>}
          </Group>
          {status === 'RUNNING' && (
            <Progress
              value={total ? Math.min(100, (100 * done) / total) : 100}
              animated
              aria-label={t('read', { count: done })}
            />
          )}
          {status !== 'NEVER' && (
            <Text className="numbers">
              {t('read', { count: done })} · {t('counts', { added, updated, removed, failed })}
            </Text>
          )}
        </Stack>
        {error && (
          <Alert color="red" mt="sm">
            {error}
          </Alert>
        )}
      </Paper>
      <Group>
        {viewerCan.sync.isAllowed &&
          (['FULL', 'CHANGED'] as const).map((kind) => (
            <Button
              key={kind}
              variant={kind === 'FULL' ? 'filled' : 'default'}
              loading={running === kind}
              disabled={running !== undefined || status === 'RUNNING'}
              onClick={() => synchronise(kind)}
            >
              {t(kind)}
            </Button>
          ))}
        {viewerCan.unlinkUsers.isAllowed && (
          <FormButton
            title={t('unlink')}
            hint={t('unlinkHint')}
            submit={() => mutate('userStorageUnlinkUsers', { id }, { reads: ['count'] })}
            done={(data) => t('affected', { count: data?.userStorageUnlinkUsers.count ?? 0 })}
          />
        )}
        {viewerCan.removeUsers.isAllowed && (
          <FormButton
            title={t('removeUsers')}
            hint={t('removeUsersHint')}
            isDangerous
            submit={() => mutate('userStorageRemoveUsers', { id }, { reads: ['count'] })}
            done={(data) => t('affected', { count: data?.userStorageRemoveUsers.count ?? 0 })}
          />
        )}
      </Group>
    </Stack>
  );
}
