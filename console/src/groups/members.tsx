import { Button, Group, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { List } from '../parts/list.js';
import { TargetSelect } from '../parts/target-select.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { GroupAddMembers, GroupMembers, GroupRemoveMembers } from './documents.js';
import { texts } from './text.js';

/** The members of a group, of which there may be any number. */
export function Members({ id, realm, isAllowed }: { id: string; realm: string; isAllowed: boolean }) {
  const t = useText(texts);
  const act = useAct();
  const navigate = useNavigate();
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const variables = useMemo(() => ({ id }), [id]);
  const pages = usePages(GroupMembers, variables, ({ node }) => nodeOf(node)?.members);
  const add = (ids: string[]) => mutate(GroupAddMembers, { id, ids });
  const remove = (ids: string[]) => mutate(GroupRemoveMembers, { id, ids });
  const count = selection.size;
  const removeSelected = async () => {
    const ids = [...selection];
    const isDone = await act(
      () => remove(ids),
      t('membersRemoved', { count }),
      () => add(ids),
    );
    if (isDone) setSelection(new Set());
  };
  return (
    <Stack>
      {isAllowed && (
        <Group align="flex-end">
          <TargetSelect
            kind="user"
            label={t('addMember')}
            realm={realm}
            value=""
            onChange={(user) =>
              user &&
              act(
                () => add([user]),
                t('memberAdded'),
                () => remove([user]),
              )
            }
          />
          {count > 0 && (
            <Button variant="default" onClick={removeSelected}>
              {t('removeMembers', { count })}
            </Button>
          )}
        </Group>
      )}
      <List
        label={t('members')}
        pages={pages}
        total={nodeOf(pages.data?.node)?.members?.totalCount}
        columns={[
          { key: 'username', title: t('username'), render: ({ username }) => username },
          { key: 'email', title: t('email'), width: 220, render: ({ email }) => email },
          { key: 'name', title: t('fullName'), render: ({ firstName, lastName }) => [firstName, lastName].join(' ') },
        ]}
        nameOf={({ username }) => username}
        {...(isAllowed && { selection, onSelect: setSelection })}
        onOpen={(user) => navigate({ to: '/$realm/users/$id', params: { realm, id: user.id } })}
        empty={<Empty icon={IconUsers} title={t('noMembers')} />}
      />
    </Stack>
  );
}
