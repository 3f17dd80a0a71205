import { Badge } from '@mantine/core';
import { IconUsers, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Empty } from '../parts/empty.js';
import { List } from '../parts/list.js';
import { nodeOf } from '../session/node.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { RoleGroups, RoleUsers, type RoleUsersQuery } from './documents.js';
import { texts } from './text.js';

interface HoldersProps {
  id: string;
  realm: string;
}

const usersOf = ({ node }: RoleUsersQuery) => nodeOf(node)?.effectiveUsers;

/** The users who have a role, themselves or by something else that has it. */
export function RoleUserList({ id, realm }: HoldersProps) {
  const t = useText(texts);
  const navigate = useNavigate();
  const variables = useMemo(() => ({ id }), [id]);
  const pages = usePages(RoleUsers, variables, (data) => {
    const users = usersOf(data);
    return users && { ...users, edges: users.edges.map(({ node, isDirect }) => ({ node: { ...node, isDirect } })) };
  });
  return (
    <List
      label={t('users')}
      pages={pages}
      total={pages.data && usersOf(pages.data)?.totalCount}
      columns={[
        { key: 'username', title: t('username'), render: ({ username }) => username },
        { key: 'email', title: t('email'), width: 220, render: ({ email }) => email },
        {
          key: 'origin',
          title: t('origin'),
          width: 120,
          render: ({ isDirect }) => (
            <Badge color={isDirect ? 'indigo' : 'gray'}>{t(isDirect ? 'direct' : 'inherited')}</Badge>
          ),
        },
      ]}
      nameOf={({ username }) => username}
      onOpen={(user) => navigate({ to: '/$realm/users/$id', params: { realm, id: user.id } })}
      empty={<Empty icon={IconUsers} title={t('noUsers')} />}
    />
  );
}

/** The groups that have a role. */
export function RoleGroupList({ id, realm }: HoldersProps) {
  const t = useText(texts);
  const navigate = useNavigate();
  const variables = useMemo(() => ({ id }), [id]);
  const pages = usePages(RoleGroups, variables, ({ node }) => nodeOf(node)?.groups);
  return (
    <List
      label={t('groups')}
      pages={pages}
      total={nodeOf(pages.data?.node)?.groups?.totalCount}
      columns={[{ key: 'path', title: t('path'), width: 320, render: ({ path }) => path }]}
      nameOf={({ path }) => path}
      onOpen={(group) => navigate({ to: '/$realm/groups/$id', params: { realm, id: group.id } })}
      empty={<Empty icon={IconUsersGroup} title={t('noGroups')} />}
    />
  );
}
