import { Button, Group, Select, Stack } from '@mantine/core';
import { formTexts } from '../parts/form-text.js';
import type { Act } from '../parts/review.js';
import { Row } from '../parts/row.js';
import { Sortable } from '../parts/sortable.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import {
  ConfigDelete,
  ExecutionDelete,
  type ExecutionFragment,
  ExecutionLower,
  ExecutionRaise,
  type ExecutionRequirement,
  ExecutionSave,
  type FlowHeadFragment,
} from './documents.js';
import { type flowTasks, settingsOf, type Task } from './flow-tasks.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';
import { useMove } from './use-move.js';

/** A flow in the tree. Those at the fourth level are shown without theirs. */
export interface Flow extends FlowHeadFragment {
  executions: (ExecutionFragment & { subflow?: (FlowHeadFragment & Partial<Flow>) | null })[];
}

/** An action that is shown before it is performed. */
export interface Asked {
  title: string;
  act: Act;
}

interface FlowTreeProps extends AuthenticationPart {
  flow: Flow;
  canChange: boolean;
  tasks: ReturnType<typeof flowTasks>;
  onAsk(asked: Asked): void;
  onTask(task: Task): void;
}

/** The executions of a flow with those of its subflows. */
export function FlowTree(props: FlowTreeProps) {
  const { realm, flow, canChange, tasks, reload, onAsk, onTask } = props;
  const t = useText(texts);
  const tForm = useText(formTexts);
  const act = useAct();
  const move = useMove(ExecutionRaise, ExecutionLower, reload);
  const require = (id: string, requirement: ExecutionRequirement) => async () => {
    const outcome = await mutate(ExecutionSave, { id, requirement });
    reload();
    return outcome;
  };
  const editing = (execution: Flow['executions'][number]) => {
    const { subflow, displayName, providerId } = execution;
    const task = subflow
      ? tasks.edit(subflow)
      : settingsOf(realm.authenticationProviders, providerId).length > 0 && tasks.configure(execution);
    const label = subflow ? tForm('edit', { name: displayName }) : t('configure', { name: displayName });
    return (
      task && (
        <Button size="compact-xs" variant="default" aria-label={label} onClick={() => onTask(task)}>
          …
        </Button>
      )
    );
  };
  return (
    <Stack gap="xs" role="group" aria-label={flow.alias}>
      <Sortable
        nodes={flow.executions}
        nameOf={({ displayName }) => displayName}
        isAllowed={canChange}
        onMove={({ id, displayName }, by) => move(id, displayName, by)}
      >
        {(execution, buttons) => {
          const { id, displayName: name, requirement, requirementChoices, config, subflow } = execution;
          return (
            <>
              <Row
                name={name}
                hint={config?.alias}
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
                    {canChange && editing(execution)}
                    {canChange && config && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={t('removeConfig', { name: config.alias })}
                        onClick={() =>
                          onAsk({
                            title: t('removeConfig', { name: config.alias }),
                            act: (options) => mutate(ConfigDelete, { id: config.id }, options),
                          })
                        }
                      >
                        {t('unconfigure')}
                      </Button>
                    )}
                    {buttons}
                  </>
                }
                onRemove={
                  canChange &&
                  (() => onAsk({ title: name, act: (options) => mutate(ExecutionDelete, { id }, options) }))
                }
              />
              {subflow?.executions && (
                <Stack ml={{ base: 'sm', sm: 'xl' }} mt="xs">
                  <FlowTree {...props} flow={{ ...subflow, executions: subflow.executions }} />
                </Stack>
              )}
            </>
          );
        }}
      </Sortable>
      {canChange && (
        <Group gap="xs">
          {(['addExecution', 'addSubflow'] as const).map((kind) => (
            <Button
              key={kind}
              size="compact-sm"
              variant="subtle"
              aria-label={t(`${kind}To`, { name: flow.alias })}
              onClick={() => onTask(tasks[kind](flow))}
            >
              {t(kind)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
