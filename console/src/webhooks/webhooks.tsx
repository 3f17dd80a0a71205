import { Badge } from '@mantine/core';
import { defineList, pagesOf } from '../parts/define-list.js';
import { flagField, nameField } from '../parts/fields.js';
import { mutate } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { RealmWebhooks } from './documents.js';
import { texts } from './texts.js';

/** The webhooks of a realm, and a new one for the events of the chosen kinds. */
export const Webhooks = defineList({
  area: area.webhooks,
  pages: pagesOf(
    RealmWebhooks,
    ({ webhooks }) => webhooks,
    () => ({}),
  ),
  columns: [
    { key: 'name', title: texts.name, width: 200 },
    { key: 'url', title: texts.url, width: 320 },
    {
      key: 'status',
      title: texts.status,
      width: 200,
      render: ({ isEnabled, failures }, { translate }) => (
        <Badge color={failures > 0 ? 'red' : isEnabled ? 'teal' : 'gray'}>
          {isEnabled && failures > 0
            ? translate(texts.failing, { count: failures })
            : translate(isEnabled ? texts.enabled : texts.disabled)}
        </Badge>
      ),
    },
  ],
  nameOf: ({ name }) => name,
  empty: [texts.none, texts.noneHint],
  to: '/$realm/webhooks/$id',
  create: {
    title: texts.create,
    isAllowed: ({ viewerCan }) => viewerCan?.createWebhook.isAllowed,
    help: 'webhookCreate',
    fields: [
      nameField,
      { path: 'url', label: texts.url, isRequired: true },
      { ...flagField('includesAdminEvents', texts.includesAdminEvents), start: true },
      { ...flagField('includesLoginEvents', texts.includesLoginEvents), start: false },
    ],
    submit: (realm, input) =>
      mutate('webhookCreate', { realm, name: '', url: '', isEnabled: true, ...input }, { reads: ['secret'] }),
    secretOf: async (data) => data?.webhookCreate.secret,
    secretHint: texts.secretHint,
  },
});
