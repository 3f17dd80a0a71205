import { Stack, Switch } from '@mantine/core';
import { Row } from '../parts/row.js';
import { Sortable } from '../parts/sortable.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ActionLower, ActionRaise, ActionSave } from './documents.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';
import { useMove } from './use-move.js';

/** The required actions: their order, which are enabled, and which new users have. */
export function Actions({ realm, reload }: AuthenticationPart) {
  const t = useText(texts);
  const act = useAct();
  const move = useMove(ActionRaise, ActionLower, reload);
  const nodes = realm.requiredActions?.edges.map(({ node }) => ({ ...node, name: node.name ?? node.alias })) ?? [];
  const isAllowed = realm.viewerCan.update.isAllowed;
  const set = (id: string, name: string, change: { isEnabled?: boolean; isDefault?: boolean }, before: typeof change) =>
    act(
      () => mutate(ActionSave, { input: { id, ...change } }),
      t('saved', { name }),
      () => mutate(ActionSave, { input: { id, ...before } }),
    );
  return (
    <Stack maw={760} gap="xs">
      <Sortable
        nodes={nodes}
        nameOf={({ name }) => name}
        isAllowed={isAllowed}
        onMove={({ id, name }, by) => move(id, name, by)}
      >
        {({ id, alias, name, isEnabled, isDefault }, buttons) => (
          <Row
            name={name}
            hint={alias}
            actions={
              <>
                <Switch
                  label={t('enabled')}
                  aria-label={`${name}: ${t('enabled')}`}
                  checked={isEnabled}
                  disabled={!isAllowed}
                  onChange={() => set(id, name, { isEnabled: !isEnabled }, { isEnabled })}
                />
                <Switch
                  label={t('default')}
                  aria-label={`${name}: ${t('default')}`}
                  checked={isDefault}
                  disabled={!isAllowed}
                  onChange={() => set(id, name, { isDefault: !isDefault }, { isDefault })}
                />
                {buttons}
              </>
            }
          />
        )}
      </Sortable>
    </Stack>
  );
}
