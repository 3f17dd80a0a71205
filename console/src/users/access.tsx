import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { FormButton } from '../parts/dialogs.js';
import { Moment } from '../parts/display.js';
import { asNamed, choiceField, type FormField } from '../parts/fields.js';
import { PagedRows } from '../parts/paged-rows.js';
import { Row, RowSection } from '../parts/rows.js';
import { mutate, useLoad } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { LinkableProviders } from './documents.js';
import { texts } from './texts.js';
import type { UserPart } from './user-tabs.js';

/** The consents of a user, and its accounts at identity providers. */
export function Access({ node: user, reload }: UserPart) {
  const t = useText(texts);
  const canRevoke = user.viewerCan.revokeConsent.isAllowed;
  const canLink = user.viewerCan.addFederatedIdentity.isAllowed;
  const { id } = user;
  return (
    <Stack maw={760}>
      <RowSection title={t('consents')}>
        <PagedRows pages={wholeList(user.consents, reload)} empty={<Text c="dimmed">{t('noConsents')}</Text>}>
          {user.consents.map(({ clientId, client, grantedScopeNames, lastUpdatedAt }) => (
            <Row
              key={clientId}
              name={clientId}
              hint={
                <>
                  {grantedScopeNames.join(', ')} · <Moment time={lastUpdatedAt} />
                </>
              }
              remove={
                client &&
                canRevoke && {
                  title: t('revoke', { name: clientId }),
                  done: t('revoked', { name: clientId }),
                  act: (options) => mutate('userRevokeConsent', { id, client: client.id }, options),
                }
              }
            />
          ))}
        </PagedRows>
      </RowSection>
      <RowSection title={t('identities')}>
        {canLink && <LinkIdentity node={user} reload={reload} />}
        <PagedRows
          pages={wholeList(user.federatedIdentities, reload)}
          empty={<Text c="dimmed">{t('noIdentities')}</Text>}
        >
          {user.federatedIdentities.map(({ identityProviderAlias, userId, username }) => (
            <Row
              key={identityProviderAlias}
              name={identityProviderAlias}
              hint={username ?? userId}
              remove={
                canLink && {
                  title: t('unlink', { name: identityProviderAlias }),
                  done: t('unlinked', { name: identityProviderAlias }),
                  act: (options) => mutate('userRemoveFederatedIdentity', { id, identityProviderAlias }, options),
                  onDone: reload,
                }
              }
            />
          ))}
        </PagedRows>
      </RowSection>
    </Stack>
  );
}

/** Links a user with an account at an identity provider, whose alias is typed by those who may not view the providers. */
function LinkIdentity({ node: { id, federatedIdentities }, reload }: UserPart) {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const isPaused = !useMay(realm)('VIEW_IDENTITY_PROVIDERS');
  const providers = useLoad(LinkableProviders, { realm }, { isPaused }).data?.realm?.identityProviders;
  const linked = new Set(federatedIdentities.map(({ identityProviderAlias }) => identityProviderAlias));
  const free = providers?.nodes.map(({ alias }) => alias).filter((alias) => !linked.has(alias));
  if (providers?.nodes.length === 0) return <Text c="dimmed">{t('noProviders')}</Text>;
  if (free?.length === 0) return null;
  const fields: FormField[] = [
    { ...choiceField('identityProviderAlias', texts.provider, asNamed(free ?? [])), ...(!free && { kind: 'text' }) },
    { path: 'userId', label: texts.theirId, isRequired: true },
    { path: 'username', label: texts.theirName },
  ];
  return (
    <FormButton
      title={t('link')}
      hint={t('linkHint')}
      fields={fields}
      submit={(input) => mutate('userAddFederatedIdentity', { id, identityProviderAlias: '', userId: '', ...input })}
      done={(_, { identityProviderAlias: name }) => t('linked', { name: String(name) })}
      onDone={reload}
    />
  );
}
