import { Alert, Badge, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FormButton } from '../parts/dialogs.js';
import { choiceField, declaredFields, type FieldValues, nameField, settingInput } from '../parts/fields.js';
import { IconTransform } from '../parts/icons.js';
import { ObjectScreen, TabSet } from '../parts/object-screen.js';
import { ObjectList } from '../parts/rows.js';
import { SettingsForm } from '../parts/settings-form.js';
import type { LdapConnectionInput, LdapTest, LdapTrust } from '../session/documents.js';
import { mutate, type NodeOf, perform, useLive, useNode } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { useFormat, useText } from '../text/text.js';
import * as documents from './documents.js';
import { DirectoryDetail, type DirectoryDetailQuery } from './documents.js';
import { directorySections } from './ldap.js';
import { texts } from './texts.js';

type LoadedDirectory = NodeOf<DirectoryDetailQuery>;

/** What each tab of the screen gets. */
interface DirectoryPart {
  directory: LoadedDirectory;
  realm: NonNullable<DirectoryDetailQuery['realm']>;
  reload(): Promise<LoadedDirectory | undefined>;
}

/** A directory: its settings, synchronisations, and mappers. */
export function Directory() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/directories/$id' });
  const { loaded, node: directory, reload } = useNode(DirectoryDetail, { realm, id });
  const found = loaded.data?.realm;
  const part = directory && found && { directory, realm: found, reload };
  return (
    <ObjectScreen
      title={directory?.component.name ?? t('directory')}
      loaded={loaded}
      object={part}
      area={area.directories}
      remove={{
        isAllowed: directory?.component.viewerCan.delete.isAllowed,
        hint: t('removeHint'),
        act: (options) => mutate('componentDelete', { id: directory?.component.id ?? '' }, options),
      }}
    >
      {(part) => (
        <TabSet
          tabs={[
            ['settings', texts.settings, <DirectorySettings {...part} />],
            ['sync', texts.sync, <Synchronisation {...part} />],
            ['mappers', texts.mappers, <DirectoryMappers {...part} />],
          ]}
        />
      )}
    </ObjectScreen>
  );
}

function DirectorySettings({ directory, realm, reload }: DirectoryPart) {
  const t = useText(texts);
  const notify = useNotify();
  const { component } = directory;
  const type = realm.storageTypes?.find(({ providerId }) => providerId === component.providerId);
  const sections = directorySections(declaredFields(type?.properties ?? []));
  const test = async (kind: LdapTest, values: FieldValues) => {
    const { errors } = await mutate('userStorageTestConnection', {
      realm: realm.id,
      test: kind,
      connection: connectionOf(values, directory.id),
    });
    if (errors.length > 0) notify.failed(errors);
    else notify.succeeded(t('works'));
  };
  return (
    <SettingsForm
      nameOf={({ name, providerId }) => name ?? providerId}
      sections={sections}
      stored={component}
      save={({ settings, ...input }, options) =>
        mutate('componentUpdate', { ...input, settings: settingInput(settings) }, options)
      }
      reload={async () => (await reload())?.component}
      actions={(values) =>
        (directory.kind === 'ldap' ? (['CONNECTION', 'AUTHENTICATION'] as const) : []).map((kind) => (
          <Button key={kind} onClick={() => test(kind, values)}>
            {t(kind)}
          </Button>
        ))
      }
    />
  );
}

const trust: Record<string, LdapTrust> = { always: 'ALWAYS', never: 'NEVER' };

/** The connection that the values of the form describe. A password that was not typed is the stored one. */
function connectionOf(values: FieldValues, userStorage: string): LdapConnectionInput {
  const textOf = (name: string) => (values[`settings[${name}]`] as string | null) ?? null;
  const timeout = Number(textOf('connectionTimeout'));
  return {
    url: textOf('connectionUrl') ?? '',
    authentication: textOf('authType') === 'none' ? 'NONE' : 'SIMPLE',
    bindDn: textOf('bindDn'),
    bindCredential: textOf('bindCredential'),
    usesStartTls: values['settings[startTls]'] === true,
    trust: trust[textOf('useTruststoreSpi') ?? ''] ?? 'LDAPS_ONLY',
    connectionTimeout: timeout > 0 ? timeout : null,
    userStorage,
  };
}

const colors = { NEVER: 'gray', RUNNING: 'indigo', DONE: 'teal', FAILED: 'red', INTERRUPTED: 'yellow' } as const;

/** The present or last synchronisation of a directory, live, and what can be done with its users. */
function Synchronisation({ directory, reload }: DirectoryPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const notify = useNotify();
  const { id, viewerCan } = directory;
  const [running, setRunning] = useState<documents.UserSyncKind>();
  const [live] = useLive(documents.DirectoryProgress, { id }, (data) => data.userStorageSync, { most: 1 });
  const { status, done, total, added, updated, removed, failed, error, endedAt } = live ?? directory.sync;
  const synchronise = async (kind: documents.UserSyncKind) => {
    setRunning(kind);
    const { data, errors } = await perform(documents.DirectorySync, { id, kind });
    setRunning(undefined);
    if (errors.length > 0) notify.failed(errors);
    else notify.succeeded(t(data?.userStorageSync.result?.isIgnored ? 'ignored' : 'synchronised'));
    reload();
  };
  return (
    <Stack maw={760}>
      <Paper withBorder p="md" component="section" aria-label={t('sync')}>
        <Stack gap="xs" role="status">
          <Group>
            <Badge color={colors[status]}>{t(status)}</Badge>
            {endedAt && <Text c="dimmed">{t('ended', { time: moment(endedAt) })}</Text>}
          </Group>
          {status === 'RUNNING' && (
            <Progress
              value={total ? Math.min(100, (100 * done) / total) : 100}
              animated
              aria-label={t('read', { count: done })}
            />
          )}
          {status !== 'NEVER' && (
            <Text className="numbers">
              {t('read', { count: done })} · {t('counts', { added, updated, removed, failed })}
            </Text>
          )}
        </Stack>
        {error && (
          <Alert color="red" mt="sm">
            {error}
          </Alert>
        )}
      </Paper>
      <Group>
        {viewerCan.sync.isAllowed &&
          (['FULL', 'CHANGED'] as const).map((kind) => (
            <Button
              key={kind}
              variant={kind === 'FULL' ? 'filled' : 'default'}
              loading={running === kind}
              disabled={running !== undefined || status === 'RUNNING'}
              onClick={() => synchronise(kind)}
            >
              {t(kind)}
            </Button>
          ))}
        {viewerCan.unlinkUsers.isAllowed && (
          <FormButton
            title={t('unlink')}
            hint={t('unlinkHint')}
            isDangerous
            submit={() => mutate('userStorageUnlinkUsers', { id }, { reads: ['count'] })}
            done={(data) => t('affected', { count: data?.userStorageUnlinkUsers.count ?? 0 })}
          />
        )}
        {viewerCan.removeUsers.isAllowed && (
          <FormButton
            title={t('removeUsers')}
            hint={t('removeUsersHint')}
            isDangerous
            submit={() => mutate('userStorageRemoveUsers', { id }, { reads: ['count'] })}
            done={(data) => t('affected', { count: data?.userStorageRemoveUsers.count ?? 0 })}
          />
        )}
      </Group>
    </Stack>
  );
}

/** Mappers that have groups or roles to import. */
const importing = ['group-ldap-mapper', 'role-ldap-mapper'];

/** A mapper by its name, with the settings that its component has. */
const rowOf = (mapper: DirectoryPart['directory']['mappers'][number]) => ({
  ...mapper,
  name: mapper.name ?? mapper.kind,
  settings: mapper.component.settings,
});

/** The mappers of a directory. Those of groups and roles import them on demand. */
function DirectoryMappers({ directory, realm, reload }: DirectoryPart) {
  const t = useText(texts);
  const types = realm.mapperTypes ?? [];
  const choices = types.map(({ providerId }) => providerId);
  const fieldsOf = (kind: unknown) =>
    declaredFields(types.find(({ providerId }) => providerId === kind)?.properties ?? []);
  return (
    <ObjectList
      pages={wholeList(directory.mappers.map(rowOf), reload)}
      isAllowed={directory.component.viewerCan.update.isAllowed}
      icon={IconTransform}
      empty={{ title: t('noMappers'), hint: t('noMappersHint') }}
      describe={({ id, name, kind, settings, viewerCan }) => ({
        hint: settings
          .filter(({ name }) => name.endsWith('attribute') || name.endsWith('.dn'))
          .map((setting) => `${setting.name}: ${setting.values.join(', ')}`)
          .join(' · '),
        badges: [kind],
        actions: importing.includes(kind) && viewerCan.sync.isAllowed && (
          <FormButton
            title={t('toRealm', { name })}
            hint={t('toRealmHint')}
            button={{ size: 'compact-xs' }}
            submit={() => mutate('userStorageMapperSync', { id, direction: 'TO_REALM' })}
            done={() => t('synchronised')}
          />
        ),
      })}
      add={{
        title: t('addMapper'),
        fields: ({ providerId }) => [
          nameField,
          choiceField('providerId', texts.kind, choices),
          ...fieldsOf(providerId),
        ],
      }}
      create={({ settings, ...input }) =>
        mutate('componentCreate', {
          realm: realm.id,
          parent: directory.id,
          providerType: 'USER_STORAGE_MAPPER',
          providerId: '',
          ...input,
          settings: settingInput(settings),
        })
      }
      edit={{
        fields: ({ kind }) => fieldsOf(kind),
        save: ({ component }, { settings }, options) => {
          const input = { id: component.id, expectedVersion: component.version, settings: settingInput(settings) };
          return mutate('componentUpdate', input, options);
        },
      }}
      remove={({ component }, options) => mutate('componentDelete', { id: component.id }, options)}
    />
  );
}
