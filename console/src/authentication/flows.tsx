import { Alert, Badge, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { createdIn, FormButton } from '../parts/form-dialog.js';
import { ReviewButton } from '../parts/review.js';
import { useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { FlowDetail } from './documents.js';
import { flowTasks } from './flow-tasks.js';
import { FlowTree } from './flow-tree.js';
import type { AuthenticationPart } from './loaded-realm.js';
import { texts } from './text.js';

/** The flows of a realm: one is shown as a tree, whose executions are moved by drag and drop. */
export function Flows(part: AuthenticationPart) {
  const { realm } = part;
  const t = useText(texts);
  const [chosen, setChosen] = useState<string>();
  const top = realm.authenticationFlows?.nodes ?? [];
  const flow = top.find(({ id }) => id === chosen) ?? top.find(({ uses }) => uses?.includes('BROWSER')) ?? top[0];
  const loaded = useLoad(FlowDetail, { id: flow?.id ?? '' }, { isPaused: !flow });
  const tree = nodeOf(loaded.data?.node);
  const reload = () => {
    part.reload();
    loaded.reload();
  };
  const isAllowed = realm.viewerCan.createAuthenticationFlow.isAllowed;
  const tasks = flowTasks(realm, t);
  const canChange = isAllowed && flow?.isBuiltIn === false;
  const choose = (data: object | undefined) => {
    setChosen(createdIn(data));
    reload();
  };
  return (
    <Stack maw={860} gap="xs">
      <Group align="flex-end">
        <Select
          label={t('flow')}
          flex="1 1 220px"
          allowDeselect={false}
          data={top.map(({ id, alias }) => ({ value: id, label: alias }))}
          value={flow?.id ?? null}
          onChange={(id) => setChosen(id ?? undefined)}
        />
        {isAllowed && <FormButton {...tasks.create()} onDone={choose} />}
        {isAllowed && flow && <FormButton {...tasks.copy(flow)} onDone={choose} />}
        {canChange && <FormButton {...tasks.edit(flow)} onDone={reload} />}
        {canChange && (
          <ReviewButton
            title={t('removeFlow')}
            act={(options) => mutate('authenticationFlowDelete', { id: flow.id }, options)}
            done={t('deleted', { name: flow.alias })}
            isDangerous
            onDone={reload}
          />
        )}
      </Group>
      {flow && (
        <>
          <Group gap="xs">
            {flow.uses?.map((use) => (
              <Badge key={use}>{t(use)}</Badge>
            ))}
          </Group>
          {isAllowed && flow.isBuiltIn && <Alert color="gray">{t('builtIn')}</Alert>}
          <Failure loaded={loaded} />
          {tree?.id === flow.id ? (
            <FlowTree {...part} reload={reload} flow={tree} canChange={canChange} tasks={tasks} />
          ) : (
            <Skeleton height={240} />
          )}
        </>
      )}
    </Stack>
  );
}
