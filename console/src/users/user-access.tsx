import { Stack } from '@mantine/core';
import { Moment } from '../parts/cells.js';
import { Row, RowSection } from '../parts/row.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';

import type { UserPart } from './loaded-user.js';
import { userTexts } from './user-text.js';

/** What a user has consented to, and its identities at identity providers. */
export function UserAccess({ node: user }: UserPart) {
  const t = useText(userTexts);
  const act = useAct();
  const canRevoke = user.viewerCan.revokeConsent.isAllowed;
  return (
    <Stack maw={760}>
      <RowSection title={t('consents')} empty={t('noConsents')}>
        {user.consents.map(({ clientId, client, grantedScopeNames, lastUpdatedAt }) => {
          const revoke = t('revoke', { name: clientId });
          return (
            <Row
              key={clientId}
              name={clientId}
              hint={
                <>
                  {grantedScopeNames.join(', ')} · <Moment time={lastUpdatedAt} />
                </>
              }
              onRemove={
                client &&
                canRevoke &&
                (() => act(() => mutate('userRevokeConsent', { id: user.id, client: client.id }), revoke))
              }
              removeLabel={revoke}
            />
          );
        })}
      </RowSection>
      <RowSection title={t('identities')} empty={t('noIdentities')}>
        {user.federatedIdentities.map(({ identityProviderAlias, userId, username }) => (
          <Row key={identityProviderAlias} name={identityProviderAlias} hint={username ?? userId} />
        ))}
      </RowSection>
    </Stack>
  );
}
