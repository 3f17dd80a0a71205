import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { type Section, SettingsForm } from '../parts/settings-form.js';
import { load, mutate, useLoad, useMutate } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import { WebhookDetail, WebhookNewSecret, WebhookRemove, WebhookSave, WebhookTest } from './documents.js';
import { Secret } from './secret.js';
import { texts } from './text.js';

const sections: Section[] = [
  {
    title: ['General', 'Allgemein'],
    fields: [
      { path: 'name', label: texts.name, isRequired: true },
      { path: 'url', label: texts.url, isRequired: true },
      { path: 'isEnabled', label: texts.enabled, kind: 'flag' },
    ],
  },
];

/** A webhook: its form, its deliveries, and what can be done with it. */
export function Webhook() {
  const t = useText(texts);
  const notify = useNotify();
  const { moment } = useFormat();
  const { id } = useParams({ from: '/$realm/webhooks/$id' });
  const loaded = useLoad(WebhookDetail, { id });
  const webhook = nodeOf(loaded.data?.node);
  const ping = useMutate(WebhookTest);
  const [failure, setFailure] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const test = async () => {
    const { data, errors } = await ping.run({ input: { id } });
    if (errors.length > 0) return notify.failed(errors);
    const { hasSucceeded, responseStatus, error } = data?.webhookPing ?? {};
    if (hasSucceeded) notify.succeeded(t('pinged', { status: String(responseStatus) }));
    setFailure(hasSucceeded ? undefined : t('pingFailed', { reason: error ?? String(responseStatus) }));
    loaded.reload();
  };
  const rotate = async () => {
    const { data, errors } = await mutate(WebhookNewSecret, { input: { id } });
    setSecret(data?.webhookRotateSecret.secret ?? undefined);
    return errors;
  };
  const can = webhook?.viewerCan;
  return (
    <ObjectScreen
      title={webhook?.name ?? t('title')}
      loaded={loaded}
      object={webhook}
      actions={
        <>
          {can?.ping.isAllowed && (
            <Button variant="default" onClick={test} loading={ping.isRunning}>
              {t('ping')}
            </Button>
          )}
          {can?.rotateSecret.isAllowed && (
            <ActionDialog label={t('rotate')} explanation={t('rotateHint')} isDangerous onConfirm={rotate} />
          )}
        </>
      }
      remove={{
        isAllowed: can?.delete.isAllowed,
        hint: t('removeHint'),
        act: (options) => mutate(WebhookRemove, { id }, options),
      }}
    >
      {(webhook) => (
        <Stack>
          {webhook.disabledReason && <Alert color="red">{webhook.disabledReason}</Alert>}
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <SettingsForm
            name={webhook.name}
            sections={sections}
            stored={webhook}
            isReadOnly={!webhook.viewerCan.update.isAllowed}
            save={(input, options) => mutate(WebhookSave, { input }, options)}
            loadStored={async () => nodeOf((await load(WebhookDetail, { id }))?.node)}
          />
          <Title order={2} size="h4">
            {t('deliveries')}
          </Title>
          {webhook.nextAttemptAt && <Text size="sm">{t('nextAttempt', { time: moment(webhook.nextAttemptAt) })}</Text>}
          {!webhook.deliveries?.edges.length && (
            <Text size="sm" c="dimmed">
              {t('noDeliveries')}
            </Text>
          )}
          {webhook.deliveries?.edges.map(({ node: delivery }) => (
            <Group key={delivery.id} gap="xs">
              <Badge color={delivery.hasSucceeded ? 'teal' : 'red'}>
                {t(delivery.hasSucceeded ? 'delivered' : 'failed')}
              </Badge>
              <Text size="sm" ff="monospace" flex="1 1 200px" style={{ overflowWrap: 'anywhere' }}>
                {[delivery.eventType, delivery.responseStatus, delivery.error].filter(Boolean).join(' · ')}
              </Text>
              <Text size="sm" c="dimmed">
                {t('duration', { count: delivery.duration })} · {moment(delivery.at)}
              </Text>
            </Group>
          ))}
          {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
        </Stack>
      )}
    </ObjectScreen>
  );
}
