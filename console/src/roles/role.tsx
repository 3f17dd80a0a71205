import { Stack, Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ActionDialog } from '../parts/action-dialog.js';
import { AssignedRoles, roleLabel } from '../parts/assigned-roles.js';
import { NamedForm } from '../parts/named-form.js';
import { NotFound } from '../parts/not-found.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { nodeOf } from '../session/node.js';
import { useNotify } from '../shell/notify.js';
import { useMay } from '../shell/permissions.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import { RoleGraph } from './graph.js';
import { RoleGroupList, RoleUserList } from './holders.js';
import { texts } from './text.js';

/** Everything about one role, in tabs: what it is, what it contains, and who has it. */
export function Role() {
  const t = useText(texts);
  const notify = useNotify();
  const navigate = useNavigate();
  const { realm, id } = useParams({ from: '/$realm/roles/$id' });
  const may = useMay(realm);
  const loaded = useLoad(documents.RoleDetail, { id });
  const role = nodeOf(loaded.data?.node);
  const remove = async () => {
    const { errors } = await mutate(documents.RoleRemove, { id });
    if (errors.length === 0) {
      notify.succeeded(t('removed', { name: role?.name ?? '' }));
      navigate({ to: '/$realm/roles', params: { realm } });
    }
    return errors;
  };
  const parts = (['details', 'composites', 'users', 'groups'] as const).filter(
    (part) => (part !== 'users' || may('VIEW_USERS')) && (part !== 'groups' || may('QUERY_GROUPS')),
  );
  return (
    <Screen
      title={role ? roleLabel(role) : t('role')}
      loaded={loaded}
      actions={
        role?.viewerCan.delete.isAllowed && (
          <ActionDialog label={t('remove')} explanation={t('removeQuestion')} isDangerous onConfirm={remove} />
        )
      }
    >
      {() =>
        role ? (
          <Tabs key={id} defaultValue="details">
            <Tabs.List>
              {parts.map((part) => (
                <Tabs.Tab key={part} value={part}>
                  {t(part)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="details" pt="md">
              <NamedForm
                object={role}
                isReadOnly={!role.viewerCan.update.isAllowed}
                save={async (input) => {
                  const outcome = await mutate(documents.RoleSave, { input });
                  return { ...outcome, saved: outcome.data?.roleUpdate.role };
                }}
                load={async () => nodeOf((await load(documents.RoleStored, { id }))?.node)}
              />
            </Tabs.Panel>
            <Tabs.Panel value="composites" pt="md" keepMounted={false}>
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
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="users" pt="md" keepMounted={false}>
              <RoleUserList id={id} realm={realm} />
            </Tabs.Panel>
            <Tabs.Panel value="groups" pt="md" keepMounted={false}>
              <RoleGroupList id={id} realm={realm} />
            </Tabs.Panel>
          </Tabs>
        ) : (
          <NotFound />
        )
      }
    </Screen>
  );
}
