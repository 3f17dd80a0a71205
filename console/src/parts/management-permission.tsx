import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { mutate, nodeOf, useLoad } from '../session/graphql.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ReviewButton } from './dialogs.js';
import { Status } from './display.js';
import { ManagementPermissionOf } from './documents.js';
import type { Tab } from './object-screen.js';
import { texts } from './texts.js';

interface PermittedObject {
  id: string;
  viewerCan: { updateManagementPermission: { isAllowed: boolean } };
}

interface ManagementPermissionProps {
  /** the ID of the object; that of a realm stands for all of its users */
  id: string;
  isAllowed: boolean;
}

/** The tab of an object with its fine-grained permissions. */
export const permissionTab = ({ id, viewerCan }: PermittedObject): Tab => [
  'permissions',
  texts.permissions,
  <ManagementPermission id={id} isAllowed={viewerCan.updateManagementPermission.isAllowed} />,
];

/** Enables and disables fine-grained permissions for an object, and lists them. */
export function ManagementPermission({ id, isAllowed }: ManagementPermissionProps) {
  const t = useText(texts);
  const loaded = useLoad(ManagementPermissionOf, { id });
  const node = nodeOf(loaded.data?.node);
  // without the field it would look as if there were no permissions
  if (loaded.error) return <Failure loaded={loaded} />;
  if (!node) return <Skeleton height={60} />;
  const scopes = node.managementPermission?.scopes.map(({ scopeName }) => scopeName);
  const isEnabled = scopes !== undefined;
  return (
    <Stack maw={760} gap="xs">
      <Text>{t('permissionsHint')}</Text>
      <Group>
        <Status isEnabled={isEnabled} />
        {isAllowed && (
          <ReviewButton
            title={t(isEnabled ? 'disablePermissions' : 'enablePermissions')}
            hint={t(isEnabled ? 'disablePermissionsHint' : 'enablePermissionsHint')}
            act={(options) => mutate('managementPermissionUpdate', { target: id, isEnabled: !isEnabled }, options)}
            done={t(isEnabled ? 'permissionsDisabled' : 'permissionsEnabled')}
            isDangerous={isEnabled}
            onDone={loaded.reload}
          />
        )}
      </Group>
      {scopes && <Text c="dimmed">{t('permissionScopes', { scopes: scopes.join(', ') })}</Text>}
    </Stack>
  );
}
