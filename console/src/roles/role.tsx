import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Assignments, roleLabel } from '../parts/assignments.js';
import { DetailScreen } from '../parts/detail-screen.js';
import { attributeSection, descriptionField, nameField } from '../parts/fields.js';
import { mutate } from '../session/mutate.js';
import { useNode } from '../session/node.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import { RoleDetail } from './documents.js';
import { RoleGraph } from './graph.js';
import { RoleGroupList, RoleUserList } from './holders.js';
import type { LoadedRole } from './layout.js';
import { texts } from './text.js';

const sections = [{ title: texts.general, fields: [nameField, descriptionField] }, attributeSection];

/** Everything about one role, in tabs: what it is, what it contains, and who has it. */
export function Role() {
  const { realm, id } = useParams({ from: '/$realm/roles/$id' });
  const may = useMay(realm);
  return (
    <DetailScreen
      shown={useNode(RoleDetail, { id })}
      kind={texts.role}
      nameOf={(role) => roleLabel(role)}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('roleDelete', { id }, options)}
      form={{
        title: texts.details,
        sectionsOf: () => sections,
        isPreviewed: false,
        save: (input) => mutate('roleUpdate', input),
      }}
      tabs={({ node }) => [
        ['composites', texts.composites, <Composites role={node} />],
        may('VIEW_USERS') && ['users', texts.users, <RoleUserList id={id} />],
        may('QUERY_GROUPS') && ['groups', texts.groups, <RoleGroupList id={id} />],
      ]}
    />
  );
}

function Composites({ role }: { role: LoadedRole }) {
  const t = useText(texts);
  const { id, composites, viewerCan } = role;
  return (
    <Stack>
      <RoleGraph role={role} />
      <Assignments
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
