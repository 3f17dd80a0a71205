import { Button } from '@mantine/core';
import { IconTransform } from '@tabler/icons-react';
import { choiceField, nameField } from '../parts/fields.js';
import { ObjectList } from '../parts/object-list.js';
import { declaredFields, settingInput } from '../parts/provider-settings.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';
import type { DirectoryPart } from './loaded-directory.js';
import { texts } from './text.js';

/** Mappers that have groups or roles to import. */
const importing = ['group-ldap-mapper', 'role-ldap-mapper'];

/** A mapper by its name, with the settings that its component has. */
const rowOf = (mapper: DirectoryPart['directory']['mappers'][number]) => ({
  ...mapper,
  name: mapper.name ?? mapper.kind,
  settings: mapper.component.settings,
});

/** The mappers of a directory. Those of groups and roles import them on demand. */
export function DirectoryMappers({ directory, realm, reload }: DirectoryPart) {
  const t = useText(texts);
  const act = useAct();
  const types = realm.mapperTypes ?? [];
  const fieldsOf = (kind: unknown) =>
    declaredFields(types.find(({ providerId }) => providerId === kind)?.properties ?? []);
  const toRealm = (id: string) => () => mutate('userStorageMapperSync', { id, direction: 'TO_REALM' });
  return (
    <ObjectList
      nodes={directory.mappers.map(rowOf)}
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
          <Button size="compact-xs" variant="default" onClick={() => act(toRealm(id), t('synchronised'))}>
            {t('toRealm', { name })}
          </Button>
        ),
      })}
      add={{
        title: t('addMapper'),
        fields: ({ providerId }) => [
          nameField,
          choiceField(
            'providerId',
            texts.kind,
            types.map((type) => type.providerId),
          ),
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
      reload={reload}
    />
  );
}
