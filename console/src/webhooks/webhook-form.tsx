import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Conflict } from '../conflict/conflict.js';
import { changesOf, messageFor, useDraft } from '../parts/draft.js';
import { load, type UserError, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { WebhookDetail, type WebhookRowFragment, WebhookSave } from './documents.js';
import { texts } from './text.js';

const valuesOf = ({ name, url, isEnabled }: WebhookRowFragment) => ({ name, url, isEnabled });
type Values = ReturnType<typeof valuesOf>;
const labels = { name: 'name', url: 'url', isEnabled: 'enabled' } as const;

/** The form of a webhook. It saves what was changed, unless somebody else has saved since it was loaded. */
export function WebhookForm({ webhook, isReadOnly }: { webhook: WebhookRowFragment; isReadOnly: boolean }) {
  const t = useText(texts);
  const notify = useNotify();
  const { run, isRunning } = useMutate(WebhookSave);
  const draft = useDraft(valuesOf(webhook), webhook.version);
  const [errors, setErrors] = useState<UserError[]>([]);
  const [theirs, setTheirs] = useState<WebhookRowFragment>();
  const save = async (base: Values, version: number, values: Values) => {
    const { data, errors } = await run({
      input: { id: webhook.id, expectedVersion: version, ...changesOf(base, values) },
    });
    if (errors.some(({ code }) => code === 'STALE')) {
      const stored = await load(WebhookDetail, { id: webhook.id });
      if (stored?.node && 'url' in stored.node) setTheirs(stored.node as WebhookRowFragment);
      return;
    }
    setErrors(errors);
    setTheirs(undefined);
    const saved = data?.webhookUpdate?.webhook;
    if (saved && errors.length === 0) {
      draft.rebase(valuesOf(saved), saved.version, valuesOf(saved));
      notify.succeeded(t('saved', { name: saved.name }));
    } else if (errors.some(({ path }) => !path)) notify.failed(errors);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(draft.base, draft.version, draft.values);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={760}>
        {(['name', 'url'] as const).map((field) => (
          <TextInput
            key={field}
            label={t(field)}
            required
            readOnly={isReadOnly}
            value={draft.values[field]}
            error={messageFor(errors, field)}
            onChange={({ currentTarget: { value } }) => draft.set(field, value)}
          />
        ))}
        <Switch
          label={t('enabled')}
          disabled={isReadOnly}
          checked={draft.values.isEnabled}
          onChange={({ currentTarget: { checked } }) => draft.set('isEnabled', checked)}
        />
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={isRunning} disabled={!draft.isChanged}>
              {t('save')}
            </Button>
          </Group>
        )}
        {theirs && (
          <Conflict
            base={draft.base}
            mine={draft.values}
            theirs={valuesOf(theirs)}
            labelOf={(key) => t(labels[key as keyof Values])}
            isSaving={isRunning}
            onSave={(values) => save(valuesOf(theirs), theirs.version, values)}
            onDiscard={() => {
              draft.rebase(valuesOf(theirs), theirs.version, valuesOf(theirs));
              setTheirs(undefined);
            }}
            onClose={() => setTheirs(undefined)}
          />
        )}
      </Stack>
    </form>
  );
}
