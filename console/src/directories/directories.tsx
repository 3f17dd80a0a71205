import { Badge } from '@mantine/core';
import { IconServer } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { FormDialog } from '../parts/form-dialog.js';
import { ListScreen } from '../parts/list-screen.js';
import { settingInput } from '../parts/provider-settings.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { asPages } from '../session/pages.js';
import { useFormat, useText } from '../text/text.js';
import { DirectoryAdd, DirectoryList } from './documents.js';
import { connectionFields, settingsOfVendor } from './ldap.js';
import { texts } from './text.js';

/** The directories of a realm, and a new LDAP directory. */
export function Directories() {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm } = useParams({ from: '/$realm' });
  const navigate = useNavigate();
  const loaded = useLoad(DirectoryList, { realm });
  const found = loaded.data?.realm;
  const open = (id: string) => navigate({ to: '/$realm/directories/$id', params: { realm, id } });
  return (
    <ListScreen
      title={t('title')}
      pages={asPages(loaded, found?.userStorages)}
      total={found?.userStorages?.length}
      icon={IconServer}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'name', title: t('name'), width: 200, render: ({ name, kind }) => name ?? kind },
        { key: 'kind', title: t('kind'), width: 120, render: ({ kind }) => kind },
        { key: 'editMode', title: t('editMode'), render: ({ editMode }) => editMode },
        {
          key: 'status',
          title: t('status'),
          width: 150,
          render: ({ isEnabled, isSynchronising, lastSync }) => (
            <Badge color={lastSync?.error ? 'red' : isEnabled ? 'teal' : 'gray'}>
              {t(isSynchronising ? 'RUNNING' : lastSync?.error ? 'FAILED' : isEnabled ? 'enabled' : 'disabled')}
            </Badge>
          ),
        },
        {
          key: 'lastSync',
          title: t('lastSync'),
          width: 220,
          render: ({ lastSync }) => (lastSync?.endedAt ? moment(lastSync.endedAt) : t('NEVER')),
        },
      ]}
      nameOf={({ name, kind }) => name ?? kind}
      onOpen={({ id }) => open(id)}
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan.createComponent.isAllowed,
        dialog: (onClose) => (
          <FormDialog
            title={t('create')}
            start={{ 'settings[vendor]': 'other', 'settings[editMode]': 'READ_ONLY' }}
            fields={[{ path: 'name', label: texts.name, isRequired: true }, ...connectionFields]}
            submit={({ settings, ...input }) => {
              const given = settingInput(settings);
              const vendor = given.find(({ name }) => name === 'vendor')?.values[0] ?? '';
              return mutate(DirectoryAdd, {
                input: {
                  realm: found?.id ?? '',
                  providerType: 'USER_STORAGE',
                  providerId: 'ldap',
                  ...input,
                  settings: [...settingsOfVendor(vendor), ...given],
                },
              });
            }}
            onDone={async (data) => {
              // the component that was created is a directory with an ID of its own
              const storages = (await load(DirectoryList, { realm }))?.realm?.userStorages;
              const made = storages?.find(({ uuid }) => uuid === data?.componentCreate.component?.uuid);
              if (made) open(made.id);
            }}
            onClose={onClose}
          />
        ),
      }}
    />
  );
}
