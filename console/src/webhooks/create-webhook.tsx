import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageFor } from '../parts/draft.js';
import { type UserError, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { WebhookAdd } from './documents.js';
import { texts } from './text.js';

interface CreateWebhookProps {
  realmId: string;
  onClose(): void;
  onCreated(secret: string): void;
}

/** Creates a webhook for all events of the chosen kinds. */
export function CreateWebhook({ realmId, onClose, onCreated }: CreateWebhookProps) {
  const t = useText(texts);
  const notify = useNotify();
  const { run, isRunning } = useMutate(WebhookAdd);
  const [values, setValues] = useState({ name: '', url: '', includesAdminEvents: true, includesLoginEvents: false });
  const [errors, setErrors] = useState<UserError[]>([]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, errors } = await run({ input: { realm: realmId, isEnabled: true, ...values } });
    setErrors(errors);
    if (errors.some(({ path }) => !path)) notify.failed(errors);
    if (data?.webhookCreate?.secret && errors.length === 0) onCreated(data.webhookCreate.secret);
  };
  return (
    <Modal opened onClose={onClose} title={t('create')} closeButtonProps={{ 'aria-label': t('cancel') }}>
      <form onSubmit={submit}>
        <Stack>
          {(['name', 'url'] as const).map((field) => (
            <TextInput
              key={field}
              label={t(field)}
              required
              {...(field === 'name' && { 'data-autofocus': true })}
              value={values[field]}
              error={messageFor(errors, field)}
              onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [field]: value }))}
            />
          ))}
          {(['includesAdminEvents', 'includesLoginEvents'] as const).map((field) => (
            <Switch
              key={field}
              label={t(field)}
              checked={values[field]}
              onChange={({ currentTarget: { checked } }) => setValues((before) => ({ ...before, [field]: checked }))}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
