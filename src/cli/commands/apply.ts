import { counted } from '../../services/core/counted.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import { withDesired } from '../access/open.js';
import { confirmed, isInteractive } from '../confirm.js';
import { unknownReferences } from '../desired/input.js';
import { maskedPlan } from '../desired/mask-plan.js';
import type { OriginOptions } from '../desired/origin.js';
import { appliedLine, planJson } from '../desired/plan-text.js';
import { print } from '../print.js';
import { desiredWithOrigin, type PlanOptions, printPlan } from './plan.js';

/** Options of commands that make the changes of a plan. */
export interface AgreementOptions {
  /** the digest of the reviewed plan */
  digest?: string;
  allowDeletes: number;
  /** whether the changes are made without a question */
  yes?: boolean;
  json?: boolean;
}

/** Options of `realmgate apply`. */
export interface ApplyOptions extends PlanOptions, OriginOptions, AgreementOptions {
  /** whether the realm is created if it does not exist */
  create?: boolean;
}

/** A plan that can be carried out. */
interface Planned {
  plan(): Promise<ShownPlan>;
  carryOut(expected: { expectedDigest: string; allowDeletes: number }): Promise<ShownPlan>;
  /** the first word of the last line, for example "Applied" */
  done: string;
  /** whether a plan without changes must be applied */
  isNeeded?: boolean;
  /** values that are unknown to the plan */
  unknown?: readonly string[];
  secrets?: readonly string[];
}

/** Throws a sentence if no option agrees to the changes of a plan and the user cannot be asked. */
export function requireAgreement({ digest, yes, json }: AgreementOptions): void {
  if (yes === true || digest !== undefined || (!json && isInteractive())) return;
  throw new Error(
    'Nobody can be asked whether to apply the changes: pass --yes, or --digest with the digest of a plan that was reviewed.',
  );
}

/**
 * Prints a plan, asks, and makes exactly its changes. Throws a sentence if it is not the plan of the digest, or if it deletes more objects than
 * allowed. Returns whether the changes were agreed to.
 */
export async function carriedOut(options: AgreementOptions, planned: Planned): Promise<boolean> {
  requireAgreement(options);
  const { allowDeletes, json } = options;
  const { done, isNeeded = false, unknown = [], secrets = [] } = planned;
  const plan = await planned.plan();
  if (!json) printPlan(maskedPlan(plan, secrets), unknown);
  if (!(await isAgreedTo(options, plan, plan.changes.length > 0))) return false;
  const isDone = plan.changes.length > 0 || isNeeded;
  const applied = isDone ? await planned.carryOut({ allowDeletes, expectedDigest: plan.digest }) : plan;
  if (json) print(planJson(maskedPlan(applied, secrets)));
  else if (applied.changes.length > 0) print(appliedLine(done, applied));
  return true;
}

/**
 * Prints the changes that files would make in a realm, asks, and makes exactly these changes, all or nothing. Throws a
 * sentence if it cannot ask, and a refusal that names the field. A realm that was created for the files is deleted
 * again if they are not applied.
 */
export async function applyRealm(files: string[], options: ApplyOptions): Promise<void> {
  requireAgreement(options);
  const desired = desiredWithOrigin(files, options, options.digest);
  const { name, input, secrets } = desired;
  const unknown = unknownReferences(input);
  await withDesired(options, desired, async (realms) => {
    const isNew = options.create === true && (await realms.create(name));
    let isApplied = false;
    try {
      isApplied = await carriedOut(options, {
        plan: () => realms.plan(name, input),
        carryOut: (expected) => realms.apply(name, { ...input, ...expected }),
        done: isNew ? 'Created the realm and applied' : 'Applied',
        // the realm follows the files from their origin even if nothing changes; secrets can differ if the plan has no
        // changes
        isNeeded: input.source !== undefined || unknown.length > 0,
        unknown,
        secrets,
      });
    } finally {
      if (isNew && !isApplied) await realms.remove(name);
    }
  });
}

/**
 * Whether the changes of a plan, or of several together, are agreed to: by an option, or by an answer. Throws a sentence if it is not the
 * plan of the digest, or if it deletes more objects than allowed.
 */
export async function isAgreedTo(
  { digest, allowDeletes, yes }: AgreementOptions,
  plan: Pick<ShownPlan, 'digest' | 'summary'>,
  hasChanges: boolean,
): Promise<boolean> {
  requireDigest(plan, digest);
  requireDeletes(plan, allowDeletes);
  if (!hasChanges || yes === true || digest !== undefined || (await confirmed('Apply these changes?'))) return true;
  print('Nothing was changed.');
  process.exitCode = 1;
  return false;
}

/** Throws a sentence if a plan is not the one that was reviewed. */
function requireDigest({ digest }: Pick<ShownPlan, 'digest'>, expected: string | undefined): void {
  if (expected === undefined || expected === digest) return;
  throw new Error('The realm or the files were changed since the plan with this digest was made: review the new plan.');
}

/** Throws a sentence if a plan deletes more objects than allowed. */
function requireDeletes({ summary }: { summary: { delete: number } }, allowed: number): void {
  if (summary.delete <= allowed) return;
  throw new Error(
    `The files would delete ${counted(summary.delete, 'object')}, and --allow-deletes is ${allowed}: set it to ${summary.delete} if they may be deleted.`,
  );
}
