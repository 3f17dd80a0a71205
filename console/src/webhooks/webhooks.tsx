import { Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { flagField, nameField } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { WebhookList } from './documents.js';
import { texts } from './text.js';

const newWebhook = [
  nameField,
  { path: 'url', label: texts.url, isRequired: true },
  { ...flagField('includesAdminEvents', texts.includesAdminEvents), start: true },
  { ...flagField('includesLoginEvents', texts.includesLoginEvents), start: false },
];

/** The webhooks of a realm, and a new one for the events of the chosen kinds. */
export function Webhooks() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const pages = usePages(WebhookList, { realm }, ({ realm: found }) => found?.webhooks);
  const found = pages.data?.realm;
  return (
    <ListScreen
      area={area.webhooks}
      pages={pages}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'name', title: texts.name, width: 200 },
        { key: 'url', title: texts.url, width: 320 },
        {
          key: 'status',
          title: texts.status,
          width: 200,
          render: ({ isEnabled, failures }) => (
            <Badge color={failures > 0 ? 'red' : isEnabled ? 'teal' : 'gray'}>
              {isEnabled && failures > 0 ? t('failing', { count: failures }) : t(isEnabled ? 'enabled' : 'disabled')}
            </Badge>
          ),
        },
      ]}
      nameOf={({ name }) => name}
      to="/$realm/webhooks/$id"
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createWebhook.isAllowed,
        fields: newWebhook,
        submit: (input) =>
          mutate(
            'webhookCreate',
            { realm: found?.id ?? '', name: '', url: '', isEnabled: true, ...input },
            { reads: ['secret'] },
          ),
        secretOf: async (data) => data?.webhookCreate.secret,
        secretHint: t('secretHint'),
      }}
    />
  );
}
