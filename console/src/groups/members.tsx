import { Button, Group, Stack } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { RelationList } from '../parts/relation-list.js';
import { TargetSelect } from '../parts/target-select.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { GroupMembers } from './documents.js';
import type { GroupPart } from './loaded-group.js';
import { texts } from './text.js';

/** The members of a group, of which there may be any number. */
export function Members({ node: { id, viewerCan } }: GroupPart) {
  const t = useText(texts);
  const act = useAct();
  const isAllowed = viewerCan.addMembers.isAllowed;
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const pages = usePages(GroupMembers, { id }, ({ node }) => nodeOf(node)?.members);
  const add = (ids: string[]) => () => mutate('groupAddMembers', { id, users: ids });
  const remove = (ids: string[]) => () => mutate('groupRemoveMembers', { id, users: ids });
  const count = selection.size;
  const removeSelected = async () => {
    const ids = [...selection];
    if (await act(remove(ids), t('membersRemoved', { count }), add(ids))) setSelection(new Set());
  };
  return (
    <Stack>
      {isAllowed && (
        <Group align="flex-end">
          <TargetSelect
            kind="user"
            label={t('addMember')}
            value=""
            onChange={(user, name) => user && act(add([user]), t('added', { name }), remove([user]))}
          />
          {count > 0 && (
            <Button variant="default" onClick={removeSelected}>
              {t('removeMembers', { count })}
            </Button>
          )}
        </Group>
      )}
      <RelationList
        label={t('members')}
        pages={pages}
        columns={[
          { key: 'username', title: texts.username },
          { key: 'email', title: texts.email, width: 220 },
          { key: 'fullName', title: texts.name, render: ({ firstName, lastName }) => [firstName, lastName].join(' ') },
        ]}
        nameOf={({ username }) => username}
        {...(isAllowed && { selection, onSelect: setSelection })}
        to="/$realm/users/$id"
        icon={IconUsers}
        empty={t('noMembers')}
      />
    </Stack>
  );
}
