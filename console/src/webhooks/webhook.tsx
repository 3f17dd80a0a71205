import { ActionIcon, Alert, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormButton } from '../parts/dialogs.js';
import { flagField, nameField, type Section } from '../parts/fields.js';
import { IconRefresh } from '../parts/icons.js';
import { DetailScreen } from '../parts/object-screen.js';
import { PagedRows } from '../parts/paged-rows.js';
import { RowSection } from '../parts/rows.js';
import { SecretButton } from '../parts/secret-dialog.js';
import { mutate, type NodeOf, nodeOf, type UserError, useNode } from '../session/graphql.js';
import { type Pages, usePages } from '../session/pages.js';
import { useRunning } from '../session/running.js';
import { area } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import { WebhookDeliveries, type WebhookDeliveriesQuery, WebhookDetail, type WebhookDetailQuery } from './documents.js';
import { texts } from './texts.js';

const sections: Section[] = [
  {
    title: texts.general,
    fields: [nameField, { path: 'url', label: texts.url, isRequired: true }, flagField('isEnabled', texts.enabled)],
  },
];

/** What became of a message. */
interface Attempt {
  hasSucceeded: boolean | null;
  responseStatus: number | null;
  error: string | null;
}
const attempt = ['hasSucceeded', 'responseStatus', 'error'] as const;

/** A webhook: its form, its deliveries, and what can be done with it. */
export function Webhook() {
  const t = useText(texts);
  const notify = useNotify();
  const { id } = useParams({ from: '/$realm/webhooks/$id' });
  const shown = useNode(WebhookDetail, { id });
  const { reload } = shown;
  const deliveries = usePages(WebhookDeliveries, { id }, ({ node }) => nodeOf(node)?.deliveries);
  const [isTesting, whileTesting] = useRunning();
  const [failure, setFailure] = useState<string>();
  const tell = (errors: UserError[], found: Attempt | undefined) => {
    if (errors.length > 0) return notify.failed(errors);
    const { hasSucceeded, responseStatus, error } = found ?? {};
    if (hasSucceeded) notify.succeeded(t('pinged', { status: String(responseStatus) }));
    setFailure(hasSucceeded ? undefined : t('pingFailed', { reason: error ?? String(responseStatus) }));
    reload();
    deliveries.reload();
  };
  const test = async () => {
    const { data, errors } = await whileTesting(() => mutate('webhookPing', { id }, { reads: attempt }));
    tell(errors, data?.webhookPing);
  };
  const sendAgain = async (delivery: string) => {
    const { data, errors } = await mutate('webhookDeliveryReplay', { id: delivery }, { reads: attempt });
    tell(errors, data?.webhookDeliveryReplay);
  };
  return (
    <DetailScreen
      shown={shown}
      area={area.webhooks}
      kind={texts.title}
      nameOf={({ name }) => name}
      actions={({ node: { viewerCan } }) => (
        <>
          {viewerCan.ping.isAllowed && (
            <Button onClick={test} loading={isTesting}>
              {t('ping')}
            </Button>
          )}
          {viewerCan.replay.isAllowed && (
            <FormButton
              title={t('replay')}
              fields={[{ path: 'since', label: texts.since, hint: texts.replayHint, kind: 'time', isRequired: true }]}
              submit={({ since }) => mutate('webhookReplay', { id, since: String(since) }, { reads: ['events'] })}
              done={(data) => t('replayed', { count: data?.webhookReplay.events ?? 0 })}
              onDone={reload}
            />
          )}
          {viewerCan.rotateSecret.isAllowed && (
            <SecretButton
              title={t('rotate')}
              hint={t('rotateHint')}
              isDangerous
              submit={() => mutate('webhookRotateSecret', { id }, { reads: ['secret'] })}
              secretIn={(data) => data.webhookRotateSecret.secret}
              secretHint={t('secretHint')}
            />
          )}
        </>
      )}
      removeHint={texts.removeHint}
      remove={(_, options) => mutate('webhookDelete', { id }, options)}
      above={({ node: { disabledReason } }) =>
        [disabledReason, failure].map(
          (reason) =>
            reason && (
              <Alert key={reason} color="red" role="alert">
                {reason}
              </Alert>
            ),
        )
      }
      form={{ sections, save: (input, options) => mutate('webhookUpdate', input, options), help: 'webhookUpdate' }}
      below={({ node }) => (
        <Deliveries webhook={node} pages={deliveries} onSend={(delivery) => sendAgain(delivery.id)} />
      )}
    />
  );
}

type LoadedWebhook = NodeOf<WebhookDetailQuery>;
type Delivery = NonNullable<NonNullable<NodeOf<WebhookDeliveriesQuery>>['deliveries']>['nodes'][number];

interface DeliveriesProps {
  webhook: LoadedWebhook;
  pages: Pages<unknown, Delivery>;
  /** sends the event of a delivery again */
  onSend(delivery: Delivery): void;
}

/** The attempts to deliver events to a webhook, each of which can be repeated. */
function Deliveries({ webhook, pages, onSend }: DeliveriesProps) {
  const t = useText(texts);
  const { moment } = useFormat();
  return (
    <>
      {webhook.nextAttemptAt && <Text>{t('nextAttempt', { time: moment(webhook.nextAttemptAt) })}</Text>}
      <RowSection title={t('deliveries')}>
        <PagedRows pages={pages} empty={<Text c="dimmed">{t('noDeliveries')}</Text>}>
          {pages.nodes.map((delivery) => (
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
                  <ActionIcon aria-label={t('again', { name: delivery.eventType })} onClick={() => onSend(delivery)}>
                    <IconRefresh size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </Group>
          ))}
        </PagedRows>
      </RowSection>
    </>
  );
}
