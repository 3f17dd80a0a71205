import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { FieldValues } from '../parts/fields.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { declaredFields, settingInput } from '../parts/provider-settings.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { useAct } from '../parts/use-act.js';
import type { LdapConnectionInput, LdapTest, LdapTrust } from '../session/documents.js';
import { mutate } from '../session/mutate.js';
import { useNode } from '../session/node.js';
import { useText } from '../text/text.js';
import { DirectoryDetail } from './documents.js';
import { directorySections } from './ldap.js';
import type { DirectoryPart } from './loaded-directory.js';
import { DirectoryMappers } from './mappers.js';
import { Synchronisation } from './synchronisation.js';
import { texts } from './text.js';

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
  const act = useAct();
  const { component } = directory;
  const type = realm.storageTypes?.find(({ providerId }) => providerId === component.providerId);
  const sections = directorySections(declaredFields(type?.properties ?? []));
  const test = (kind: LdapTest, values: FieldValues) => () =>
    mutate('userStorageTestConnection', {
      realm: realm.id,
      test: kind,
      connection: connectionOf(values, directory.id),
    });
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
          <Button key={kind} variant="default" onClick={() => act(test(kind, values), t('works'))}>
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
