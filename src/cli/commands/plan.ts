import type { NamedObject } from '../../services/realms/desired/objects.js';
import type { ShownPlan } from '../../services/realms/desired/representation.js';
import { unknownDigest } from '../../services/realms/desired/unknown-values.js';
import type { ServerOptions } from '../access/credentials.js';
import { withDesired } from '../access/open.js';
import { type Desired, desiredInput, unknownReferences } from '../desired/input.js';
import { maskedPlan } from '../desired/mask-plan.js';
import { type OriginOptions, originOf } from '../desired/origin.js';
import {
  changeLines,
  grantLines,
  partialLines,
  planJson,
  planMarkdown,
  summaryLine,
  unknownLines,
} from '../desired/plan-text.js';
import { oneLine, painter, print, printError } from '../print.js';
import { type DesiredOptions, loadOptions } from './validate.js';

/** Options of the commands that compare files with a realm. */
export interface PlanOptions extends DesiredOptions, ServerOptions {
  realm?: string;
  json?: boolean;
  markdown?: boolean;
  target?: NamedObject[];
}

/**
 * The realm that the files of a command describe. `digest` is the digest of an earlier plan; if that was made without
 * secrets, the same values are known. Throws DesiredRealmError with all faults of the files.
 */
export const desiredBy = (files: string[], options: PlanOptions, digest = ''): Desired =>
  desiredInput(files, { ...loadOptions(options, digest.startsWith(unknownDigest)), realm: options.realm });

/** The realm that the files of a command describe, with the origin of the files. */
export function desiredWithOrigin(files: string[], options: PlanOptions & OriginOptions, digest?: string): Desired {
  const { input, ...desired } = desiredBy(files, options, digest);
  const { target: targets } = options;
  const origin = originOf(files, options, process.env);
  return { ...desired, input: { ...input, ...(targets && { targets }), ...origin } };
}

/**
 * Prints the changes that files would make in a realm. The exit status is 2 if there are any. Throws a refusal that
 * names the field.
 */
export function planRealm(files: string[], options: PlanOptions & OriginOptions): Promise<void> {
  const desired = desiredWithOrigin(files, options);
  const { name, input, secrets } = desired;
  return withDesired(options, desired, async (realms) => {
    const plan = maskedPlan(await realms.plan(name, input), secrets);
    const unknown = unknownReferences(input);
    if (options.json) print(planJson(plan));
    else if (options.markdown) print(planMarkdown(name, plan, unknown));
    else printPlan(plan, unknown);
    if (plan.changes.length > 0) process.exitCode = 2;
  });
}

/** Prints a plan as text: the objects with their fields, the counts, and the digest. */
export function printPlan(plan: ShownPlan, unknown: readonly string[]): void {
  printChanges(plan, unknown);
  if (plan.changes.length > 0 || unknown.length > 0) print(`digest ${plan.digest}`);
}

/** Prints a plan without its digest. */
export function printChanges(plan: ShownPlan, unknown: readonly string[]): void {
  const paint = painter(process.stdout);
  for (const line of grantLines(plan, paint)) print(line);
  for (const change of plan.changes) for (const line of changeLines(change, paint)) print(line);
  printWarnings(plan);
  for (const line of [...unknownLines(unknown), ...partialLines(plan)]) print(line);
  print(summaryLine(plan));
}

/** Prints warnings about parts of the files that have no effect in the realm. */
export function printWarnings({ warnings }: ShownPlan): void {
  for (const warning of warnings) printError(`warning: ${oneLine(warning)}`);
}
