import type { Db, ModelName } from '../../../database/db.js';
import { breaksIn, inTurns } from '../../../database/turns.js';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { allFaults, type Fault, refuseAll } from '../../core/refusal.js';
import { keyProviderType } from '../../keys/provider.js';
import type { RealmRows } from '../assemble/draft.js';
import { withAffectedUsers } from './affected-users.js';
import { type Comparison, compared, type Desired, type PlanOptions } from './comparison.js';
import type { Delta, Row } from './delta.js';
import { describeChanges, type PlannedChange } from './describe.js';
import { digestOf, digestWithUnknown } from './digest.js';
import type { Json } from './kinds.js';
import { wholes } from './objects.js';
import { shownText, withoutUnknowns, withShownUnknowns } from './unknown-values.js';
import { warningTexts } from './warnings.js';

interface PlanSummary {
  create: number;
  update: number;
  delete: number;
  unchanged: number;
}

/** The changes that a file would make in a realm. */
export interface Plan {
  /** identifies the plan; equal for the same changes */
  digest: string;
  summary: PlanSummary;
  changes: PlannedChange[];
  warnings: string[];
  /** for a plan of only some objects: number of other objects that would change; undefined for a whole plan */
  omitted?: number;
}

/** A plan with the rows that it writes. */
export interface WholePlan extends Plan {
  delta: Delta;
  /** the desired rows of the realm */
  after: RealmRows;
  /** whether the plan determines a user's link to an identity provider; other links follow their providers */
  isDecided: (link: Row) => boolean;
}

/** The plan of a file. */
export interface FilePlan extends WholePlan {
  /** the current rows of the realm */
  before: RealmRows;
  given: Json;
  /** the objects of the realm that the file has, as `<model> <id>` */
  matched: ReadonlySet<string>;
  /** the users who are in no rows because they do not change */
  unchanged: readonly Json[];
}

/**
 * The faults and warnings of a file, by all rules of a plan for a realm with only the default objects. Throws `invalid`
 * or `unknownField` for fields of other types than in the contract.
 */
export async function checkedFile(
  ctx: Context,
  realm: RealmRecord,
  desired: Desired,
): Promise<Pick<Comparison, 'warnings'> & { faults: Fault[] }> {
  const pause = breaksIn(ctx.db);
  const { given, refusals, warnings } = await compared(ctx, ctx.db, realm, desired, { comparesSecrets: true, pause });
  return { faults: allFaults(withoutUnknowns(refusals.all, given)), warnings };
}

/**
 * Compares a realm with a file, and returns the changes that it would make. The number of statements depends only on
 * the kinds of objects. Other requests run in between. Throws `invalid`, `conflict`, or `unknownField` with all faults
 * of the file and their places.
 */
export async function planOf(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  desired: Desired,
  options: PlanOptions,
): Promise<FilePlan> {
  const pause = breaksIn(db);
  const comparison = await compared(ctx, db, realm, desired, { ...options, pause });
  const { given, names, administration, unchanged, before, after, delta, refusals } = comparison;
  refuseAll(withoutUnknowns(refusals.all, given));
  const described = await describeChanges({ before, after, delta, administration }, names, pause);
  const shown = await inTurns(described, withShownUnknowns, pause);
  const changes = options.countsUsers ? await withAffectedUsers(db, shown, delta) : shown;
  const users = new Set<unknown>(after.User.map(({ id }) => id));
  const rows = { delta, after, isDecided: ({ userId }: Row) => users.has(userId) };
  const warnings = warningTexts(comparison.warnings, given).map(shownText);
  await pause();
  const plan = wholePlan(changes, { ...rows, before }, warnings);
  plan.summary.unchanged += unchanged.length;
  if (desired.unknown?.length) plan.digest = digestWithUnknown(plan.digest, desired.unknown, before);
  const { omitted } = comparison;
  return { ...plan, given, matched: names.matched, unchanged, ...(omitted !== undefined && { omitted }) };
}

/** A plan of these changes. */
export const wholePlan = <R extends Pick<FilePlan, 'delta' | 'before' | 'after' | 'isDecided'>>(
  changes: PlannedChange[],
  rows: R,
  warnings: string[],
): R & WholePlan => ({
  ...rows,
  changes,
  summary: summaryOf(changes, rows.after),
  digest: digestOf(changes, rows),
  warnings,
});

function summaryOf(changes: readonly PlannedChange[], after: RealmRows): PlanSummary {
  const count = (action: PlannedChange['action']) => changes.filter((change) => change.action === action).length;
  const [create, update] = [count('CREATE'), count('UPDATE')];
  const models = Object.keys(wholes) as (ModelName & keyof RealmRows)[];
  const all = models.reduce((sum, model) => sum + after[model].length, 0);
  return { create, update, delete: count('DELETE'), unchanged: all - create - update };
}

/**
 * Creates the keys of a realm that has none before a plan is made; otherwise they are created when first needed. With a
 * new key, the digest of the plan would change. Does nothing in a shared transaction, because others wait for it.
 */
export async function requireKeys({ services, db, unit }: Context, realm: RealmRecord): Promise<void> {
  if (unit) return;
  const where = { realmId: realm.id, providerType: keyProviderType, secrets: { not: null } };
  if ((await db.component.count({ where })) === 0) await services.keyring.realmKeys(realm);
}
