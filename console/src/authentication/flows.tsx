import { Alert, Badge, Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../parts/form-dialog.js';
import { type Act, Review } from '../parts/review.js';
import { Row } from '../parts/row.js';
import { Sortable } from '../parts/sortable.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import {
  ExecutionAdd,
  ExecutionDelete,
  type ExecutionFragment,
  ExecutionLower,
  ExecutionRaise,
  type ExecutionRequirement,
  ExecutionSave,
  FlowCopy,
  FlowDelete,
} from './documents.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';
import { useMove } from './use-move.js';

/** A flow in the tree. Those at the fourth level are shown without theirs. */
interface Flow {
  id: string;
  alias: string;
  executions: (ExecutionFragment & { subflow?: Flow | null })[];
}

/** An action that is shown before it is performed. */
interface Asked {
  title: string;
  act: Act;
}

/** The flows of a realm: one is shown as a tree, whose executions are moved by drag and drop. */
export function Flows({ realm, reload }: AuthenticationPart) {
  const t = useText(texts);
  const [chosen, setChosen] = useState<string>();
  const [isCopying, setCopying] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [target, setTarget] = useState<Flow>();
  const top = realm.authenticationFlows?.edges.map(({ node }) => node) ?? [];
  const flow = top.find(({ id }) => id === chosen) ?? top.find(({ uses }) => uses?.includes('BROWSER')) ?? top[0];
  const isAllowed = realm.viewerCan.createAuthenticationFlow.isAllowed;
  if (!flow) return null;
  const canChange = isAllowed && !flow.isBuiltIn;
  return (
    <Stack maw={860} gap="xs">
      <Group align="flex-end">
        <Select
          label={t('flow')}
          flex="1 1 220px"
          allowDeselect={false}
          data={top.map(({ id, alias }) => ({ value: id, label: alias }))}
          value={flow.id}
          onChange={(id) => setChosen(id ?? undefined)}
        />
        {isAllowed && (
          <Button variant="default" onClick={() => setCopying(true)}>
            {t('copy')}
          </Button>
        )}
        {canChange && (
          <Button
            variant="default"
            onClick={() =>
              setAsked({ title: t('removeFlow'), act: (options) => mutate(FlowDelete, { id: flow.id }, options) })
            }
          >
            {t('removeFlow')}
          </Button>
        )}
      </Group>
      <Group gap="xs">
        {flow.uses?.map((use) => (
          <Badge key={use}>{use}</Badge>
        ))}
      </Group>
      {isAllowed && flow.isBuiltIn && <Alert color="gray">{t('builtIn')}</Alert>}
      <Tree flow={flow} canChange={canChange} reload={reload} onAsk={setAsked} onAdd={(to) => setTarget(to)} />
      {isCopying && (
        <FormDialog
          title={t('copy')}
          start={{ alias: `${flow.alias} 2` }}
          fields={[{ path: 'alias', label: texts.name, isRequired: true }]}
          submit={({ alias }) => mutate(FlowCopy, { id: flow.id, alias: String(alias) })}
          onDone={(data) => {
            setChosen(data?.authenticationFlowCopy.authenticationFlow?.id);
            reload();
          }}
          onClose={() => setCopying(false)}
        />
      )}
      {target && (
        <FormDialog
          title={t('addExecution')}
          fields={[
            {
              path: 'provider',
              label: texts.provider,
              kind: 'choice',
              isRequired: true,
              choices: (realm.authenticationProviders ?? [])
                .filter(({ kind }) => kind === 'AUTHENTICATOR')
                .map(({ providerId, displayName }) => ({ value: providerId, label: displayName })),
            },
          ]}
          submit={({ provider }) => mutate(ExecutionAdd, { flow: target.id, provider: String(provider) })}
          onDone={reload}
          onClose={() => setTarget(undefined)}
        />
      )}
      {asked && (
        <Review {...asked} done={asked.title} isDangerous onDone={reload} onClose={() => setAsked(undefined)} />
      )}
    </Stack>
  );
}

interface TreeProps {
  flow: Flow;
  canChange: boolean;
  reload(): void;
  onAsk(asked: Asked): void;
  onAdd(flow: Flow): void;
}

/** The executions of a flow with those of its subflows. */
function Tree(props: TreeProps) {
  const { flow, canChange, reload, onAsk, onAdd } = props;
  const t = useText(texts);
  const act = useAct();
  const move = useMove(ExecutionRaise, ExecutionLower, reload);
  const require = (id: string, requirement: ExecutionRequirement) => async () => {
    const outcome = await mutate(ExecutionSave, { id, requirement });
    reload();
    return outcome;
  };
  return (
    <Stack gap="xs" role="group" aria-label={flow.alias}>
      <Sortable
        nodes={flow.executions}
        nameOf={({ displayName }) => displayName}
        isAllowed={canChange}
        onMove={({ id, displayName }, by) => move(id, displayName, by)}
      >
        {({ id, displayName: name, requirement, requirementChoices, subflow }, buttons) => {
          return (
            <>
              <Row
                name={name}
                actions={
                  <>
                    <Select
                      aria-label={t('requirement', { name })}
                      size="xs"
                      w={150}
                      allowDeselect={false}
                      readOnly={!canChange}
                      data={requirementChoices}
                      value={requirement}
                      onChange={(next) =>
                        next &&
                        act(require(id, next as ExecutionRequirement), t('saved', { name }), require(id, requirement))
                      }
                    />
                    {buttons}
                  </>
                }
                onRemove={
                  canChange &&
                  (() => onAsk({ title: name, act: (options) => mutate(ExecutionDelete, { id }, options) }))
                }
              />
              {subflow && (
                <Stack ml={{ base: 'sm', sm: 'xl' }} mt="xs">
                  <Tree {...props} flow={subflow} />
                </Stack>
              )}
            </>
          );
        }}
      </Sortable>
      {canChange && (
        <Button
          size="compact-sm"
          variant="subtle"
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('addTo', { name: flow.alias })}
          onClick={() => onAdd(flow)}
        >
          {t('addExecution')}
        </Button>
      )}
    </Stack>
  );
}
