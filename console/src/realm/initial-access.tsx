import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Empty } from '../parts/display.js';
import type { FormField } from '../parts/fields.js';
import { IconKey } from '../parts/icons.js';
import { PagedRows } from '../parts/paged-rows.js';
import { Row } from '../parts/rows.js';
import { SecretButton } from '../parts/secret-dialog.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useFormat, useText } from '../text/text.js';
import { RealmClientInitialAccesses } from './documents.js';
import { texts } from './texts.js';

const fields: readonly FormField[] = [
  { path: 'count', label: texts.tokenUses, kind: 'number', start: 1 },
  { path: 'lifespan', label: texts.tokenLifespan, kind: 'seconds', start: 86_400 },
];

/** The tokens with which clients register themselves. */
export function InitialAccess() {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm } = useParams({ from: '/$realm' });
  const pages = usePages(RealmClientInitialAccesses, { realm }, (data) => data.realm?.clientInitialAccesses);
  const found = pages.data?.realm;
  return (
    <Stack maw={760} gap="xs">
      <Text>{t('initialAccessHint')}</Text>
      {found?.viewerCan?.createClientInitialAccess.isAllowed && (
        <SecretButton
          title={t('createToken')}
          button={{ variant: 'filled' }}
          fields={fields}
          submit={(input) => mutate('clientInitialAccessCreate', { realm: found.id, ...input }, { reads: ['token'] })}
          secretIn={(data) => data.clientInitialAccessCreate.token}
          secretTitle={t('token')}
          secretHint={t('tokenHint')}
          onDone={pages.reload}
        />
      )}
      <PagedRows pages={pages} empty={<Empty icon={IconKey} title={t('noTokens')} />}>
        {pages.nodes.map(({ id, createdAt, expiresAt, count, remainingCount, viewerCan }) => (
          <Row
            key={id}
            name={t('tokenOf', { moment: moment(createdAt) })}
            hint={[
              t('usesLeft', { left: remainingCount, count }),
              expiresAt && t('expiresAt', { moment: moment(expiresAt) }),
            ]
              .filter(Boolean)
              .join(' · ')}
            remove={
              viewerCan.delete.isAllowed && {
                hint: t('tokenRemoveHint'),
                act: (options) => mutate('clientInitialAccessDelete', { id }, options),
                onDone: pages.reload,
              }
            }
          />
        ))}
      </PagedRows>
    </Stack>
  );
}
