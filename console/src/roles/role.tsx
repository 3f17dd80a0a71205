import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Origin } from '../parts/display.js';
import { attributeSection, descriptionField, nameField } from '../parts/fields.js';
import { IconUsers, IconUsersGroup } from '../parts/icons.js';
import { RelationList } from '../parts/list.js';
import { permissionTab } from '../parts/management-permission.js';
import { DetailScreen } from '../parts/object-screen.js';
import { Assignments } from '../parts/rows.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, nodeOf, useNode } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
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
        ['composites', texts.composites, <Composites role={node} />],
        may('VIEW_USERS') && ['users', texts.users, <RoleUserList id={id} />],
        may('QUERY_GROUPS') && ['groups', texts.groups, <RoleGroupList id={id} />],
        permissionTab(node),
      ]}
    />
  );
}

function Composites({ role }: { role: LoadedRole }) {
  const t = useText(texts);
  const { id, viewerCan } = role;
  return (
    <Stack>
      <RoleGraph role={role} />
      <Assignments
        pages={usePages(RoleComposites, { id }, ({ node }) => nodeOf(node)?.composites)}
        nameOf={(role) => roleLabel(role)}
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

/** The users who have a role, themselves or by something else that has it. */
function RoleUserList({ id }: { id: string }) {
  const t = useText(texts);
  const pages = usePages(RoleUsers, { id }, ({ node }) => {
    const users = nodeOf(node)?.effectiveUsers;
    return users && { ...users, nodes: users.edges.map(({ node, isDirect }) => ({ ...node, isDirect })) };
  });
  return (
    <RelationList
      label={t('users')}
      pages={pages}
      columns={[
        { key: 'username', title: texts.username },
        { key: 'email', title: texts.email, width: 220 },
        { key: 'origin', title: texts.origin, width: 120, render: ({ isDirect }) => <Origin isDirect={isDirect} /> },
      ]}
      nameOf={({ username }) => username}
      to="/$realm/users/$id"
      icon={IconUsers}
      empty={t('noUsers')}
    />
  );
}

/** The groups that have a role. */
function RoleGroupList({ id }: { id: string }) {
  const t = useText(texts);
  return (
    <RelationList
      label={t('groups')}
      pages={usePages(RoleGroups, { id }, ({ node }) => nodeOf(node)?.groups)}
      columns={[{ key: 'path', title: texts.path, width: 320 }]}
      nameOf={({ path }) => path}
      to="/$realm/groups/$id"
      icon={IconUsersGroup}
      empty={t('noGroups')}
    />
  );
}
