import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Assignments, roleLabel } from '../parts/assignments.js';
import { attributeSection, descriptionField, nameField } from '../parts/fields.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { RoleGraph } from './graph.js';
import { RoleGroupList, RoleUserList } from './holders.js';
import type { LoadedRole } from './layout.js';
import { texts } from './text.js';

const sections = [{ title: texts.general, fields: [nameField, descriptionField] }, attributeSection];

/** Everything about one role, in tabs: what it is, what it contains, and who has it. */
export function Role() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/roles/$id' });
  const may = useMay(realm);
  const loaded = useLoad(documents.RoleDetail, { id });
  const role = nodeOf(loaded.data?.node);
  return (
    <ObjectScreen
      title={role ? roleLabel(role) : t('role')}
      loaded={loaded}
      object={role}
      remove={{
        isAllowed: role?.viewerCan.delete.isAllowed,
        hint: t('removeQuestion'),
        act: (options) => mutate('roleDelete', { id }, options),
      }}
    >
      {(role) => (
        <TabSet
          key={id}
          tabs={[
            ['details', texts.details, <Details role={role} />],
            ['composites', texts.composites, <Composites role={role} realm={realm} />],
            may('VIEW_USERS') && ['users', texts.users, <RoleUserList id={id} />],
            may('QUERY_GROUPS') && ['groups', texts.groups, <RoleGroupList id={id} />],
          ]}
        />
      )}
    </ObjectScreen>
  );
}

const Details = ({ role }: { role: LoadedRole }) => (
  <SettingsForm<documents.RoleFormFragment>
    nameOf={({ name }) => name}
    sections={sections}
    stored={role}
    isReadOnly={!role.viewerCan.update.isAllowed}
    isPreviewed={false}
    save={(input) => mutate('roleUpdate', input)}
    loadStored={async () => nodeOf((await load(documents.RoleStored, { id: role.id }))?.node)}
  />
);

function Composites({ role, realm }: { role: LoadedRole; realm: string }) {
  const t = useText(texts);
  const { id, composites, viewerCan } = role;
  return (
    <Stack>
      <RoleGraph role={role} />
      <Assignments
        realm={realm}
        nodes={composites?.nodes ?? []}
        nameOf={(role) => roleLabel(role)}
        to="/$realm/roles/$id"
        kind="role"
        label={t('addComposite')}
        empty={t('noComposites')}
        isAllowed={viewerCan.addComposites.isAllowed}
        add={(role) => mutate('roleAddComposites', { id, roles: [role] })}
        remove={(role) => mutate('roleRemoveComposites', { id, roles: [role] })}
      />
    </Stack>
  );
}
