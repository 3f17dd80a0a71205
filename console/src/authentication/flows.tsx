import { Alert, Badge, Group, Select, Stack } from '@mantine/core';
import { useChange } from '../parts/address.js';
import { createdIn, FormButton } from '../parts/form-dialog.js';
import { ReviewButton } from '../parts/review.js';
import { mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';
import type { FlowLevelsFragment } from './documents.js';
import { flowTasks } from './flow-tasks.js';
import { FlowTree } from './flow-tree.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';

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
    <Stack maw={860} gap="xs">
      <Group align="flex-end">
        <Select
          label={t('flow')}
          flex="1 1 220px"
          allowDeselect={false}
          data={top.map(({ id, alias }) => ({ value: id, label: alias }))}
          value={flow?.id ?? null}
          onChange={choose}
        />
        {isAllowed && <FormButton {...tasks.create()} onDone={chooseNew} />}
        {isAllowed && flow && <FormButton {...tasks.copy(flow)} onDone={chooseNew} />}
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
        <>
          <Group gap="xs">
            {flow.uses?.map((use) => (
              <Badge key={use}>{t(use)}</Badge>
            ))}
          </Group>
          {isAllowed && flow.isBuiltIn && <Alert color="gray">{t('builtIn')}</Alert>}
          <FlowTree {...part} flow={shown} canChange={canChange} tasks={tasks} />
        </>
      )}
    </Stack>
  );
}
