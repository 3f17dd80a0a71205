import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ChangeList } from '../parts/change-list.js';
import type { Loaded, Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useText } from '../text/text.js';
import type { PlanViewFragment } from './documents.js';
import { texts } from './text.js';

/** The values that the fields of an object have: none before it is created, none after it is deleted. */
const sides = { CREATE: 'after', UPDATE: undefined, DELETE: 'before' } as const;
const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red' } as const;

interface PlanViewProps {
  loaded: Loaded<unknown>;
  plan: PlanViewFragment | null | undefined;
}

/** A plan as a diff: its objects, each with the fields that change. */
export function PlanView({ loaded, plan }: PlanViewProps) {
  const t = useText(texts);
  if (!plan) return loaded.isLoading ? <Placeholder /> : <Failure loaded={loaded} />;
  const { summary, digest, warnings, changes } = plan;
  const more = changes.totalCount - changes.nodes.length;
  return (
    <Stack gap="sm">
      {!loaded.isLoading && <Failure loaded={loaded} />}
      <Group gap="md">
        <Text size="md" fw={600}>
          {t('summary', { ...summary })}
        </Text>
        <Text c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {t('digest', { digest: digest.slice(0, 16) })}
        </Text>
      </Group>
      {warnings.length > 0 && (
        <Alert color="yellow" title={t('warnings')}>
          {warnings.map((warning) => (
            <Text key={warning}>{warning}</Text>
          ))}
        </Alert>
      )}
      {changes.nodes.length === 0 && <Text>{t('nothing')}</Text>}
      {changes.nodes.map(({ action, kind, key, fields }) => (
        <Paper key={`${kind} ${key} ${action}`} withBorder p="sm">
          <Group gap="xs" mb={4}>
            <Badge color={colors[action]}>{t(action)}</Badge>
            <Text c="dimmed">{kind}</Text>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {key}
            </Text>
          </Group>
          {fields.length > 0 && <ChangeList changes={fields} shows={sides[action]} />}
        </Paper>
      ))}
      {more > 0 && <Text>{t('more', { count: more })}</Text>}
    </Stack>
  );
}

/** Applies a plan, or loads the new one if the realm has changed since it was made. */
export function useApply({ reload }: Loaded<unknown>) {
  const t = useText(texts);
  const notify = useNotify();
  const [isRunning, setRunning] = useState(false);
  return {
    isRunning,
    async apply<Data>(run: () => Promise<Outcome<Data>>): Promise<Data | undefined> {
      setRunning(true);
      const { data, errors } = await run();
      setRunning(false);
      if (errors.length === 0) return data;
      const isStale = errors.some(({ code }) => code === 'STALE');
      if (isStale) reload();
      notify.failed(isStale ? [{ code: 'STALE', message: t('changedSince'), path: null }] : errors);
    },
  };
}
