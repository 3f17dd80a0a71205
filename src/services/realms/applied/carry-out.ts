import type { Db, ModelName } from '../../../database/db.js';
import type { Context } from '../../core/context.js';
import { counted } from '../../core/counted.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, Refusal } from '../../core/refusal.js';
import { noteGrantable } from '../../user-storage/grantable.js';
import { isEmptyDelta } from '../desired/delta.js';
import type { PlannedChange } from '../desired/describe.js';
import { type ObjectKind, wholes } from '../desired/objects.js';
import type { Plan, WholePlan } from '../desired/plan.js';
import { withNewSecrets, writeDelta } from '../desired/write.js';
import { withCascaded } from './cascaded.js';
import { packedDelta } from './inverse.js';
import { withLinks } from './links.js';
import type { Report } from './progress.js';
import { type Origin, type RecordedApply, recordApply } from './record.js';

/** The result of applying a file, or of reverting it. */
export interface Applied extends Plan {
  realmId: string;
  /** undefined if nothing has changed */
  apply?: RecordedApply;
  /** whether the realm follows another version of a file now, or the file describes other objects */
  isManagedAnew?: boolean;
  /** the ID under which others can follow its progress */
  progressId?: string | undefined;
  /** ID of the progress report */
  reportId?: string;
}

/** A plan without the rows that it would write. */
export const shown = ({ digest, summary, changes, warnings, omitted }: Plan): Plan => ({
  digest,
  summary,
  changes,
  warnings,
  ...(omitted !== undefined && { omitted }),
});

/** The conditions that the caller of an apply or a revert sets. */
interface Expected {
  expectedDigest?: string | undefined;
  allowDeletes?: number | undefined;
}

/** Refuses to change more than the caller has seen, and to delete more objects than the caller expects. */
export function requireExpected({ digest, summary }: Plan, { expectedDigest, allowDeletes = 0 }: Expected): void {
  if (expectedDigest !== undefined && expectedDigest !== digest)
    throw new Refusal('stale', 'The realm or the file was changed since the plan was made: make a new plan', {
      field: 'expectedDigest',
    });
  if (summary.delete > allowDeletes)
    throw invalid(
      `The plan would delete ${counted(summary.delete, 'object')}, and \`allowDeletes\` is ${allowDeletes}`,
      'allowDeletes',
    );
}

const kindOf = (model: ModelName): ObjectKind => wholes[model]?.kind({}) ?? 'REALM';

/** The objects of a plan whose parts change, by model. */
function touchedObjects(changes: readonly PlannedChange[]): Map<ModelName, Set<string>> {
  const models = new Map<ObjectKind, ModelName>(
    (Object.keys(wholes) as ModelName[]).flatMap((model) => (model === 'Role' ? [] : [[kindOf(model), model]])),
  );
  const touched = new Map<ModelName, Set<string>>();
  for (const { action, kind, id } of changes) {
    const model = models.get(kind) ?? 'Role';
    if (action === 'UPDATE') touched.set(model, (touched.get(model) ?? new Set()).add(id));
  }
  return touched;
}

/**
 * Writes the changes of a plan, and stores them as an apply that can be reverted. Does nothing if there are no changes.
 */
export async function carryOut(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  { delta: planned, isDecided, ...whole }: WholePlan,
  origin: Origin,
  report: Report['writing'] = async () => undefined,
): Promise<Applied> {
  const result = { ...shown(whole), realmId: realm.id };
  if (isEmptyDelta(planned)) return result;
  const delta = await withLinks(tx, realm.id, withNewSecrets(planned), isDecided);
  // compressed in another thread while the database writes; its errors are thrown where it is awaited
  const inverse = packedDelta(await withCascaded(tx, delta));
  inverse.catch(() => undefined);
  const touched = touchedObjects(whole.changes).set('Realm', new Set([realm.id]));
  await writeDelta(tx, delta, { seal: ctx.services.sealer.seal, touched, report });
  const apply = await recordApply(tx, ctx, realm.id, { ...whole, inverse: await inverse }, origin);
  if (delta.has('Component')) await noteGrantable(tx, realm.id);
  return { ...result, apply };
}
