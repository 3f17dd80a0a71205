import { Switch, TextInput } from '@mantine/core';
import { messageFor } from '../parts/draft.js';
import { StoredForm } from '../parts/stored-form.js';
import { load, mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { WebhookDetail, type WebhookRowFragment, WebhookSave } from './documents.js';
import { texts } from './text.js';

const storedOf = ({ name, url, isEnabled, version }: WebhookRowFragment) => ({
  values: { name, url, isEnabled },
  version,
});
type Values = ReturnType<typeof storedOf>['values'];
const labels = { name: 'name', url: 'url', isEnabled: 'enabled' } as const;

/** The form of a webhook. It saves what was changed, unless somebody else has saved since it was loaded. */
export function WebhookForm({ webhook, isReadOnly }: { webhook: WebhookRowFragment; isReadOnly: boolean }) {
  const t = useText(texts);
  return (
    <StoredForm<Values>
      {...storedOf(webhook)}
      isReadOnly={isReadOnly}
      areErrorsListed={false}
      savedText={({ name }) => t('saved', { name })}
      labelOf={(key) => t(labels[key as keyof Values])}
      save={async (changes, expectedVersion) => {
        const { data, errors } = await mutate(WebhookSave, { input: { id: webhook.id, expectedVersion, ...changes } });
        const saved = data?.webhookUpdate?.webhook;
        return { errors, stored: saved ? storedOf(saved) : undefined };
      }}
      load={async () => {
        const stored = await load(WebhookDetail, { id: webhook.id });
        return stored?.node && 'url' in stored.node ? storedOf(stored.node as WebhookRowFragment) : undefined;
      }}
    >
      {(values, set, errors) => (
        <>
          {(['name', 'url'] as const).map((field) => (
            <TextInput
              key={field}
              label={t(field)}
              required
              readOnly={isReadOnly}
              value={values[field]}
              error={messageFor(errors, field)}
              onChange={({ currentTarget: { value } }) => set(field, value as never)}
            />
          ))}
          <Switch
            label={t('enabled')}
            disabled={isReadOnly}
            checked={values.isEnabled}
            onChange={({ currentTarget: { checked } }) => set('isEnabled', checked as never)}
          />
        </>
      )}
    </StoredForm>
  );
}
