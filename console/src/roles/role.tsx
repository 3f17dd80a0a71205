import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AssignedRoles, roleLabel } from '../parts/assigned-roles.js';
import { NamedForm } from '../parts/named-form.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { TabSet } from '../parts/tab-set.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { RoleGraph } from './graph.js';
import { RoleGroupList, RoleUserList } from './holders.js';
import { texts } from './text.js';

/** Everything about one role, in tabs: what it is, what it contains, and who has it. */
export function Role() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/roles/$id' });
  const may = useMay(realm);
  const loaded = useLoad(documents.RoleDetail, { id });
  const role = nodeOf(loaded.data?.node);
  const tab = (name: 'details' | 'composites' | 'users' | 'groups', content: ReactNode) => ({
    name,
    title: t(name),
    content,
  });
  return (
    <ObjectScreen
      title={role ? roleLabel(role) : t('role')}
      loaded={loaded}
      object={role}
      remove={{
        isAllowed: role?.viewerCan.delete.isAllowed,
        hint: t('removeQuestion'),
        act: (options) => mutate(documents.RoleRemove, { id }, options),
      }}
    >
      {(role) => (
        <TabSet
          key={id}
          tabs={[
            {
              ...tab(
                'details',
                <NamedForm
                  object={role}
                  isReadOnly={!role.viewerCan.update.isAllowed}
                  save={async (input) => {
                    const outcome = await mutate(documents.RoleSave, { input });
                    return { ...outcome, saved: outcome.data?.roleUpdate.role };
                  }}
                  load={async () => nodeOf((await load(documents.RoleStored, { id }))?.node)}
                />,
              ),
              keepsMounted: true,
            },
            tab(
              'composites',
              <Stack>
                <RoleGraph realm={realm} role={role} />
                <AssignedRoles
                  realm={realm}
                  roles={role.composites?.edges.map(({ node }) => node) ?? []}
                  label={t('addComposite')}
                  empty={t('noComposites')}
                  isAllowed={role.viewerCan.addComposites.isAllowed}
                  add={(ids) => mutate(documents.RoleAddComposites, { id, ids })}
                  remove={(ids) => mutate(documents.RoleRemoveComposites, { id, ids })}
                />
              </Stack>,
            ),
            may('VIEW_USERS') && tab('users', <RoleUserList id={id} realm={realm} />),
            may('QUERY_GROUPS') && tab('groups', <RoleGroupList id={id} realm={realm} />),
          ]}
        />
      )}
    </ObjectScreen>
  );
}
