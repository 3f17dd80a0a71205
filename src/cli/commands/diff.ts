import { withDesired } from '../access/open.js';
import { diffLines } from '../desired/diff-text.js';
import { maskedPlan } from '../desired/mask-plan.js';
import { painter, print } from '../print.js';
import { desiredBy, type PlanOptions, printWarnings } from './plan.js';

/** Prints a unified diff between a realm and the files, object by object. Throws a refusal that names the field. */
export function diffRealm(files: string[], options: PlanOptions): Promise<void> {
  const desired = desiredBy(files, options);
  const { name, input, secrets } = desired;
  return withDesired(options, desired, async (realms) => {
    const plan = maskedPlan(await realms.plan(name, input), secrets);
    const paint = painter(process.stdout);
    for (const change of plan.changes) for (const line of diffLines(change, paint)) print(line);
    printWarnings(plan);
  });
}
