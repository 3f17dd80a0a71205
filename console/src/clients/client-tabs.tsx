import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAct } from '../parts/act.js';
import { ReviewButton } from '../parts/dialogs.js';
import { CodeBlock, ObjectLink } from '../parts/display.js';
import { Assignments, Row, RowSection } from '../parts/rows.js';
import { SecretButton } from '../parts/secret-dialog.js';
import { TargetSelect } from '../parts/target-select.js';
import { mutate, type NodeOf, nodeOf, type Part, perform, useLoad } from '../session/graphql.js';
import { type Connection, joinPages, usePages } from '../session/pages.js';
import { Failure } from '../shell/screen.js';
import type { Text as Named } from '../text/text.js';
import { useFormat, useText, useTranslated } from '../text/text.js';
import * as documents from './documents.js';
import { texts } from './texts.js';

/** What each tab of the screen gets. */
export type ClientPart = Part<NodeOf<documents.ClientDetailQuery>>;

/** The secret of a client, its registration access token, and its service account. */
export function ClientCredentials({ node: client }: ClientPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const { id, kind, previousSecretExpiresAt, serviceAccountUser, viewerCan } = client;
  return (
    <Stack maw={760}>
      <Text>{t(kind === 'CONFIDENTIAL' ? 'hasSecret' : 'noSecret')}</Text>
      {kind === 'CONFIDENTIAL' && viewerCan.rotateSecret.isAllowed && (
        <SecretButton
          button={{ variant: 'filled' }}
          title={t('rotate')}
          hint={t('rotateHint')}
          isDangerous
          fields={[{ path: 'gracePeriod', label: texts.gracePeriod, kind: 'number' }]}
          submit={(input) => mutate('clientRotateSecret', { id, ...input }, { reads: ['secret'] })}
          secretIn={(data) => data.clientRotateSecret.secret}
          secretHint={t('secretHint')}
        />
      )}
      {previousSecretExpiresAt && (
        <Group>
          <Text>{t('previousUntil', { moment: moment(previousSecretExpiresAt) })}</Text>
          {viewerCan.revokePreviousSecret.isAllowed && (
            <ReviewButton
              title={t('revokePrevious')}
              hint={t('revokePreviousHint')}
              act={(options) => mutate('clientRevokePreviousSecret', { id }, options)}
              done={t('previousRevoked')}
              isDangerous
            />
          )}
        </Group>
      )}
      {viewerCan.rotateRegistrationToken.isAllowed && (
        <RowSection title={t('registrationToken')}>
          <Text>{t('registrationTokenHint')}</Text>
          <SecretButton
            title={t('newRegistrationToken')}
            hint={t('newRegistrationTokenHint')}
            isDangerous
            submit={() => mutate('clientRotateRegistrationToken', { id }, { reads: ['token'] })}
            secretIn={(data) => data.clientRotateRegistrationToken.token}
            secretTitle={t('registrationToken')}
            secretHint={t('shownOnce')}
          />
        </RowSection>
      )}
      <RowSection title={t('serviceAccount')}>
        {serviceAccountUser ? (
          <ObjectLink to="/$realm/users/$id" id={serviceAccountUser.id} underline="always">
            {serviceAccountUser.username}
          </ObjectLink>
        ) : (
          <Text>{t('noServiceAccount')}</Text>
        )}
      </RowSection>
    </Stack>
  );
}

/** Client scopes with how a client uses them. */
const usedAs = <Scope,>(use: documents.ClientScopeUse, list: Connection<Scope> | null | undefined) =>
  list && { ...list, nodes: list.nodes.map((node) => ({ ...node, use })) };

/** The client scopes of a client, and whether a login has each of them by default. */
export function ClientScopes({ node: client }: ClientPart) {
  const t = useText(texts);
  const act = useAct();
  const { id, protocol } = client;
  const isAllowed = client.viewerCan.addClientScope.isAllowed;
  const pages = joinPages(
    usePages(documents.ClientDefaultClientScopes, { id }, ({ node }) =>
      usedAs('DEFAULT', nodeOf(node)?.defaultClientScopes),
    ),
    usePages(documents.ClientOptionalClientScopes, { id }, ({ node }) =>
      usedAs('OPTIONAL', nodeOf(node)?.optionalClientScopes),
    ),
  );
  const move = (clientScope: string, use: documents.ClientScopeUse) => () =>
    perform(documents.ClientMoveScope, { id, clientScope, use });
  const toggle = ({ id: scope, name, use }: (typeof pages.nodes)[number]) => {
    const isDefault = use === 'DEFAULT';
    const moveTo = async (other: documents.ClientScopeUse) => {
      await act(move(scope, other), t('assigned', { name }), move(scope, use));
      pages.reload();
    };
    return (
      <Button
        size="compact-xs"
        aria-label={t(isDefault ? 'makeOptional' : 'makeDefault', { name })}
        onClick={() => moveTo(isDefault ? 'OPTIONAL' : 'DEFAULT')}
      >
        → {t(isDefault ? 'optional' : 'default')}
      </Button>
    );
  };
  return (
    <Assignments
      pages={pages}
      nameOf={({ name }) => name}
      describe={(scope) => ({
        badges: [t(scope.use === 'DEFAULT' ? 'default' : 'optional')],
        actions: isAllowed && toggle(scope),
      })}
      kind="clientScope"
      protocol={protocol}
      label={t('addScope')}
      empty={t('noneAssigned')}
      isAllowed={isAllowed}
      add={(clientScope, before) => mutate('clientAddClientScope', { id, clientScope, use: before?.use ?? 'DEFAULT' })}
      remove={(clientScope) => mutate('clientRemoveClientScope', { id, clientScope })}
    />
  );
}

/** The tokens that a login of a user would bring, and the mappers that make them. */
export function ClientToken({ node: client }: ClientPart) {
  const t = useText(texts);
  const [user, setUser] = useState('');
  const [text, setText] = useState('openid');
  const [scope] = useDebouncedValue(text, 300);
  const loaded = useLoad(documents.ClientTokenPreview, { id: client.id, user, scope }, { isPaused: user === '' });
  const evaluation = user ? nodeOf(loaded.data?.node)?.evaluateScopes : undefined;
  return (
    <Stack maw={900}>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TargetSelect kind="user" label={t('user')} value={user} onChange={setUser} />
        <TextInput label={t('scope')} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      </Group>
      {user === '' && <Text>{t('tokenHint')}</Text>}
      <Failure loaded={loaded} />
      {evaluation &&
        (['accessToken', 'idToken', 'userInfo'] as const).map((name) => (
          <RowSection key={name} title={t(name)}>
            <CodeBlock label={t(name)} text={JSON.stringify(evaluation[name], null, 2)} />
          </RowSection>
        ))}
      {evaluation && (
        <RowSection title={t('mappersInEffect')}>
          {evaluation.protocolMappers.map(({ name, clientScopeName }, at) => (
            <Row key={`${name} ${at}`} name={name} badges={[clientScopeName]} />
          ))}
        </RowSection>
      )}
    </Stack>
  );
}

const openIdConnect = ['KEYCLOAK_OIDC_KEYCLOAK_JSON', 'KEYCLOAK_OIDC_JBOSS_SUBSYSTEM_CLI'] as const;
const saml = ['SAML_SP_DESCRIPTOR', 'KEYCLOAK_SAML', 'KEYCLOAK_SAML_SUBSYSTEM_CLI'] as const;

const subsystem = texts.jbossSubsystemForItsCommandLine;

/** Names of the formats. */
const formatNames: Partial<Record<documents.ClientInstallationFormat, string | Named>> = {
  KEYCLOAK_OIDC_KEYCLOAK_JSON: 'keycloak.json',
  KEYCLOAK_OIDC_JBOSS_SUBSYSTEM_CLI: subsystem,
  SAML_SP_DESCRIPTOR: texts.metadataOfTheServiceProvider,
  KEYCLOAK_SAML: 'keycloak-saml.xml',
  KEYCLOAK_SAML_SUBSYSTEM_CLI: subsystem,
};

/** The configuration of the application, to be copied. */
export function ClientInstallation({ node: client }: ClientPart) {
  const t = useText(texts);
  const translate = useTranslated();
  const formats: readonly documents.ClientInstallationFormat[] = client.protocol === 'SAML' ? saml : openIdConnect;
  const [format, setFormat] = useState<documents.ClientInstallationFormat>(formats[0] ?? 'KEYCLOAK_OIDC_KEYCLOAK_JSON');
  const loaded = useLoad(documents.ClientSnippet, { id: client.id, format });
  const snippet = nodeOf(loaded.data?.node)?.installation;
  return (
    <Stack maw={900}>
      <Select
        label={t('format')}
        data={formats.map((value) => ({ value, label: translate(formatNames[value] ?? value) }))}
        allowDeselect={false}
        value={format}
        onChange={(value) => setFormat(value as documents.ClientInstallationFormat)}
      />
      <Failure loaded={loaded} />
      {snippet?.text && <CodeBlock label={snippet.filename} text={snippet.text} />}
    </Stack>
  );
}
