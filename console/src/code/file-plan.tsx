import { Button, Group, Paper, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type DesiredMode, type DesiredModesInput, FilePlan } from './documents.js';
import type { Desired } from './files.js';
import { PlanView, useApply } from './plan-view.js';
import { texts } from './text.js';

const kinds = [
  'authenticationFlows',
  'authenticatorConfig',
  'clientRoles',
  'clientScopes',
  'clients',
  'components',
  'defaultDefaultClientScopes',
  'defaultGroups',
  'defaultOptionalClientScopes',
  'groups',
  'identityProviderMappers',
  'identityProviders',
  'localizationTexts',
  'protocolMappers',
  'requiredActions',
  'roles',
  'scopeMappings',
  'users',
  'webhooks',
] as const satisfies (keyof DesiredModesInput)[];

/** The same mode for all kinds of objects. */
const modesOf = (mode: DesiredMode): DesiredModesInput => Object.fromEntries(kinds.map((kind) => [kind, mode]));

interface FilePlanProps {
  realm: string;
  realmId: string;
  desired: Desired;
  mayApply: boolean;
  onDone(): void;
}

/** What files would change, and the button that applies exactly that. */
export function PlanOfFiles({
  realm,
  realmId,
  desired: { names, modes: given, value },
  mayApply,
  onDone,
}: FilePlanProps) {
  const t = useText(texts);
  const notify = useNotify();
  const [deletesOthers, setDeletesOthers] = useState(false);
  const modes = useMemo(() => ({ ...modesOf(deletesOthers ? 'FULL' : 'KEEP'), ...given }), [deletesOthers, given]);
  const loaded = useLoad(FilePlan, { realm, desired: value, modes });
  const { apply, isRunning } = useApply(loaded);
  const [origin, setOrigin] = useState({ source: '', revision: '' });
  const plan = loaded.data?.realm?.plan;
  const count = plan?.summary.delete ?? 0;
  const applyPlan = async ({ digest }: NonNullable<typeof plan>) => {
    const { source, revision } = origin;
    const data = await apply(() =>
      mutate(
        'realmApply',
        {
          id: realmId,
          desired: { json: value },
          modes,
          expectedDigest: digest,
          allowDeletes: count,
          ...(source && { source }),
          ...(revision && { revision }),
        },
        { reads: ['warnings'] },
      ),
    );
    if (!data) return;
    notify.succeeded([t('applied'), ...data.realmApply.warnings].join(' '));
    onDone();
  };
  const isApplicable = plan && mayApply && plan.changes.totalCount > 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('plan')}>
      <Stack gap="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {t('planOf', { files: names })}
        </Title>
        <Switch
          label={t('deletesOthers')}
          checked={deletesOthers}
          onChange={({ currentTarget: { checked } }) => setDeletesOthers(checked)}
        />
        <PlanView loaded={loaded} plan={plan} />
        {isApplicable && (
          <Group align="flex-end">
            {(['source', 'revision'] as const).map((field) => (
              <TextInput
                key={field}
                label={t(field)}
                description={t(`${field}Hint`)}
                value={origin[field]}
                onChange={({ currentTarget: { value } }) => setOrigin((before) => ({ ...before, [field]: value }))}
                flex="1 1 240px"
              />
            ))}
          </Group>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('discard')}
          </Button>
          {isApplicable && (
            <Button onClick={() => applyPlan(plan)} loading={isRunning} {...(count > 0 && { color: 'red.9' })}>
              {count > 0 ? t('applyDeletes', { count }) : t('apply')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
