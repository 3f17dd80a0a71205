import { Dialog } from '../parts/dialog.js';
import { useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { type ApplyRowFragment, RevertPlan } from './documents.js';
import { PlanView, useApply } from './plan-view.js';
import { texts } from './text.js';

/** Shows what taking back an apply would change, and does it. */
export function Revert({ apply: { id, number }, onClose }: { apply: ApplyRowFragment; onClose(): void }) {
  const t = useText(texts);
  const notify = useNotify();
  const loaded = useLoad(RevertPlan, { id });
  const { apply, isRunning } = useApply(loaded);
  const node = loaded.data?.node;
  const plan = node && 'revertPlan' in node ? node.revertPlan : undefined;
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
