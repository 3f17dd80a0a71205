import { Button, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../parts/form-dialog.js';
import { formTexts } from '../parts/form-text.js';
import { Review } from '../parts/review.js';
import { Row } from '../parts/row.js';
import { Sortable } from '../parts/sortable.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ActionAdd, ActionDelete, ActionLower, ActionRaise, ActionSave } from './documents.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';
import { useMove } from './use-move.js';

type Action = NonNullable<AuthenticationPart['realm']['requiredActions']>['edges'][number]['node'];

/** The required actions: which the realm has, their names and order, which are enabled, and which new users have. */
export function Actions({ realm, reload }: AuthenticationPart) {
  const t = useText(texts);
  const act = useAct();
  const move = useMove(ActionRaise, ActionLower, reload);
  const nodes = realm.requiredActions?.edges.map(({ node }) => ({ ...node, name: node.name ?? node.alias })) ?? [];
  const isAllowed = realm.viewerCan.update.isAllowed;
  const tForm = useText(formTexts);
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Action>();
  const [removed, setRemoved] = useState<Action>();
  const missing = realm.unregisteredRequiredActions ?? [];
  const set = (id: string, name: string, change: { isEnabled?: boolean; isDefault?: boolean }, before: typeof change) =>
    act(
      () => mutate(ActionSave, { input: { id, ...change } }),
      t('saved', { name }),
      () => mutate(ActionSave, { input: { id, ...before } }),
    );
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && missing.length > 0 && (
        <Button style={{ alignSelf: 'flex-start' }} onClick={() => setAdding(true)}>
          {t('addAction')}
        </Button>
      )}
      <Sortable
        nodes={nodes}
        nameOf={({ name }) => name}
        isAllowed={isAllowed}
        onMove={({ id, name }, by) => move(id, name, by)}
      >
        {({ name, ...action }, buttons) => {
          const { id, alias, isEnabled, isDefault } = action;
          return (
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
                  {isAllowed && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={tForm('edit', { name })}
                      onClick={() => setEdited({ ...action, name })}
                    >
                      …
                    </Button>
                  )}
                  {buttons}
                </>
              }
              onRemove={isAllowed && (() => setRemoved({ ...action, name }))}
            />
          );
        }}
      </Sortable>
      {isAdding && (
        <FormDialog
          title={t('addAction')}
          fields={[
            {
              path: 'providerId',
              label: texts.action,
              kind: 'choice',
              isRequired: true,
              choices: missing.map(({ providerId, name }) => ({ value: providerId, label: name })),
            },
          ]}
          submit={(input, options) => {
            const providerId = String(input.providerId);
            const name = missing.find((action) => action.providerId === providerId)?.name ?? null;
            return mutate(ActionAdd, { input: { realm: realm.id, providerId, name } }, options);
          }}
          onDone={reload}
          onClose={() => setAdding(false)}
        />
      )}
      {edited && (
        <FormDialog
          title={tForm('edit', { name: edited.name ?? edited.alias })}
          start={{ name: edited.name }}
          fields={[{ path: 'name', label: texts.name, isRequired: true }]}
          isPreviewed
          submit={(input, options) =>
            mutate(ActionSave, { input: { id: edited.id, expectedVersion: edited.version, ...input } }, options)
          }
          onDone={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <Review
          title={tForm('remove', { name: removed.name ?? removed.alias })}
          act={(options) => mutate(ActionDelete, { id: removed.id }, options)}
          done={tForm('removed', { name: removed.name ?? removed.alias })}
          isDangerous
          onDone={reload}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Stack>
  );
}
