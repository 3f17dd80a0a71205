import { IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { Origin } from '../parts/cells.js';
import { RelationList } from '../parts/relation-list.js';
import { nodeOf } from '../session/node.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { RoleGroups, RoleUsers } from './documents.js';
import { texts } from './text.js';

/** The users who have a role, themselves or by something else that has it. */
export function RoleUserList({ id }: { id: string }) {
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
export function RoleGroupList({ id }: { id: string }) {
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
