import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { defineAssignments, defineRelationList, relatedPages } from '../parts/define-relation.js';
import { Origin } from '../parts/display.js';
import { attributeSection, descriptionField, nameField } from '../parts/fields.js';
import { permissionTab } from '../parts/management-permission.js';
import { DetailScreen } from '../parts/object-screen.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, useNode } from '../session/graphql.js';
import { area, useMay } from '../shell/areas.js';
import { RoleComposites, RoleDetail, RoleGroups, RoleUsers } from './documents.js';
import { type LoadedRole, RoleGraph } from './graph.js';
import { texts } from './texts.js';

const sections = [{ title: texts.general, fields: [nameField, descriptionField] }, attributeSection];

/** Everything about one role, in tabs: what it is, what it contains, and who has it. */
export function Role() {
  const { realm, id } = useParams({ from: '/$realm/roles/$id' });
  const may = useMay(realm);
  // roles of any client may contain it
  const viewsParents = may('VIEW_REALM') && may('VIEW_CLIENTS');
  return (
    <DetailScreen
      shown={useNode(RoleDetail, { id, viewsParents })}
      area={area.roles}
      kind={texts.role}
      nameOf={(role) => roleLabel(role)}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('roleDelete', { id }, options)}
      form={{
        title: texts.details,
        sections,
        isPreviewed: false,
        save: (input) => mutate('roleUpdate', input),
        help: 'roleUpdate',
      }}
      tabs={({ node }) => [
        ['composites', texts.composites, <Composites node={node} />],
        may('VIEW_USERS') && ['users', texts.users, <RoleUserList node={node} />],
        may('QUERY_GROUPS') && ['groups', texts.groups, <RoleGroupList node={node} />],
        permissionTab(node),
      ]}
    />
  );
}

function Composites({ node }: { node: LoadedRole }) {
  return (
    <Stack>
      <RoleGraph role={node} />
      <ContainedRoles node={node} />
    </Stack>
  );
}

const ContainedRoles = defineAssignments({
  pages: relatedPages(RoleComposites, ({ composites }) => composites),
  nameOf: (role) => roleLabel(role),
  kind: 'role',
  label: texts.addComposite,
  empty: texts.noComposites,
  isAllowed: ({ viewerCan }: LoadedRole) => viewerCan.addComposites.isAllowed,
  add: (id, role) => mutate('roleAddComposites', { id, roles: [role] }),
  remove: (id, role) => mutate('roleRemoveComposites', { id, roles: [role] }),
});

/** The users who have a role, themselves or by something else that has it. */
const RoleUserList = defineRelationList({
  pages: relatedPages(
    RoleUsers,
    ({ effectiveUsers: users }) =>
      users && { ...users, nodes: users.edges.map(({ node, isDirect }) => ({ ...node, isDirect })) },
  ),
  kind: 'user',
  columns: [
    { key: 'username', title: texts.username },
    { key: 'email', title: texts.email, width: 220 },
    { key: 'origin', title: texts.origin, width: 120, render: ({ isDirect }) => <Origin isDirect={isDirect} /> },
  ],
  nameOf: ({ username }) => username,
  empty: texts.noUsers,
});

/** The groups that have a role. */
const RoleGroupList = defineRelationList({
  pages: relatedPages(RoleGroups, ({ groups }) => groups),
  kind: 'group',
  columns: [{ key: 'path', title: texts.path, width: 320 }],
  nameOf: ({ path }) => path,
  empty: texts.noGroups,
});
