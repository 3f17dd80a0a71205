import { Alert, Badge, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { NotFound } from '../parts/not-found.js';
import { useLoad, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { WebhookDetail, type WebhookDetailQuery, WebhookNewSecret, WebhookRemove, WebhookTest } from './documents.js';
import { Secret } from './secret.js';
import { texts } from './text.js';
import { WebhookForm } from './webhook-form.js';

type Stored = Extract<WebhookDetailQuery['node'], { url: string; failures: number; id: string }>;

/** A webhook: its form, its deliveries, and what can be done with it. */
export function Webhook() {
  const t = useText(texts);
  const notify = useNotify();
  const navigate = useNavigate();
  const { moment } = useFormat();
  const { realm, id } = useParams({ from: '/$realm/webhooks/$id' });
  const loaded = useLoad(WebhookDetail, { id });
  const node = loaded.data?.node;
  const webhook = node && 'url' in node ? (node as Stored) : undefined;
  const ping = useMutate(WebhookTest);
  const rotate = useMutate(WebhookNewSecret);
  const remove = useMutate(WebhookRemove);
  const [asked, setAsked] = useState<'rotate' | 'remove'>();
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
  const confirmed = async () => {
    if (!webhook || !asked) return;
    const input = { id, expectedVersion: webhook.version };
    const { data, errors } = asked === 'rotate' ? await rotate.run({ input }) : await remove.run({ input });
    setAsked(undefined);
    if (errors.length > 0) return notify.failed(errors);
    if (data && 'webhookRotateSecret' in data) return setSecret(data.webhookRotateSecret?.secret ?? undefined);
    notify.succeeded(t('removed', { name: webhook.name }));
    navigate({ to: '/$realm/webhooks', params: { realm } });
  };
  const can = webhook?.viewerCan;
  return (
    <Screen
      title={webhook?.name ?? t('title')}
      loaded={loaded}
      actions={
        <>
          {can?.ping.isAllowed && (
            <Button variant="default" onClick={test} loading={ping.isRunning}>
              {t('ping')}
            </Button>
          )}
          {can?.rotateSecret.isAllowed && (
            <Button variant="default" onClick={() => setAsked('rotate')}>
              {t('rotate')}
            </Button>
          )}
          {can?.delete.isAllowed && (
            <Button variant="default" onClick={() => setAsked('remove')}>
              {t('remove')}
            </Button>
          )}
        </>
      }
    >
      {() =>
        webhook ? (
          <Stack>
            {webhook.disabledReason && <Alert color="red">{webhook.disabledReason}</Alert>}
            {failure && (
              <Alert color="red" role="alert">
                {failure}
              </Alert>
            )}
            <WebhookForm webhook={webhook} isReadOnly={!webhook.viewerCan.update.isAllowed} />
            <Title order={2} size="h4">
              {t('deliveries')}
            </Title>
            {webhook.nextAttemptAt && (
              <Text size="sm">{t('nextAttempt', { time: moment(webhook.nextAttemptAt) })}</Text>
            )}
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
            {asked && (
              <Modal
                opened
                onClose={() => setAsked(undefined)}
                title={t(asked)}
                closeButtonProps={{ 'aria-label': t('cancel') }}
              >
                <Stack>
                  <Text size="sm">{t(`${asked}Hint`)}</Text>
                  <Group justify="flex-end">
                    <Button variant="default" onClick={() => setAsked(undefined)}>
                      {t('cancel')}
                    </Button>
                    <Button color="red.9" onClick={confirmed} loading={rotate.isRunning || remove.isRunning}>
                      {t(asked)}
                    </Button>
                  </Group>
                </Stack>
              </Modal>
            )}
            {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
          </Stack>
        ) : (
          <NotFound />
        )
      }
    </Screen>
  );
}
