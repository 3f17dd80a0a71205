import { Badge, Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { type Column, List } from '../parts/list.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { CreateWebhook } from './create-webhook.js';
import { WebhookList, type WebhookRowFragment } from './documents.js';
import { Secret } from './secret.js';
import { texts } from './text.js';

/** The webhooks of a realm. */
export function Webhooks() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const variables = useMemo(() => ({ realm }), [realm]);
  const pages = usePages(WebhookList, variables, ({ realm: found }) => found?.webhooks);
  const columns: Column<WebhookRowFragment, never>[] = [
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
  ];
  return (
    <Screen
      title={t('title')}
      loaded={pages}
      actions={
        pages.data?.realm?.viewerCan?.createWebhook.isAllowed && (
          <Button onClick={() => setCreating(true)}>{t('create')}</Button>
        )
      }
    >
      {({ realm: found }) =>
        found && (
          <>
            <List<WebhookRowFragment, never>
              label={t('title')}
              pages={pages}
              total={found.webhooks?.totalCount}
              columns={columns}
              nameOf={({ name }) => name}
              onOpen={({ id }) => navigate({ to: '/$realm/webhooks/$id', params: { realm, id } })}
              empty={
                <Empty icon={IconWebhook} title={t('none')}>
                  {t('noneHint')}
                </Empty>
              }
            />
            {isCreating && (
              <CreateWebhook
                realmId={found.id}
                onClose={() => setCreating(false)}
                onCreated={(made) => {
                  setCreating(false);
                  setSecret(made);
                  pages.reload();
                }}
              />
            )}
            {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
          </>
        )
      }
    </Screen>
  );
}
