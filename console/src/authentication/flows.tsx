import { Alert, Badge, Group, Select, Stack, Text } from '@mantine/core';
import { useAct, useMove } from '../parts/act.js';
import { useChange } from '../parts/address.js';
import { createdIn, FormButton, ReviewButton } from '../parts/dialogs.js';
import { ObjectLink } from '../parts/display.js';
import { Row } from '../parts/rows.js';
import { Sortable } from '../parts/sortable.js';
import { mutate } from '../session/graphql.js';
import { useText, useValueName } from '../text/text.js';
import type * as documents from './documents.js';
import type { FlowLevelsFragment } from './documents.js';
import { type AuthenticationPart, flowTasks, settingsOf } from './flow-tasks.js';
import { texts } from './texts.js';

/** The flows of a realm: the one in the address is shown as a tree, whose executions are moved by drag and drop. */
export function Flows({ shown, ...part }: AuthenticationPart & { shown: FlowLevelsFragment | null | undefined }) {
  const { realm, reload } = part;
  const t = useText(texts);
  const change = useChange<{ flow: string | null }>();
  const top = realm.authenticationFlows?.nodes ?? [];
  const flow = top.find(({ id }) => id === shown?.id);
  const choose = (id: string | null | undefined) => change({ flow: id ?? null });
  const isAllowed = realm.viewerCan.createAuthenticationFlow.isAllowed;
  const tasks = flowTasks(realm, t);
  const canChange = isAllowed && flow?.isBuiltIn === false;
  const chooseNew = (data: object | undefined) => choose(createdIn(data));
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <Select
          label={t('flow')}
          flex="0 1 340px"
          allowDeselect={false}
          data={top.map(({ id, alias }) => ({ value: id, label: alias }))}
          value={flow?.id ?? null}
          onChange={choose}
        />
        {isAllowed && <FormButton {...tasks.create()} onDone={chooseNew} />}
        {isAllowed && flow && <FormButton {...tasks.copy(flow)} onDone={chooseNew} />}
        {realm.viewerCan.update.isAllowed && flow && <FormButton {...tasks.use(flow)} onDone={reload} />}
        {canChange && <FormButton {...tasks.edit(flow)} onDone={reload} />}
        {canChange && (
          <ReviewButton
            title={t('removeFlow')}
            act={(options) => mutate('authenticationFlowDelete', { id: flow.id }, options)}
            done={t('deleted', { name: flow.alias })}
            isDangerous
            onDone={() => choose(null)}
          />
        )}
      </Group>
      {flow && shown && (
        <Stack maw={860} gap="xs">
          <Uses flow={shown} uses={flow.uses ?? []} />
          {isAllowed && flow.isBuiltIn && <Alert color="gray">{t('builtIn')}</Alert>}
          <FlowTree {...part} flow={shown} canChange={canChange} tasks={tasks} />
        </Stack>
      )}
    </Stack>
  );
}

interface UsesProps {
  flow: Pick<FlowLevelsFragment, 'clients' | 'identityProviders'>;
  uses: readonly documents.AuthenticationFlowUse[];
}

/** The uses of a flow: those of the realm, and the clients and identity providers that use it instead of the realm's flow. */
function Uses({ flow: { clients, identityProviders }, uses }: UsesProps) {
  const t = useText(texts);
  const links = [
    ...(clients ?? []).map(({ id, clientId }) => ['/$realm/clients/$id', id, clientId] as const),
    ...(identityProviders ?? []).map(({ id, alias }) => ['/$realm/identity-providers/$id', id, alias] as const),
  ];
  return (
    <Group gap="xs" role="group" aria-label={t('usedBy')}>
      <Text c="dimmed">{t(uses.length + links.length > 0 ? 'usedBy' : 'unused')}</Text>
      {uses.map((use) => (
        <Badge key={use} color="indigo">
          {t(use)}
        </Badge>
      ))}
      {links.map(([to, id, name]) => (
        <ObjectLink key={id} to={to} id={id} fz="sm">
          {name}
        </ObjectLink>
      ))}
    </Group>
  );
}

/** A flow in the tree. Those at the fourth level are shown without theirs. */
interface Flow extends documents.FlowHeadFragment {
  executions: (documents.ExecutionFragment & { subflow?: (documents.FlowHeadFragment & Partial<Flow>) | null })[];
}

interface FlowTreeProps extends AuthenticationPart {
  flow: Flow;
  canChange: boolean;
  tasks: ReturnType<typeof flowTasks>;
}

/** The executions of a flow with those of its subflows. */
function FlowTree(props: FlowTreeProps) {
  const { realm, flow, canChange, tasks, reload } = props;
  const t = useText(texts);
  const act = useAct();
  const nameOf = useValueName();
  const move = useMove('flowExecutionRaise', 'flowExecutionLower', reload);
  const require = (id: string, requirement: documents.ExecutionRequirement) => async () => {
    const outcome = await mutate('flowExecutionUpdate', { id, requirement });
    reload();
    return outcome;
  };
  const editing = (execution: Flow['executions'][number]) => {
    const { subflow, displayName, providerId } = execution;
    const task = subflow
      ? tasks.edit(subflow)
      : settingsOf(realm.authenticationProviders, providerId).length > 0 && tasks.configure(execution);
    const title = t(subflow ? 'editNamed' : 'configure', { name: displayName });
    return (
      task && <FormButton {...task} button={{ size: 'compact-xs', label: '…', 'aria-label': title }} onDone={reload} />
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
                    {canChange && editing(execution)}
                    {canChange && config && (
                      <ReviewButton
                        title={t('removeConfig', { name: config.alias })}
                        button={{ size: 'compact-xs', label: t('unconfigure') }}
                        act={(options) => mutate('authenticatorConfigDelete', { id: config.id }, options)}
                        done={t('deleted', { name: config.alias })}
                        isDangerous
                        onDone={reload}
                      />
                    )}
                    <Select
                      aria-label={t('requirement', { name })}
                      size="xs"
                      w={150}
                      allowDeselect={false}
                      readOnly={!canChange}
                      data={requirementChoices.map((value) => ({ value, label: nameOf(value) }))}
                      value={requirement}
                      onChange={(next) =>
                        next &&
                        act(
                          require(id, next as documents.ExecutionRequirement),
                          t('saved', { name }),
                          require(id, requirement),
                        )
                      }
                    />
                    {buttons}
                  </>
                }
                remove={
                  canChange && {
                    act: (options) => mutate('flowExecutionDelete', { id }, options),
                    onDone: reload,
                  }
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
            <FormButton
              key={kind}
              {...tasks[kind](flow)}
              button={{ size: 'compact-sm', variant: 'subtle' }}
              onDone={reload}
            />
          ))}
        </Group>
      )}
    </Stack>
  );
}
