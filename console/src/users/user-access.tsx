import { ActionIcon, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useFormat, useText } from '../text/text.js';
import { UserRevoke } from './documents.js';
import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** What a user has consented to, and its identities at identity providers. */
export function UserAccess({ user }: UserPart) {
  const t = useText(userTexts);
  const { moment } = useFormat();
  const act = useAct();
  return (
    <Stack maw={760}>
      <Title order={2} size="h4">
        {t('consents')}
      </Title>
      {user.consents.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noConsents')}
        </Text>
      )}
      {user.consents.map(({ clientId, client, grantedScopeNames, lastUpdatedAt }) => (
        <Paper key={clientId} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={600}>
                {clientId}
              </Text>
              <Text size="sm">{grantedScopeNames.join(', ')}</Text>
              <Text size="sm" c="dimmed">
                {moment(lastUpdatedAt)}
              </Text>
            </div>
            {client && user.viewerCan.revokeConsent.isAllowed && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('revoke', { name: clientId })}
                onClick={() =>
                  act(() => mutate(UserRevoke, { id: user.id, client: client.id }), t('revoke', { name: clientId }))
                }
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        </Paper>
      ))}
      <Title order={2} size="h4">
        {t('identities')}
      </Title>
      {user.federatedIdentities.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noIdentities')}
        </Text>
      )}
      {user.federatedIdentities.map(({ identityProviderAlias, userId, username }) => (
        <Paper key={identityProviderAlias} withBorder p="xs">
          <Text size="sm" fw={600}>
            {identityProviderAlias}
          </Text>
          <Text size="sm">{username ?? userId}</Text>
        </Paper>
      ))}
    </Stack>
  );
}
