import { Badge, Button, Flex, Stack, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../parts/act.js';
import { defineAssignments, relatedPages } from '../parts/define-relation.js';
import { FormButton } from '../parts/dialogs.js';
import { ObjectLink } from '../parts/display.js';
import { attributeSection, nameField } from '../parts/fields.js';
import { IconUsers } from '../parts/icons.js';
import { RelationList } from '../parts/list.js';
import { permissionTab } from '../parts/management-permission.js';
import { DetailScreen } from '../parts/object-screen.js';
import { TargetSelect } from '../parts/target-select.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, type NodeOf, nodeOf, type Part, useNode } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { GroupDetail, type GroupDetailQuery, GroupMembers, GroupRoles } from './documents.js';
import { texts } from './texts.js';

/** What each tab of the screen gets. */
type GroupPart = Part<NodeOf<GroupDetailQuery>>;

const sections = [{ title: texts.general, fields: [nameField] }, attributeSection];

/** Everything about one group, in tabs. */
export function Group() {
  const { id } = useParams({ from: '/$realm/groups/$id' });
  return (
    <DetailScreen
      shown={useNode(GroupDetail, { id })}
      area={area.groups}
      kind={texts.group}
      nameOf={({ name }) => name}
      actions={(part) => <Actions {...part} />}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('groupDelete', { id }, options)}
      ancestors={(group) =>
        group.ancestors?.nodes.map(({ id, name }) => (
          <ObjectLink key={id} to="/$realm/groups/$id" id={id} fz="sm">
            {name}
          </ObjectLink>
        ))
      }
      above={(part) => <Default {...part} />}
      form={{
        title: texts.details,
        sections,
        isPreviewed: false,
        save: (input) => mutate('groupUpdate', input),
        help: 'groupUpdate',
      }}
      tabs={(part) => [
        ['members', texts.members, <Members {...part} />],
        ['roles', texts.roles, <Roles {...part} />],
        permissionTab(part.node),
      ]}
    />
  );
}

/** Whether new users join a group. */
function Default({ node: { isDefault } }: GroupPart) {
  const t = useText(texts);
  if (!isDefault) return null;
  return (
    <Text>
      <Badge color="indigo">{t('isDefault')}</Badge> {t('isDefaultHint')}
    </Text>
  );
}

const Roles = defineAssignments({
  pages: relatedPages(GroupRoles, ({ roles }) => roles),
  nameOf: (role) => roleLabel(role),
  kind: 'role',
  isOwner: true,
  label: texts.addRole,
  empty: texts.noRoles,
  isAllowed: ({ viewerCan }: GroupPart['node']) => viewerCan.addRoles.isAllowed,
  add: (id, role) => mutate('groupAddRoles', { id, roles: [role] }),
  remove: (id, role) => mutate('groupRemoveRoles', { id, roles: [role] }),
});

/** What can be done with a group: create one in it, move it, make it a default one. */
function Actions({ node: group }: GroupPart) {
  const t = useText(texts);
  const act = useAct();
  const navigate = useNavigate();
  const { realm } = useParams({ from: '/$realm' });
  const { id, name, isDefault, parent, viewerCan } = group;
  const root = group.realm.id;
  const setDefault = (isWanted: boolean) => () =>
    isWanted ? mutate('realmAddDefaultGroup', { group: id }) : mutate('realmRemoveDefaultGroup', { group: id });
  const move = (target: string) => mutate('groupMove', { id, parent: target });
  const defaultLabel = t(isDefault ? 'removeDefault' : 'addDefault');
  return (
    <>
      {viewerCan.createGroup.isAllowed && (
        <FormButton
          title={t('createBelow')}
          help="groupCreate"
          fields={[nameField]}
          submit={(input) => mutate('groupCreate', { name: String(input.name), parent: id })}
          onDone={(data) => {
            const made = data?.groupCreate.group?.id;
            if (made) navigate({ to: '/$realm/groups/$id', params: { realm, id: made } });
          }}
        />
      )}
      {viewerCan.move.isAllowed && (
        <FormButton
          title={t('move')}
          hint={t('moveHint')}
          fields={[{ path: 'parent', label: texts.group, kind: 'target', target: 'group' }]}
          submit={({ parent: target }) => move(String(target ?? root))}
          done={() => t('moved', { name })}
          undo={() => () => move(parent?.id ?? root)}
        />
      )}
      {group.realm.viewerCan.update.isAllowed && (
        <Button onClick={() => act(setDefault(!isDefault), defaultLabel, setDefault(isDefault))}>{defaultLabel}</Button>
      )}
    </>
  );
}

/** The members of a group, of which there may be any number. */
function Members({ node: { id, viewerCan } }: GroupPart) {
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
        <Flex align="flex-end" gap="md" wrap="wrap">
          <TargetSelect
            kind="user"
            label={t('addMember')}
            value=""
            onChange={(user, name) => user && act(add([user]), t('added', { name }), remove([user]))}
          />
          {count > 0 && <Button onClick={removeSelected}>{t('removeMembers', { count })}</Button>}
        </Flex>
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
