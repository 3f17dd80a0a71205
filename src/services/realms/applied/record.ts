import { limit } from '../../../config/limits.js';
import type { Db } from '../../../database/db.js';
import type { Context } from '../../core/context.js';
import { placeOfInverse } from '../../core/sealed-columns.js';
import type { Modes } from '../desired/kinds.js';
import type { Plan } from '../desired/plan.js';

/** Maximum stored applies of a realm; older ones are removed. */
export const mostApplies = limit(
  'Objects',
  'Applies of a realm that are kept',
  1000,
  'applies',
  'the oldest are removed',
);

/** The origin of a change of a realm. */
export interface Origin {
  source?: string | undefined;
  revision?: string | undefined;
  modes?: Modes | undefined;
  /** the number of the apply that this one reverts */
  reverts?: number | undefined;
}

/** The identification of an apply. */
export interface RecordedApply {
  id: string;
  number: number;
}

/** Stores an apply, with the packed delta that reverts it. Its caller has locked the realm. */
export async function recordApply(
  tx: Db,
  { services, caller }: Context,
  realmId: string,
  { digest, summary, inverse }: Pick<Plan, 'digest' | 'summary'> & { inverse: string },
  { source, revision, modes, reverts }: Origin,
): Promise<RecordedApply> {
  const [last] = await tx.realmApply.findMany({
    where: { realmId },
    select: { number: true },
    orderBy: { number: 'desc' },
    take: 1,
  });
  const id = services.newId();
  const number = (last?.number ?? 0) + 1;
  await tx.realmApply.createMany({
    data: {
      id,
      realmId,
      number,
      reverts: reverts ?? null,
      source: source ?? null,
      revision: revision ?? null,
      digest,
      modes: modes ?? {},
      created: summary.create,
      updated: summary.update,
      deleted: summary.delete,
      appliedAt: BigInt(services.now()),
      authRealmId: caller.realmId,
      authClientId: caller.clientId,
      authUserId: caller.userId,
      inverse: services.sealer.seal(inverse, placeOfInverse({ id, realmId })),
    },
  });
  if (number > mostApplies)
    await tx.realmApply.deleteMany({ where: { realmId, number: { lte: number - mostApplies } } });
  return { id, number };
}
