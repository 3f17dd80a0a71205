import { Group, Stack, Text } from '@mantine/core';
import { FormButton, ReviewButton } from '../parts/dialogs.js';
import { ManagementPermission } from '../parts/management-permission.js';
import { Revocation } from '../parts/revocation.js';
import { RowSection } from '../parts/rows.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import type { RealmSettingsQuery } from './documents.js';
import { texts } from './texts.js';

const caches = ['realmClearCache', 'realmClearUserCache', 'realmClearKeysCache'] as const;

interface MaintenanceProps {
  realm: NonNullable<RealmSettingsQuery['realm']>;
  reload(): unknown;
}

/** Revokes the tokens of a realm, and clears its caches and events. */
export function Maintenance({ realm: { id, tokens, viewerCan }, reload }: MaintenanceProps) {
  const t = useText(texts);
  const isAllowed = viewerCan.update.isAllowed;
  const clearable = [
    viewerCan.clearLoginEvents.isAllowed && ('realmClearLoginEvents' as const),
    viewerCan.clearAdminEvents.isAllowed && ('realmClearAdminEvents' as const),
  ].filter((name) => name !== false);
  return (
    <Stack maw={760}>
      <RowSection title={t('revocation')}>
        <Revocation
          notBefore={tokens?.notBefore}
          isAllowed={isAllowed}
          canPush={viewerCan.pushRevocation.isAllowed}
          set={(notBefore, options) => mutate('realmUpdate', { id, tokens: { notBefore } }, options)}
          push={() => mutate('realmPushRevocation', { id }, { reads: ['successRequests', 'failedRequests'] })}
          onDone={reload}
        />
      </RowSection>
      {isAllowed && (
        <RowSection title={t('caches')}>
          <Text>{t('cachesHint')}</Text>
          <Group gap="xs">
            {caches.map((name) => (
              <FormButton
                key={name}
                title={t(name)}
                hint={t('cachesHint')}
                submit={() => mutate(name, { id })}
                done={() => t('cacheCleared')}
              />
            ))}
          </Group>
        </RowSection>
      )}
      {clearable.length > 0 && (
        <RowSection title={t('events')}>
          <Group gap="xs">
            {clearable.map((name) => (
              <ReviewButton
                key={name}
                title={t(name)}
                hint={t(`${name}Hint`)}
                act={(options) => mutate(name, { id }, options)}
                done={t('eventsCleared')}
                isDangerous
              />
            ))}
          </Group>
        </RowSection>
      )}
      <RowSection title={t('userPermissions')}>
        <ManagementPermission id={id} isAllowed={viewerCan.updateManagementPermission.isAllowed} />
      </RowSection>
    </Stack>
  );
}
