import type { Context } from '../../core/context.js';
import { missing } from '../../core/permit.js';
import type { RealmRecord } from '../../core/realm.js';
import { type ApplyRow, applySelect } from './representation.js';

export interface ApplyTarget {
  realm: RealmRecord;
  apply: ApplyRow;
}

/** The apply with this ID in the history of a realm. */
export async function applyById(ctx: Context, realm: RealmRecord, id: string): Promise<ApplyTarget> {
  const apply = await ctx.db.realmApply.findFirst({ where: { id, realmId: realm.id }, select: applySelect });
  if (!apply) throw await missing(ctx, realm, 'view:events', 'Could not find apply');
  return { realm, apply };
}
