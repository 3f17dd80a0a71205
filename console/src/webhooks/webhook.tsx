import { Alert, Button, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { type Section, SettingsForm } from '../parts/settings-form.js';
import { load, mutate, type UserError, useLoad, useMutate } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { Deliveries } from './deliveries.js';
import {
  WebhookDetail,
  WebhookNewSecret,
  WebhookRemove,
  WebhookSave,
  WebhookSendAgain,
  WebhookSendSince,
  WebhookTest,
} from './documents.js';
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

/** What became of a message. */
interface Attempt {
  hasSucceeded: boolean | null;
  responseStatus: number | null;
  error: string | null;
}

/** A webhook: its form, its deliveries, and what can be done with it. */
export function Webhook() {
  const t = useText(texts);
  const notify = useNotify();
  const { id } = useParams({ from: '/$realm/webhooks/$id' });
  const loaded = useLoad(WebhookDetail, { id });
  const webhook = nodeOf(loaded.data?.node);
  const ping = useMutate(WebhookTest);
  const [failure, setFailure] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  const tell = (errors: UserError[], attempt: Attempt | undefined) => {
    if (errors.length > 0) return notify.failed(errors);
    const { hasSucceeded, responseStatus, error } = attempt ?? {};
    if (hasSucceeded) notify.succeeded(t('pinged', { status: String(responseStatus) }));
    setFailure(hasSucceeded ? undefined : t('pingFailed', { reason: error ?? String(responseStatus) }));
    loaded.reload();
  };
  const test = async () => {
    const { data, errors } = await ping.run({ input: { id } });
    tell(errors, data?.webhookPing);
  };
  const sendAgain = async (delivery: string) => {
    const { data, errors } = await mutate(WebhookSendAgain, { id: delivery });
    tell(errors, data?.webhookDeliveryReplay);
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
          {can?.replay.isAllowed && (
            <Button variant="default" onClick={() => setReplaying(true)}>
              {t('replay')}
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
          <Deliveries webhook={webhook} onSend={(delivery) => sendAgain(delivery.id)} />
          {isReplaying && (
            <FormDialog
              title={t('replay')}
              fields={[{ path: 'since', label: texts.since, hint: texts.replayHint, kind: 'time', isRequired: true }]}
              submit={({ since }) => mutate(WebhookSendSince, { input: { id, since: String(since) } })}
              onDone={(data) => {
                notify.succeeded(t('replayed', { count: data?.webhookReplay.events ?? 0 }));
                loaded.reload();
              }}
              onClose={() => setReplaying(false)}
            />
          )}
          {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
        </Stack>
      )}
    </ObjectScreen>
  );
}
