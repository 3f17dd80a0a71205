import { Switch } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useAct, useMove } from '../parts/act.js';
import { choiceField, nameField } from '../parts/fields.js';
import { ObjectList } from '../parts/rows.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';

/** The required actions: which the realm has, their names and order, which are enabled, and which new users have. */
export function Actions({ realm, reload }: AuthenticationPart) {
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
      nodes={nodes}
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
      reload={reload}
    />
  );
}
