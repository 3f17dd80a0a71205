import { Alert, Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Dialog } from '../parts/dialogs.js';
import { ChangeList } from '../parts/display.js';
import { type Loaded, mutate, nodeOf, type Outcome, useLoad } from '../session/graphql.js';
import { useRunning } from '../session/running.js';
import { useNotify } from '../shell/notify.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useText } from '../text/text.js';
import * as documents from './documents.js';
import type { Desired } from './files.js';
import { texts } from './texts.js';

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
] as const satisfies (keyof documents.DesiredModesInput)[];

/** The same mode for all kinds of objects. */
const modesOf = (mode: documents.DesiredMode): documents.DesiredModesInput =>
  Object.fromEntries(kinds.map((kind) => [kind, mode]));

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
  const loaded = useLoad(documents.FilePlan, { realm, desired: value, modes });
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
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
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
          <Button onClick={onDone}>{t('discard')}</Button>
          {isApplicable && (
            <Button
              variant="filled"
              onClick={() => applyPlan(plan)}
              loading={isRunning}
              {...(count > 0 && { color: 'red.9' })}
            >
              {count > 0 ? t('applyDeletes', { count }) : t('apply')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Shows what taking back an apply would change, and does it. */
export function Revert({ apply: { id, number }, onClose }: { apply: documents.ApplyRowFragment; onClose(): void }) {
  const t = useText(texts);
  const notify = useNotify();
  const loaded = useLoad(documents.RevertPlan, { id });
  const { apply, isRunning } = useApply(loaded);
  const plan = nodeOf(loaded.data?.node)?.revertPlan;
  const run = async () => {
    if (!plan) return;
    const input = { id, expectedDigest: plan.digest, allowDeletes: plan.summary.delete };
    if (!(await apply(() => mutate('realmApplyRevert', input)))) return;
    notify.succeeded(t('reverted', { number }));
    onClose();
  };
  const isDisabled = !plan || plan.changes.totalCount === 0;
  return (
    <Dialog
      title={t('revertTitle', { number })}
      size="lg"
      action={{ label: t('revert'), isRunning, isDisabled, isDangerous: true, run }}
      onClose={onClose}
    >
      <PlanView loaded={loaded} plan={plan} />
    </Dialog>
  );
}

/** The values that the fields of an object have: none before it is created, none after it is deleted. */
const sides = { CREATE: 'after', UPDATE: undefined, DELETE: 'before' } as const;
const colors = { CREATE: 'teal', UPDATE: 'blue', DELETE: 'red' } as const;

/** A plan as a diff: its objects, each with the fields that change. */
function PlanView({ loaded, plan }: { loaded: Loaded<unknown>; plan: documents.PlanViewFragment | null | undefined }) {
  const t = useText(texts);
  if (!plan) return loaded.isLoading ? <Placeholder /> : <Failure loaded={loaded} />;
  const { summary, digest, warnings, changes } = plan;
  const more = changes.totalCount - changes.nodes.length;
  return (
    <Stack gap="sm">
      {!loaded.isLoading && <Failure loaded={loaded} />}
      <Group gap="md">
        <Text size="md" fw={600}>
          {t('summary', { ...summary })}
        </Text>
        <Text c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {t('digest', { digest: digest.slice(0, 16) })}
        </Text>
      </Group>
      {warnings.length > 0 && (
        <Alert color="yellow" title={t('warnings')}>
          {warnings.map((warning) => (
            <Text key={warning}>{warning}</Text>
          ))}
        </Alert>
      )}
      {changes.nodes.length === 0 && <Text>{t('nothing')}</Text>}
      {changes.nodes.map(({ action, kind, key, fields }) => (
        <Paper key={`${kind} ${key} ${action}`} withBorder p="sm">
          <Group gap="xs" mb={4}>
            <Badge color={colors[action]}>{t(action)}</Badge>
            <Text c="dimmed">{kind}</Text>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {key}
            </Text>
          </Group>
          {fields.length > 0 && <ChangeList changes={fields} shows={sides[action]} />}
        </Paper>
      ))}
      {more > 0 && <Text>{t('more', { count: more })}</Text>}
    </Stack>
  );
}

/** Applies a plan, or loads the new one if the realm has changed since it was made. */
function useApply({ reload }: Loaded<unknown>) {
  const t = useText(texts);
  const notify = useNotify();
  const [isRunning, whileRunning] = useRunning();
  return {
    isRunning,
    async apply<Data>(run: () => Promise<Outcome<Data>>): Promise<Data | undefined> {
      const { data, errors } = await whileRunning(run);
      if (errors.length === 0) return data;
      const isStale = errors.some(({ code }) => code === 'STALE');
      if (isStale) reload();
      notify.failed(isStale ? [{ code: 'STALE', message: t('changedSince'), path: null }] : errors);
    },
  };
}
