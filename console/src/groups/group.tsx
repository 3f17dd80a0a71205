import { Anchor, Badge, Breadcrumbs, Button, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Assignments, roleLabel } from '../parts/assignments.js';
import { ObjectLink } from '../parts/cells.js';
import { DetailScreen } from '../parts/detail-screen.js';
import { attributeSection, nameField } from '../parts/fields.js';
import { FormButton } from '../parts/form-dialog.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/mutate.js';
import { useNode } from '../session/node.js';
import { useText } from '../text/text.js';
import { GroupDetail } from './documents.js';
import type { GroupPart } from './loaded-group.js';
import { Members } from './members.js';
import { texts } from './text.js';

const sections = [{ title: texts.general, fields: [nameField] }, attributeSection];

/** Everything about one group, in tabs. */
export function Group() {
  const { id } = useParams({ from: '/$realm/groups/$id' });
  return (
    <DetailScreen
      shown={useNode(GroupDetail, { id })}
      kind={texts.group}
      nameOf={({ name }) => name}
      actions={(part) => <Actions {...part} />}
      removeHint={texts.removeQuestion}
      remove={(_, options) => mutate('groupDelete', { id }, options)}
      above={(part) => <Place {...part} />}
      form={{
        title: texts.details,
        sectionsOf: () => sections,
        isPreviewed: false,
        save: (input) => mutate('groupUpdate', input),
      }}
      tabs={(part) => [
        ['members', texts.members, <Members {...part} />],
        ['roles', texts.roles, <Roles {...part} />],
      ]}
    />
  );
}

/** The groups that contain a group, and whether new users join it. */
function Place({ node: group }: GroupPart) {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  return (
    <>
      <Breadcrumbs>
        <Anchor renderRoot={(props) => <Link to="/$realm/groups" params={{ realm }} {...props} />}>
          {t('groups')}
        </Anchor>
        {group.ancestors?.nodes.map(({ id, name }) => (
          <ObjectLink key={id} to="/$realm/groups/$id" id={id}>
            {name}
          </ObjectLink>
        ))}
      </Breadcrumbs>
      {group.isDefault && (
        <Text>
          <Badge color="indigo">{t('isDefault')}</Badge> {t('isDefaultHint')}
        </Text>
      )}
    </>
  );
}

function Roles({ node: { id, roles, viewerCan } }: GroupPart) {
  const t = useText(texts);
  return (
    <Assignments
      nodes={roles?.nodes ?? []}
      nameOf={(role) => roleLabel(role)}
      to="/$realm/roles/$id"
      kind="role"
      label={t('addRole')}
      empty={t('noRoles')}
      isAllowed={viewerCan.addRoles.isAllowed}
      add={(role) => mutate('groupAddRoles', { id, roles: [role] })}
      remove={(role) => mutate('groupRemoveRoles', { id, roles: [role] })}
    />
  );
}

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
          undo={() => move(parent?.id ?? root)}
        />
      )}
      {group.realm.viewerCan.update.isAllowed && (
        <Button variant="default" onClick={() => act(setDefault(!isDefault), defaultLabel, setDefault(isDefault))}>
          {defaultLabel}
        </Button>
      )}
    </>
  );
}
