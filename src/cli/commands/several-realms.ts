import { createHash } from 'node:crypto';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import { unknownDigest } from '../../services/realms/desired/unknown-values.js';
import { type RealmAccess, RefusedFile } from '../access/access.js';
import { withRealms } from '../access/open.js';
import { DesiredRealmError } from '../desired/faults.js';
import { type Desired, unknownReferences } from '../desired/input.js';
import { maskedPlan, masker } from '../desired/mask-plan.js';
import type { OriginOptions } from '../desired/origin.js';
import { appliedLine, planMarkdown, planValues, summaryLine } from '../desired/plan-text.js';
import { realmGroups } from '../desired/realm-groups.js';
import { oneLine, painter, print, printError } from '../print.js';
import { type ApplyOptions, applyRealm, isAgreedTo, requireAgreement } from './apply.js';
import { desiredWithOrigin, type PlanOptions, planRealm, printChanges } from './plan.js';

type SeveralOptions = PlanOptions & OriginOptions & { digest?: string; create?: boolean };

/** The plan of one of several realms, or the reason of its failure. */
interface Outcome {
  desired: Desired;
  /** undefined after a failure */
  plan?: ShownPlan;
  failure?: string;
}

/** Throws a sentence for options that are about one realm. */
function requireNoneOfOne({ realm, target, overlay, create }: SeveralOptions): void {
  const option = realm ? '--realm' : target ? '--target' : overlay ? '--overlay' : create ? '--create' : undefined;
  if (option) throw new Error(`${option} is about one realm, and the files are of several: run the command for each.`);
}

/** Runs `work` with the realms of these files. Throws all faults of all files. */
async function withSeveral(
  groups: readonly string[][],
  options: SeveralOptions,
  work: (realms: RealmAccess, all: readonly Desired[]) => Promise<void>,
): Promise<void> {
  requireNoneOfOne(options);
  const faults: string[] = [];
  const all = groups.flatMap((files) => {
    try {
      return [desiredWithOrigin(files, options, options.digest)];
    } catch (error) {
      if (!(error instanceof DesiredRealmError)) throw error;
      faults.push(error.message);
      return [];
    }
  });
  if (faults.length > 0) {
    printError(faults.join('\n'));
    process.exitCode = 1;
    return;
  }
  const secrets = all.flatMap((desired) => desired.secrets);
  await withRealms(options, secrets, (realms) => work(realms, all));
}

/** The sentences of an error, without the secrets of files. */
function failureOf(error: unknown, { located, secrets }: Desired): string {
  const known = error instanceof RefusedFile ? located(error.faults) : error;
  const message = known instanceof Error ? known.message : String(known);
  return masker(secrets)(message);
}

/** Runs a plan or an apply of a realm. Returns the failure instead of throwing it. */
async function attempted(desired: Desired, run: () => Promise<ShownPlan>): Promise<Outcome> {
  try {
    return { desired, plan: await run() };
  } catch (error) {
    return { desired, failure: failureOf(error, desired) };
  }
}

async function plansOf(realms: RealmAccess, all: readonly Desired[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const desired of all) outcomes.push(await attempted(desired, () => realms.plan(desired.name, desired.input)));
  return outcomes;
}

/** Combines the plans of several realms: the sums of their numbers, and one digest for all. */
function together(outcomes: readonly Outcome[]): Pick<ShownPlan, 'digest' | 'summary'> {
  const plans = outcomes.flatMap(({ desired, plan }) => (plan ? [{ realm: desired.name, ...plan }] : []));
  const count = (action: 'create' | 'update' | 'delete' | 'unchanged') =>
    plans.reduce((sum, { summary }) => sum + summary[action], 0);
  const digests = plans.map(({ realm, digest }) => [realm, digest]);
  const hash = createHash('sha256').update(JSON.stringify(digests)).digest('hex');
  const isWithoutSecrets = plans.some(({ digest }) => digest.startsWith(unknownDigest));
  return {
    digest: isWithoutSecrets ? `${unknownDigest}${hash}` : hash,
    summary: {
      ...{ create: count('create'), update: count('update') },
      ...{ delete: count('delete'), unchanged: count('unchanged') },
    },
  };
}

const shownPlan = ({ desired, plan }: Outcome): ShownPlan | undefined => plan && maskedPlan(plan, desired.secrets);

const json = (outcomes: readonly Outcome[]): string => {
  const realms = outcomes.map((outcome) => {
    const plan = shownPlan(outcome);
    return { realm: outcome.desired.name, ...(plan ? planValues(plan) : { error: outcome.failure }) };
  });
  return JSON.stringify({ ...together(outcomes), realms }, undefined, 2);
};

const totalLine = (outcomes: readonly Outcome[]): string =>
  `${outcomes.length} realms: ${summaryLine(together(outcomes))}`;

/** Prints the failures of realms. Sets the exit status 1 if there are any. */
function printFailures(outcomes: readonly Outcome[]): void {
  for (const { desired, failure } of outcomes) {
    if (failure === undefined) continue;
    for (const line of failure.split('\n')) printError(`${oneLine(desired.name)}: ${oneLine(line)}`);
    process.exitCode = 1;
  }
}

const hasChanges = ({ plan }: Outcome): boolean => plan !== undefined && plan.changes.length > 0;
const unknownIn = ({ desired }: Outcome): string[] => unknownReferences(desired.input);

function printPlans(outcomes: readonly Outcome[]): void {
  const paint = painter(process.stdout);
  for (const outcome of outcomes) {
    const plan = shownPlan(outcome);
    if (!plan) continue;
    print(paint('bold', `Realm ${oneLine(outcome.desired.name)}`));
    printChanges(plan, unknownIn(outcome));
  }
  print(totalLine(outcomes));
  if (outcomes.some((outcome) => hasChanges(outcome) || unknownIn(outcome).length > 0))
    print(`digest ${together(outcomes).digest}`);
}

function markdown(outcomes: readonly Outcome[]): string {
  const plans = outcomes.flatMap((outcome) => {
    const plan = shownPlan(outcome);
    return plan ? [planMarkdown(outcome.desired.name, plan, unknownIn(outcome), false), ''] : [];
  });
  return [...plans, totalLine(outcomes), '', `digest \`${together(outcomes).digest}\``].join('\n');
}

/**
 * Prints the changes that files would make in one or several realms. The exit status is 2 if there are any, and 1 if a
 * realm cannot be planned.
 */
export function planFiles(files: string[], options: SeveralOptions): Promise<void> {
  const groups = realmGroups(files);
  return groups.length > 1 ? planRealms(groups, options) : planRealm(groups.flat(), options);
}

function planRealms(groups: readonly string[][], options: SeveralOptions): Promise<void> {
  return withSeveral(groups, options, async (realms, all) => {
    const outcomes = await plansOf(realms, all);
    if (options.json) print(json(outcomes));
    else if (options.markdown) print(markdown(outcomes));
    else printPlans(outcomes);
    if (outcomes.some(hasChanges)) process.exitCode = 2;
    printFailures(outcomes);
  });
}

/**
 * Prints the changes that files would make in one or several realms, asks, and makes exactly these changes, for each
 * realm all or nothing. If one of several realms cannot be planned, none is changed. If one cannot be changed, the
 * command reports it and continues with the others.
 */
export async function applyFiles(files: string[], options: ApplyOptions): Promise<void> {
  requireAgreement(options);
  const groups = realmGroups(files);
  if (groups.length > 1) await applyRealms(groups, options);
  else await applyRealm(groups.flat(), options);
}

function applyRealms(groups: readonly string[][], options: ApplyOptions): Promise<void> {
  const { allowDeletes, json: asJson } = options;
  return withSeveral(groups, options, async (realms, all) => {
    const planned = await plansOf(realms, all);
    if (!asJson) printPlans(planned);
    if (planned.some(({ failure }) => failure !== undefined)) {
      printFailures(planned);
      printError('No realm was changed.');
      return;
    }
    if (!(await isAgreedTo(options, together(planned), planned.some(hasChanges)))) return;
    const applied: Outcome[] = [];
    for (const outcome of planned) applied.push(await appliedOutcome(realms, outcome, allowDeletes));
    if (asJson) print(json(applied));
    else for (const line of applied.flatMap(resultLines)) print(line);
    printFailures(applied);
  });
}

async function appliedOutcome(realms: RealmAccess, outcome: Outcome, allowDeletes: number): Promise<Outcome> {
  const { desired, plan } = outcome;
  // a realm follows its files even if nothing changes; secrets can differ if the plan has no changes
  const isNeeded = hasChanges(outcome) || desired.input.source !== undefined || unknownIn(outcome).length > 0;
  if (!plan || !isNeeded) return outcome;
  const expected = { allowDeletes, expectedDigest: plan.digest };
  return attempted(desired, () => realms.apply(desired.name, { ...desired.input, ...expected }));
}

const resultLines = ({ desired, plan }: Outcome): string[] => {
  const name = oneLine(desired.name);
  if (!plan) return [`Realm ${name}: not changed.`];
  return plan.changes.length === 0 ? [] : [`Realm ${name}: ${appliedLine('Applied', plan)}`];
};
