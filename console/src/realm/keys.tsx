import { Accordion, Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ReviewButton } from '../parts/dialogs.js';
import { CodeBlock } from '../parts/display.js';
import { choiceField, settingInput } from '../parts/fields.js';
import { IconKey } from '../parts/icons.js';
import { ObjectList, RowSection } from '../parts/rows.js';
import { mutate, perform, useLoad } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { Failure } from '../shell/screen.js';
import { useFormat, useText, useValueName } from '../text/text.js';
import { KeyRotate, RealmKeys, type RealmKeysQuery } from './documents.js';
import { canRotate, type KeyType, keyFields, nextKey, passive } from './key-settings.js';
import { texts } from './texts.js';

type LoadedKeys = NonNullable<RealmKeysQuery['realm']>;

/** The keys of a realm, and the components that provide them: they are added, rotated, changed, and deleted. */
export function Keys() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const loaded = useLoad(RealmKeys, { realm });
  const found = loaded.data?.realm;
  if (!found) return <Failure loaded={loaded} />;
  return (
    <Stack maw={760}>
      <RowSection title={t('keyProviders')}>
        <KeyProviders realm={found} reload={loaded.reload} />
      </RowSection>
      <RowSection title={t('keys')}>
        <KeyList keys={found.keys ?? []} />
      </RowSection>
    </Stack>
  );
}

/** The components that provide the keys of a realm. */
function KeyProviders({ realm, reload }: { realm: LoadedKeys; reload(): unknown }) {
  const t = useText(texts);
  const valueName = useValueName();
  const isAllowed = realm.viewerCan.update.isAllowed;
  const types = realm.componentTypes ?? [];
  const typeOf = (id: unknown): KeyType | undefined => types.find(({ providerId }) => providerId === id);
  const nodes = realm.components?.nodes.map((node) => ({ ...node, name: node.name ?? node.providerId })) ?? [];
  const rotation = (node: (typeof nodes)[number], type: KeyType) => (
    <ReviewButton
      title={t('rotateKey', { name: node.name })}
      button={{ label: t('rotate'), size: 'compact-xs' }}
      hint={t('rotateKeyHint')}
      apply={t('rotate')}
      act={(options) =>
        perform(KeyRotate, { next: nextKey(realm.id, node, type, nodes), last: passive(node) }, options)
      }
      done={t('rotated', { name: node.name })}
      onDone={reload}
    />
  );
  return (
    <ObjectList
      pages={wholeList(nodes, reload)}
      isAllowed={isAllowed}
      icon={IconKey}
      empty={{ title: t('noKeys') }}
      describe={(node) => {
        const keys = realm.keys?.filter(({ componentUuid }) => componentUuid === node.uuid) ?? [];
        const type = typeOf(node.providerId);
        return {
          hint: [node.providerId, ...keys.map(({ priority }) => t('priority', { priority }))].join(' · '),
          badges: keys.flatMap(({ algorithm, status }) => [algorithm, valueName(status)]),
          actions: isAllowed && type && canRotate(node) && rotation(node, type),
        };
      }}
      add={{
        title: t('addKey'),
        fields: ({ providerId }) => [
          choiceField(
            'providerId',
            texts.keyProvider,
            types.map(({ providerId }) => providerId),
          ),
          ...keyFields(typeOf(providerId)),
        ],
      }}
      create={({ providerId, settings }) =>
        mutate('componentCreate', {
          realm: realm.id,
          providerType: 'KEY_PROVIDER',
          providerId: String(providerId),
          name: String(providerId),
          settings: settingInput(settings),
        })
      }
      edit={{
        fields: ({ providerId }) => keyFields(typeOf(providerId)),
        save: ({ id, version }, { settings }, options) =>
          mutate('componentUpdate', { id, expectedVersion: version, settings: settingInput(settings) }, options),
      }}
      removeHint={t('keyRemoveHint')}
      remove={({ id }, options) => mutate('componentDelete', { id }, options)}
    />
  );
}

/** The keys of a realm, with what others need of them: public keys and certificates. */
function KeyList({ keys }: { keys: NonNullable<LoadedKeys['keys']> }) {
  const t = useText(texts);
  const format = useFormat();
  const nameOf = useValueName();
  return (
    <Accordion variant="separated">
      {keys.map(({ kid, type, use, algorithm, status, priority, publicKey, certificate, certificateExpiresAt }) => (
        <Accordion.Item key={kid} value={kid}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600}>{algorithm}</Text>
              <Badge color={status === 'ACTIVE' ? 'teal' : 'gray'}>{nameOf(status)}</Badge>
              <Badge>{`${type} ${use}`}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{kid}</Code>
              <Text>
                {t('priority', { priority })}
                {certificateExpiresAt && ` · ${t('expires', { moment: format.moment(certificateExpiresAt) })}`}
              </Text>
              {publicKey && <CodeBlock label={t('publicKey')} text={publicKey} />}
              {certificate && <CodeBlock label={t('certificate')} text={certificate} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
