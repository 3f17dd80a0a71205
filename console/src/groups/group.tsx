import { Anchor, Badge, Breadcrumbs, Button, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Assignments, roleLabel } from '../parts/assignments.js';
import { ObjectLink } from '../parts/cells.js';
import { attributeSection, nameField } from '../parts/fields.js';
import { FormButton } from '../parts/form-dialog.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { useAct } from '../parts/use-act.js';
import { load, useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { Members } from './members.js';
import { texts } from './text.js';

interface GroupPart {
  group: Extract<NonNullable<documents.GroupDetailQuery['node']>, { id: string }>;
  realm: string;
}

const sections = [{ title: texts.general, fields: [nameField] }, attributeSection];

/** Everything about one group, in tabs. */
export function Group() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/groups/$id' });
  const loaded = useLoad(documents.GroupDetail, { id });
  const group = nodeOf(loaded.data?.node);
  return (
    <ObjectScreen
      title={group?.name ?? t('group')}
      loaded={loaded}
      object={group}
      actions={group && <Actions realm={realm} group={group} />}
      remove={{
        isAllowed: group?.viewerCan.delete.isAllowed,
        hint: t('removeQuestion'),
        act: (options) => mutate('groupDelete', { id }, options),
      }}
    >
      {(group) => (
        <>
          <Breadcrumbs>
            <Anchor renderRoot={(props) => <Link to="/$realm/groups" params={{ realm }} {...props} />}>
              {t('groups')}
            </Anchor>
            {group.ancestors?.nodes.map(({ id: ancestor, name }) => (
              <ObjectLink key={ancestor} to="/$realm/groups/$id" id={ancestor}>
                {name}
              </ObjectLink>
            ))}
          </Breadcrumbs>
          {group.isDefault && (
            <Text>
              <Badge color="indigo">{t('isDefault')}</Badge> {t('isDefaultHint')}
            </Text>
          )}
          <TabSet
            key={id}
            tabs={[
              ['details', texts.details, <Details realm={realm} group={group} />],
              [
                'members',
                texts.members,
                <Members id={id} realm={realm} isAllowed={group.viewerCan.addMembers.isAllowed} />,
              ],
              ['roles', texts.roles, <Roles realm={realm} group={group} />],
            ]}
          />
        </>
      )}
    </ObjectScreen>
  );
}

const Details = ({ group }: GroupPart) => (
  <SettingsForm<documents.GroupFormFragment>
    nameOf={({ name }) => name}
    sections={sections}
    stored={group}
    isReadOnly={!group.viewerCan.update.isAllowed}
    isPreviewed={false}
    save={(input) => mutate('groupUpdate', input)}
    loadStored={async () => nodeOf((await load(documents.GroupStored, { id: group.id }))?.node)}
  />
);

function Roles({ group: { id, roles, viewerCan }, realm }: GroupPart) {
  const t = useText(texts);
  return (
    <Assignments
      realm={realm}
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
function Actions({ realm, group }: GroupPart) {
  const t = useText(texts);
  const act = useAct();
  const navigate = useNavigate();
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
          fields={[{ path: 'parent', label: texts.group, kind: 'target', target: { kind: 'group', realm } }]}
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
