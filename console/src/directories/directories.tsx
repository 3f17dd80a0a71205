import { Badge } from '@mantine/core';
import { defineList, pagesOf } from '../parts/define-list.js';
import { Moment } from '../parts/display.js';
import { nameField, settingInput } from '../parts/fields.js';
import { load, perform } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { DirectoryAdd, DirectoryList } from './documents.js';
import { connectionFields, settingsOfVendor } from './ldap.js';
import { texts } from './texts.js';

/** The directories of a realm, and a new LDAP directory. */
export const Directories = defineList({
  area: area.directories,
  pages: pagesOf(
    DirectoryList,
    ({ userStorages }) => userStorages,
    () => ({}),
  ),
  columns: [
    { key: 'name', title: texts.name, width: 190, render: ({ name, kind }) => name ?? kind },
    { key: 'kind', title: texts.kind, width: 90, render: ({ kind }) => (kind === 'ldap' ? 'LDAP' : kind) },
    {
      key: 'editMode',
      title: texts.editMode,
      render: ({ editMode }, { valueName }) => editMode && valueName(editMode),
    },
    {
      key: 'status',
      title: texts.status,
      width: 130,
      render: ({ isEnabled, isSynchronising, lastSync }, { translate }) => (
        <Badge color={lastSync?.error ? 'red' : isEnabled ? 'teal' : 'gray'}>
          {translate(
            texts[isSynchronising ? 'RUNNING' : lastSync?.error ? 'FAILED' : isEnabled ? 'enabled' : 'disabled'],
          )}
        </Badge>
      ),
    },
    {
      key: 'lastSync',
      title: texts.lastSync,
      width: 190,
      render: ({ lastSync }, { translate }) =>
        lastSync?.endedAt ? <Moment time={lastSync.endedAt} /> : translate(texts.NEVER),
    },
  ],
  nameOf: ({ name, kind }) => name ?? kind,
  empty: [texts.none, texts.noneHint],
  to: '/$realm/directories/$id',
  create: {
    title: texts.create,
    isAllowed: ({ viewerCan }) => viewerCan.createComponent.isAllowed,
    help: 'componentCreate',
    start: { 'settings[vendor]': 'other', 'settings[editMode]': 'READ_ONLY' },
    fields: [nameField, ...connectionFields],
    submit: (realm, { settings, ...input }) => {
      const given = settingInput(settings);
      const vendor = given.find(({ name }) => name === 'vendor')?.values[0] ?? '';
      return perform(DirectoryAdd, {
        input: {
          realm,
          providerType: 'USER_STORAGE',
          providerId: 'ldap',
          ...input,
          settings: [...settingsOfVendor(vendor), ...given],
        },
      });
    },
    // the component that was created is a directory with an ID of its own
    idOf: async (data, realm) =>
      (await load(DirectoryList, { realm }))?.realm?.userStorages?.find(
        ({ uuid }) => uuid === data?.componentCreate.component?.uuid,
      )?.id,
  },
});
