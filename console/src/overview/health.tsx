import { List, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Empty } from '../parts/empty.js';
import { type Translate, useFormat, useText } from '../text/text.js';
import type { RealmOverview } from './realm-overview.js';
import { texts } from './text.js';

const soon = 90 * 86_400_000;

/** What needs attention in a realm: directories, webhooks, and certificates. */
export function Health({ realm }: { realm: RealmOverview }) {
  const t = useText(texts);
  const { moment } = useFormat();
  const faults = faultsOf(realm, t, moment);
  if (faults.length === 0) return <Empty icon={IconCircleCheck} title={t('healthy')} hint={t('healthHint')} />;
  return (
    <List
      spacing="xs"
      size="sm"
      icon={
        <ThemeIcon size={22} radius="xl" color="yellow" variant="light">
          <IconAlertTriangle size={14} aria-hidden />
        </ThemeIcon>
      }
    >
      {faults.map((fault) => (
        <List.Item key={fault}>{fault}</List.Item>
      ))}
    </List>
  );
}

function faultsOf(realm: RealmOverview, t: Translate<typeof texts>, moment: (time: string) => string): string[] {
  const directories = (realm.userStorages ?? []).flatMap(({ name, kind, isEnabled, lastSync }) => {
    const called = name ?? kind;
    if (!isEnabled) return [t('directoryOff', { name: called })];
    if (lastSync?.error) return [t('directoryFailed', { name: called, error: lastSync.error })];
    return lastSync?.failed ? [t('directoryPartly', { name: called, failed: lastSync.failed })] : [];
  });
  const webhooks = (realm.webhooks?.nodes ?? [])
    .filter(({ failures, disabledReason }) => failures > 0 || disabledReason !== null)
    .map(({ name, failures }) => t('webhookFailing', { name, failures }));
  const keys = (realm.keys ?? []).flatMap(({ kid, algorithm, status, certificateExpiresAt: end }) =>
    status !== 'DISABLED' && end && Date.parse(end) - Date.now() < soon
      ? [t('keyExpires', { algorithm, kid: kid.slice(0, 8), moment: moment(end) })]
      : [],
  );
  return [...directories, ...webhooks, ...keys];
}
