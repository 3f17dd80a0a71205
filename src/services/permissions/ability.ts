import type { AbilityAnswer, AbilityOf, AbilityReason } from '../core/ability.js';
import type { Context } from '../core/context.js';
import { isWhole } from '../core/held-rights.js';
import type { AnyWrite } from '../core/operation.js';
import type { Permission } from '../core/permissions.js';
import type { Permit } from '../core/ports.js';
import type { RealmRecord } from '../core/realm.js';
import { isEntitled } from './entitled.js';

/** A question whether a caller may perform a write on an object. */
export interface Asked<R> {
  realm: RealmRecord;
  permit: Permit;
  row: R;
  /** the target of the write, as far as its entitlement rules need it */
  target: object;
  permission: Permission;
  /** whether the caller has the permission for the object */
  isPermitted: boolean;
}

type Entitling = Pick<AnyWrite, 'grants' | 'actsOn' | 'alters'>;

/** The entitlement rules of a write that can be checked before the input is known. */
export function entitledBy<R>(ability: AbilityOf<R>, row: R): { entitled: Entitling; input: unknown } {
  const { operation } = ability;
  const { actsOn, alters } = operation;
  // rights that depend on an input are not known yet
  const entitled = ability.input || !operation.input ? operation : { actsOn, alters };
  return { entitled, input: ability.input?.(row) ?? {} };
}

/** Whether a caller may perform a write on an object, with the checks of the write in their order. */
export async function abilityOf<R>(
  ctx: Context,
  ability: AbilityOf<R>,
  { realm, permit, row, target, permission, isPermitted }: Asked<R>,
): Promise<AbilityAnswer> {
  const because = (reason?: AbilityReason): AbilityAnswer => ({ permission, reason });
  if (!isPermitted) return because('LACKS_PERMISSION');
  const { entitled, input } = entitledBy(ability, row);
  const isWholeOnly = ability.takesAll?.(row) ?? false;
  if (isWholeOnly && !isWhole(realm, permit.rights)) return because('BEYOND_OWN_PERMISSIONS');
  if (!(await isEntitled(ctx, entitled, permit, { ...target, realm }, input))) return because('BEYOND_OWN_PERMISSIONS');
  if (ability.isLetBy && !(await ability.isLetBy(ctx, realm, row))) return because('REFUSED_BY_POLICY');
  const bars = await Promise.all(
    Object.entries(ability.bars ?? {}).map(async ([bar, isBarred]) => ((await isBarred(row, realm, ctx)) ? bar : [])),
  );
  return because(bars.flat()[0] as AbilityReason | undefined);
}
