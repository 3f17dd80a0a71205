import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { RowSection } from '../parts/row.js';
import type { NodeOf } from '../session/node.js';
import { useFormat, useText } from '../text/text.js';
import type { WebhookDetailQuery } from './documents.js';
import { texts } from './text.js';

type LoadedWebhook = NodeOf<WebhookDetailQuery>;
type Delivery = NonNullable<LoadedWebhook['deliveries']>['nodes'][number];

interface DeliveriesProps {
  webhook: LoadedWebhook;
  /** sends the event of a delivery again */
  onSend(delivery: Delivery): void;
}

/** The last attempts to deliver events to a webhook, each of which can be repeated. */
export function Deliveries({ webhook, onSend }: DeliveriesProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  return (
    <>
      {webhook.nextAttemptAt && <Text>{t('nextAttempt', { time: moment(webhook.nextAttemptAt) })}</Text>}
      <RowSection title={t('deliveries')} empty={t('noDeliveries')}>
        {(webhook.deliveries?.nodes ?? []).map((delivery) => (
          <Group key={delivery.id} gap="xs">
            <Badge color={delivery.hasSucceeded ? 'teal' : 'red'}>
              {t(delivery.hasSucceeded ? 'delivered' : 'failed')}
            </Badge>
            <Text ff="monospace" flex="1 1 200px" style={{ overflowWrap: 'anywhere' }}>
              {[delivery.eventType, delivery.responseStatus, delivery.error].filter(Boolean).join(' · ')}
            </Text>
            <Text c="dimmed">
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
      </RowSection>
    </>
  );
}
