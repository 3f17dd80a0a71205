import { Alert, Button, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { flagField, nameField, type Section } from '../parts/fields.js';
import { FormButton } from '../parts/form-dialog.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import type { UserError } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { useNode } from '../session/node.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { Deliveries } from './deliveries.js';
import { WebhookDetail } from './documents.js';
import { Secret } from './secret.js';
import { texts } from './text.js';

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
  const { loaded, node: webhook, reload } = useNode(WebhookDetail, { id });
  const [isTesting, setTesting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const tell = (errors: UserError[], found: Attempt | undefined) => {
    if (errors.length > 0) return notify.failed(errors);
    const { hasSucceeded, responseStatus, error } = found ?? {};
    if (hasSucceeded) notify.succeeded(t('pinged', { status: String(responseStatus) }));
    setFailure(hasSucceeded ? undefined : t('pingFailed', { reason: error ?? String(responseStatus) }));
    reload();
  };
  const test = async () => {
    setTesting(true);
    const { data, errors } = await mutate('webhookPing', { id }, { reads: attempt });
    setTesting(false);
    tell(errors, data?.webhookPing);
  };
  const sendAgain = async (delivery: string) => {
    const { data, errors } = await mutate('webhookDeliveryReplay', { id: delivery }, { reads: attempt });
    tell(errors, data?.webhookDeliveryReplay);
  };
  const { viewerCan } = webhook ?? {};
  return (
    <ObjectScreen
      title={webhook?.name ?? t('title')}
      loaded={loaded}
      object={webhook}
      actions={
        <>
          {viewerCan?.ping.isAllowed && (
            <Button variant="default" onClick={test} loading={isTesting}>
              {t('ping')}
            </Button>
          )}
          {viewerCan?.replay.isAllowed && (
            <FormButton
              title={t('replay')}
              fields={[{ path: 'since', label: texts.since, hint: texts.replayHint, kind: 'time', isRequired: true }]}
              submit={({ since }) => mutate('webhookReplay', { id, since: String(since) }, { reads: ['events'] })}
              done={(data) => t('replayed', { count: data?.webhookReplay.events ?? 0 })}
              onDone={reload}
            />
          )}
          {viewerCan?.rotateSecret.isAllowed && (
            <FormButton
              title={t('rotate')}
              hint={t('rotateHint')}
              isDangerous
              submit={() => mutate('webhookRotateSecret', { id }, { reads: ['secret'] })}
              onDone={(data) => setSecret(data?.webhookRotateSecret.secret ?? undefined)}
            />
          )}
        </>
      }
      remove={{
        isAllowed: viewerCan?.delete.isAllowed,
        hint: t('removeHint'),
        act: (options) => mutate('webhookDelete', { id }, options),
      }}
    >
      {(webhook) => (
        <Stack>
          {[webhook.disabledReason, failure].map(
            (reason) =>
              reason && (
                <Alert key={reason} color="red" role="alert">
                  {reason}
                </Alert>
              ),
          )}
          <SettingsForm
            nameOf={({ name }) => name}
            sections={sections}
            stored={webhook}
            save={(input, options) => mutate('webhookUpdate', input, options)}
            reload={reload}
          />
          <Deliveries webhook={webhook} onSend={(delivery) => sendAgain(delivery.id)} />
          {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
        </Stack>
      )}
    </ObjectScreen>
  );
}
