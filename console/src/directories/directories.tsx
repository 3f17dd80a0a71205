import { Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Moment } from '../parts/display.js';
import { nameField, settingInput } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { load, perform, useLoad } from '../session/graphql.js';
import { asPages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText, useValueName } from '../text/text.js';
import { DirectoryAdd, DirectoryList } from './documents.js';
import { connectionFields, settingsOfVendor } from './ldap.js';
import { texts } from './text.js';

/** The directories of a realm, and a new LDAP directory. */
export function Directories() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const loaded = useLoad(DirectoryList, { realm });
  const found = loaded.data?.realm;
  const valueName = useValueName();
  return (
    <ListScreen
      area={area.directories}
      pages={asPages(loaded, found?.userStorages)}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'name', title: texts.name, width: 200, render: ({ name, kind }) => name ?? kind },
        { key: 'kind', title: texts.kind, width: 120, render: ({ kind }) => (kind === 'ldap' ? 'LDAP' : kind) },
        { key: 'editMode', title: texts.editMode, render: ({ editMode }) => editMode && valueName(editMode) },
        {
          key: 'status',
          title: texts.status,
          width: 150,
          render: ({ isEnabled, isSynchronising, lastSync }) => (
            <Badge color={lastSync?.error ? 'red' : isEnabled ? 'teal' : 'gray'}>
              {t(isSynchronising ? 'RUNNING' : lastSync?.error ? 'FAILED' : isEnabled ? 'enabled' : 'disabled')}
            </Badge>
          ),
        },
        {
          key: 'lastSync',
          title: texts.lastSync,
          width: 220,
          render: ({ lastSync }) => (lastSync?.endedAt ? <Moment time={lastSync.endedAt} /> : t('NEVER')),
        },
      ]}
      nameOf={({ name, kind }) => name ?? kind}
      to="/$realm/directories/$id"
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan.createComponent.isAllowed,
        start: { 'settings[vendor]': 'other', 'settings[editMode]': 'READ_ONLY' },
        fields: [nameField, ...connectionFields],
        submit: ({ settings, ...input }) => {
          const given = settingInput(settings);
          const vendor = given.find(({ name }) => name === 'vendor')?.values[0] ?? '';
          return perform(DirectoryAdd, {
            input: {
              realm: found?.id ?? '',
              providerType: 'USER_STORAGE',
              providerId: 'ldap',
              ...input,
              settings: [...settingsOfVendor(vendor), ...given],
            },
          });
        },
        // the component that was created is a directory with an ID of its own
        idOf: async (data) =>
          (await load(DirectoryList, { realm }))?.realm?.userStorages?.find(
            ({ uuid }) => uuid === data?.componentCreate.component?.uuid,
          )?.id,
      }}
    />
  );
}
