import type { ShownPlan } from '../../services/realms/desired/representation.js';
import { withDesired } from '../access/open.js';
import { confirmed, isInteractive } from '../confirm.js';
import { unknownReferences } from '../desired/input.js';
import { maskedPlan } from '../desired/mask-plan.js';
import type { OriginOptions } from '../desired/origin.js';
import { appliedLine, planJson } from '../desired/plan-text.js';
import { print } from '../print.js';
import { desiredWithOrigin, type PlanOptions, printPlan } from './plan.js';

/** Options of `realmgate apply`. */
export interface ApplyOptions extends PlanOptions, OriginOptions {
  /** the digest of the plan that was looked at */
  digest?: string;
  allowDeletes: number;
  /** whether the changes are made without a question */
  yes?: boolean;
}

/**
 * Prints what files would change in a realm, asks, and makes exactly these changes, all or nothing. Throws a sentence if there is nobody to
 * ask, and a refusal that names the field.
 */
export function applyRealm(files: string[], { digest, allowDeletes, yes, ...options }: ApplyOptions): Promise<void> {
  const isAgreed = yes === true || digest !== undefined;
  if (!isAgreed && (options.json || !isInteractive())) {
    throw new Error(
      'Nobody can be asked whether to apply the changes: pass --yes, or --digest with the digest of a plan that was reviewed.',
    );
  }
  const desired = desiredWithOrigin(files, options, digest);
  const { name, input, secrets } = desired;
  const unknown = unknownReferences(input);
  return withDesired(options, desired, async (realms) => {
    const plan = await realms.plan(name, input);
    if (!options.json) printPlan(maskedPlan(plan, secrets), unknown);
    requireDigest(plan, digest);
    requireDeletes(plan, allowDeletes);
    if (plan.changes.length > 0 && !isAgreed && !(await confirmed('Apply these changes?'))) {
      print('Nothing was changed.');
      process.exitCode = 1;
      return;
    }
    // the realm follows the files from their origin also where nothing changes; secrets can differ where the plan has no changes
    const applied =
      plan.changes.length === 0 && input.source === undefined && unknown.length === 0
        ? plan
        : await realms.apply(name, { ...input, allowDeletes, expectedDigest: plan.digest });
    if (options.json) print(planJson(maskedPlan(applied, secrets)));
    else if (applied.changes.length > 0) print(appliedLine(applied));
  });
}

function requireDigest({ digest }: ShownPlan, expected: string | undefined): void {
  if (expected === undefined || expected === digest) return;
  throw new Error('The realm or the files were changed since the plan with this digest was made: review the new plan.');
}

function requireDeletes({ summary }: ShownPlan, allowed: number): void {
  if (summary.delete <= allowed) return;
  throw new Error(
    `The files would delete ${summary.delete} ${summary.delete === 1 ? 'object' : 'objects'}, and --allow-deletes is ${allowed}: set it to ${summary.delete} if they may be deleted.`,
  );
}
