import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { ChangeList } from '../parts/change-list.js';
import { useText } from '../text/text.js';
import type { PlanViewFragment } from './documents.js';
import { texts } from './text.js';

const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red' } as const;

/** A plan as a diff: its objects, each with the fields that change. */
export function PlanView({ plan: { summary, digest, warnings, changes } }: { plan: PlanViewFragment }) {
  const t = useText(texts);
  const more = changes.totalCount - changes.edges.length;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Text fw={600}>{t('summary', { ...summary })}</Text>
        <Text size="sm" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {t('digest', { digest: digest.slice(0, 16) })}
        </Text>
      </Group>
      {warnings.length > 0 && (
        <Alert color="yellow" title={t('warnings')}>
          {warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {changes.edges.length === 0 && <Text size="sm">{t('nothing')}</Text>}
      {changes.edges.map(({ node: { action, kind, key, fields } }) => (
        <Paper key={`${kind} ${key} ${action}`} withBorder p="sm">
          <Group gap="xs" mb={4}>
            <Badge color={colors[action]}>{t(action)}</Badge>
            <Text size="sm" c="dimmed">
              {kind}
            </Text>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {key}
            </Text>
          </Group>
          {fields.length > 0 && <ChangeList changes={fields} />}
        </Paper>
      ))}
      {more > 0 && <Text size="sm">{t('more', { count: more })}</Text>}
    </Stack>
  );
}
