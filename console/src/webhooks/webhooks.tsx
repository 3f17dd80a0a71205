import { Badge } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FormDialog } from '../parts/form-dialog.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { WebhookAdd, WebhookList } from './documents.js';
import { Secret } from './secret.js';
import { texts } from './text.js';

/** The webhooks of a realm, and a new one for the events of the chosen kinds. */
export function Webhooks() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const variables = useMemo(() => ({ realm }), [realm]);
  const pages = usePages(WebhookList, variables, ({ realm: found }) => found?.webhooks);
  const found = pages.data?.realm;
  return (
    <ListScreen
      title={t('title')}
      pages={pages}
      total={found?.webhooks?.totalCount}
      icon={IconWebhook}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'name', title: t('name'), width: 200, render: ({ name }) => name },
        { key: 'url', title: t('url'), width: 320, render: ({ url }) => url },
        {
          key: 'status',
          title: t('status'),
          width: 200,
          render: ({ isEnabled, failures }) => (
            <Badge color={failures > 0 ? 'red' : isEnabled ? 'teal' : 'gray'}>
              {isEnabled && failures > 0 ? t('failing', { count: failures }) : t(isEnabled ? 'enabled' : 'disabled')}
            </Badge>
          ),
        },
      ]}
      nameOf={({ name }) => name}
      onOpen={({ id }) => navigate({ to: '/$realm/webhooks/$id', params: { realm, id } })}
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createWebhook.isAllowed,
        dialog: (onClose) => (
          <FormDialog
            title={t('create')}
            start={{ includesAdminEvents: true, includesLoginEvents: false }}
            fields={[
              { path: 'name', label: texts.name, isRequired: true },
              { path: 'url', label: texts.url, isRequired: true },
              { path: 'includesAdminEvents', label: texts.includesAdminEvents, kind: 'flag' },
              { path: 'includesLoginEvents', label: texts.includesLoginEvents, kind: 'flag' },
            ]}
            submit={(input) =>
              mutate(WebhookAdd, { input: { realm: found?.id ?? '', name: '', url: '', isEnabled: true, ...input } })
            }
            onDone={(data) => {
              setSecret(data?.webhookCreate.secret ?? undefined);
              pages.reload();
            }}
            onClose={onClose}
          />
        ),
      }}
    >
      {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </ListScreen>
  );
}
