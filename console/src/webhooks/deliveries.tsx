import { ActionIcon, Badge, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useFormat, useText } from '../text/text.js';
import type { WebhookDetailQuery } from './documents.js';
import { texts } from './text.js';

type LoadedWebhook = Extract<NonNullable<WebhookDetailQuery['node']>, { deliveries: unknown }>;
type Delivery = NonNullable<LoadedWebhook['deliveries']>['edges'][number]['node'];

interface DeliveriesProps {
  webhook: LoadedWebhook;
  /** sends the event of a delivery again */
  onSend(delivery: Delivery): void;
}

/** The last attempts to deliver events to a webhook, each of which can be repeated. */
export function Deliveries({ webhook, onSend }: DeliveriesProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  const deliveries = webhook.deliveries?.edges ?? [];
  return (
    <Stack component="section" aria-label={t('deliveries')}>
      <Title order={2} size="h4">
        {t('deliveries')}
      </Title>
      {webhook.nextAttemptAt && <Text size="sm">{t('nextAttempt', { time: moment(webhook.nextAttemptAt) })}</Text>}
      {deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noDeliveries')}
        </Text>
      )}
      {deliveries.map(({ node: delivery }) => (
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
          {webhook.viewerCan.replay.isAllowed && delivery.eventType !== 'ping' && (
            <Tooltip label={t('againShort')}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('again', { name: delivery.eventType })}
                onClick={() => onSend(delivery)}
              >
                <IconRefresh size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
    </Stack>
  );
}
