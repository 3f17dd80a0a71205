import { Anchor, Badge, Breadcrumbs, Button, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../parts/action-dialog.js';
import { AssignedRoles } from '../parts/assigned-roles.js';
import { NamedForm } from '../parts/named-form.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { TabSet } from '../parts/tab-set.js';
import { TargetSelect } from '../parts/target-select.js';
import { useAct } from '../parts/use-act.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { Members } from './members.js';
import { texts } from './text.js';

type LoadedGroup = Extract<NonNullable<documents.GroupDetailQuery['node']>, { id: string }>;

/** Everything about one group, in tabs. */
export function Group() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/groups/$id' });
  const loaded = useLoad(documents.GroupDetail, { id });
  const group = nodeOf(loaded.data?.node);
  const tab = (name: 'details' | 'members' | 'roles', content: ReactNode) => ({ name, title: t(name), content });
  return (
    <ObjectScreen
      title={group?.name ?? t('group')}
      loaded={loaded}
      object={group}
      actions={group && <Actions realm={realm} group={group} />}
      remove={{
        isAllowed: group?.viewerCan.delete.isAllowed,
        hint: t('removeQuestion'),
        act: (options) => mutate(documents.GroupRemove, { id }, options),
      }}
    >
      {(group) => (
        <>
          <Breadcrumbs>
            {[{ id: '', name: t('title') }, ...(group.ancestors?.edges ?? []).map(({ node }) => node)].map((place) => (
              <Anchor
                key={place.id}
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to={place.id ? '/$realm/groups/$id' : '/$realm/groups'}
                    params={{ realm, id: place.id }}
                    {...props}
                  />
                )}
              >
                {place.name}
              </Anchor>
            ))}
          </Breadcrumbs>
          {group.isDefault && (
            <Text size="sm">
              <Badge color="indigo">{t('isDefault')}</Badge> {t('isDefaultHint')}
            </Text>
          )}
          <TabSet
            key={id}
            tabs={[
              {
                ...tab(
                  'details',
                  <NamedForm
                    object={group}
                    isReadOnly={!group.viewerCan.update.isAllowed}
                    save={async (input) => {
                      const outcome = await mutate(documents.GroupSave, { input });
                      return { ...outcome, saved: outcome.data?.groupUpdate.group };
                    }}
                    load={async () => nodeOf((await load(documents.GroupStored, { id }))?.node)}
                  />,
                ),
                keepsMounted: true,
              },
              tab('members', <Members id={id} realm={realm} isAllowed={group.viewerCan.addMembers.isAllowed} />),
              tab(
                'roles',
                <AssignedRoles
                  realm={realm}
                  roles={group.roles?.edges.map(({ node }) => node) ?? []}
                  label={t('addRole')}
                  empty={t('noRoles')}
                  isAllowed={group.viewerCan.addRoles.isAllowed}
                  add={(ids) => mutate(documents.GroupAddRoles, { id, ids })}
                  remove={(ids) => mutate(documents.GroupRemoveRoles, { id, ids })}
                />,
              ),
            ]}
          />
        </>
      )}
    </ObjectScreen>
  );
}

/** What can be done with a group: create one in it, move it, make it a default one. */
function Actions({ realm, group }: { realm: string; group: LoadedGroup }) {
  const t = useText(texts);
  const act = useAct();
  const navigate = useNavigate();
  const [target, setTarget] = useState('');
  const { id, name, isDefault, viewerCan } = group;
  const setDefault = (isWanted: boolean) =>
    isWanted ? mutate(documents.GroupAddDefault, { id }) : mutate(documents.GroupRemoveDefault, { id });
  const move = (parent: string) => mutate(documents.GroupMove, { id, parent });
  const defaultLabel = t(isDefault ? 'removeDefault' : 'addDefault');
  return (
    <>
      {viewerCan.createGroup.isAllowed && (
        <ActionDialog
          label={t('createBelow')}
          field={t('name')}
          onConfirm={async (text) => {
            const { data, errors } = await mutate(documents.GroupAdd, { name: text, parent: id });
            const made = data?.groupCreate.group?.id;
            if (made) navigate({ to: '/$realm/groups/$id', params: { realm, id: made } });
            return errors;
          }}
        />
      )}
      {viewerCan.move.isAllowed && (
        <ActionDialog
          label={t('move')}
          explanation={t('moveHint')}
          onConfirm={async () => {
            const { errors } = await move(target || group.realm.id);
            if (errors.length === 0)
              act(
                async () => ({ data: undefined, errors }),
                t('moved', { name }),
                () => move(group.parent?.id ?? group.realm.id),
              );
            return errors;
          }}
        >
          <TargetSelect kind="group" label={t('group')} realm={realm} value={target} onChange={setTarget} />
        </ActionDialog>
      )}
      {group.realm.viewerCan.update.isAllowed && (
        <Button
          variant="default"
          onClick={() =>
            act(
              () => setDefault(!isDefault),
              defaultLabel,
              () => setDefault(isDefault),
            )
          }
        >
          {defaultLabel}
        </Button>
      )}
    </>
  );
}
