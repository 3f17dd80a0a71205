import { Button, Group, Modal, Stack } from '@mantine/core';
import { useLoad, useMutate } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ApplyRevert, type ApplyRowFragment, RevertPlan } from './documents.js';
import { PlanView } from './plan-view.js';
import { texts } from './text.js';

/** Shows what taking back an apply would change, and does it. */
export function Revert({ apply: { id, number }, onClose }: { apply: ApplyRowFragment; onClose(): void }) {
  const t = useText(texts);
  const notify = useNotify();
  const loaded = useLoad(RevertPlan, { id });
  const { run, isRunning } = useMutate(ApplyRevert);
  const node = loaded.data?.node;
  const plan = node && 'revertPlan' in node ? node.revertPlan : undefined;
  const revert = async () => {
    if (!plan) return;
    const { errors } = await run({ input: { id, expectedDigest: plan.digest, allowDeletes: plan.summary.delete } });
    if (errors.some(({ code }) => code === 'STALE')) {
      loaded.reload();
      return notify.failed([{ code: 'STALE', message: t('changedSince'), path: null }]);
    }
    if (errors.length > 0) return notify.failed(errors);
    notify.succeeded(t('reverted', { number }));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('revertTitle', { number })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <Stack>
        {loaded.error && !loaded.isLoading && <Failure loaded={loaded} />}
        {plan ? <PlanView plan={plan} /> : loaded.isLoading && <Placeholder />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button onClick={revert} loading={isRunning} disabled={!plan || plan.changes.totalCount === 0} color="red.9">
            {t('revert')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
