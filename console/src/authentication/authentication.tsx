import { Switch } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useAct, useMove } from '../parts/act.js';
import { choiceField, nameField } from '../parts/fields.js';
import { IconListCheck } from '../parts/icons.js';
import { ObjectScreen, TabSet } from '../parts/object-screen.js';
import { ObjectList } from '../parts/rows.js';
import { mutate, nodeOf, useLoad } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { Authentication as Document } from './documents.js';
import type { AuthenticationPart } from './flow-tasks.js';
import { Flows } from './flows.js';
import { PasswordPolicy } from './password-policy.js';
import { texts } from './texts.js';

/** How users log in: flows, required actions, and the password policy. */
export function Authentication() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { flow } = useSearch({ from: '/$realm/authentication' });
  const may = useMay(realm);
  const loaded = useLoad(Document, {
    realm,
    flow: flow ?? '',
    isChosen: flow !== undefined,
    viewsFlows: may('VIEW_FLOWS'),
    viewsActions: may('VIEW_REQUIRED_ACTIONS'),
    viewsRealm: may('VIEW_REALM'),
    viewsClients: may('VIEW_CLIENTS'),
    viewsProviders: may('VIEW_IDENTITY_PROVIDERS'),
  });
  const rules = loaded.data?.serverInfo?.passwordRules ?? [];
  const chosen = nodeOf(loaded.data?.node);
  return (
    <ObjectScreen title={t('title')} loaded={loaded} object={loaded.data?.realm}>
      {(realm) => {
        const part = { realm, rules, reload: loaded.reload };
        const shown = chosen ?? realm.flows?.browser;
        return (
          <TabSet
            tabs={[
              realm.authenticationFlows != null && ['flows', texts.flows, <Flows {...part} shown={shown} />],
              realm.requiredActions != null && ['actions', texts.actions, <Actions {...part} />],
              realm.login != null && ['policy', texts.policy, <PasswordPolicy {...part} />],
            ]}
          />
        );
      }}
    </ObjectScreen>
  );
}

/** The required actions: which the realm has, their names and order, which are enabled, and which new users have. */
function Actions({ realm, reload }: AuthenticationPart) {
  const t = useText(texts);
  const act = useAct();
  const move = useMove('requiredActionRaise', 'requiredActionLower', reload);
  const nodes = realm.requiredActions?.nodes.map((node) => ({ ...node, name: node.name ?? node.alias })) ?? [];
  const isAllowed = realm.viewerCan.update.isAllowed;
  const missing = realm.unregisteredRequiredActions ?? [];
  const set = (id: string, change: { isEnabled?: boolean; isDefault?: boolean }) => () =>
    mutate('requiredActionUpdate', { id, ...change });
  const switchOf = ({ id, name, ...action }: (typeof nodes)[number], flag: 'isEnabled' | 'isDefault') => {
    const label = t(flag === 'isEnabled' ? 'enabled' : 'default');
    const is = action[flag];
    return (
      <Switch
        label={label}
        aria-label={`${name}: ${label}`}
        checked={is}
        disabled={!isAllowed}
        onChange={() => act(set(id, { [flag]: !is }), t('saved', { name }), set(id, { [flag]: is }))}
      />
    );
  };
  const choices = missing.map(({ providerId, name }) => ({ value: providerId, label: name }));
  return (
    <ObjectList
      pages={wholeList(nodes, reload)}
      isAllowed={isAllowed}
      icon={IconListCheck}
      empty={{ title: t('noActions') }}
      describe={(action) => ({
        hint: action.alias,
        actions: (
          <>
            {switchOf(action, 'isEnabled')}
            {switchOf(action, 'isDefault')}
          </>
        ),
      })}
      add={
        missing.length > 0
          ? { title: t('addAction'), fields: [choiceField('providerId', texts.action, choices)] }
          : undefined
      }
      create={(input) => {
        const providerId = String(input.providerId);
        const name = missing.find((action) => action.providerId === providerId)?.name ?? null;
        return mutate('requiredActionCreate', { realm: realm.id, providerId, name });
      }}
      edit={{
        fields: () => [nameField],
        save: ({ id, version }, input, options) =>
          mutate('requiredActionUpdate', { id, expectedVersion: version, ...input }, options),
      }}
      remove={({ id }, options) => mutate('requiredActionDelete', { id }, options)}
      move={({ id, name }, by) => move(id, name, by)}
    />
  );
}
