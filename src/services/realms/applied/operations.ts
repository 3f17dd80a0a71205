import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { permissionFor } from '../../core/allow.js';
import type { Context } from '../../core/context.js';
import { requireWhole } from '../../core/entitlement.js';
import { type Managed, managedBy } from '../../core/managed.js';
import { list, read, write } from '../../core/operation.js';
import type { Permit } from '../../core/ports.js';
import { refreshRealm } from '../../core/realm.js';
import { conflict, notFound } from '../../core/refusal.js';
import { placeOfInverse } from '../../core/sealed-columns.js';
import type { Target } from '../../core/target.js';
import type { Delta } from '../desired/delta.js';
import { type Plan, requireKeys } from '../desired/plan.js';
import { requireViewable } from '../export/whole.js';
import { oneWholeRealm } from '../one-whole-realm.js';
import { recordsOf, touchesOf } from './audit.js';
import { type AuthorNames, withAuthorNames } from './author-names.js';
import { type Applied, carryOut, requireExpected, shown } from './carry-out.js';
import { unpackedDelta } from './inverse.js';
import type { ApplyTarget } from './locate.js';
import { endManaged } from './managed.js';
import { revertPlanOf } from './plan.js';
import { type ApplyRow, RealmRevertInput, revertibleUntil } from './representation.js';

export const listApplies = list({
  name: 'realm.applies',
  summary: 'Returns the last 1000 changes of a realm by files and reverts, newest first.',
  // names the authors of changes, as admin events do
  allow: 'view:events',
  model: 'RealmApply',
  where: ({ realm }: Target): Prisma.RealmApplyWhereInput => ({ realmId: realm.id }),
  orderBy: [{ number: 'desc' }, { id: 'asc' }],
});

export const getApply = read({
  name: 'realm.getApply',
  summary: 'Returns a change of a realm by a file, or the revert of one.',
  allow: 'view:events',
  run: async (ctx, { apply }: ApplyTarget): Promise<ApplyRow & AuthorNames> => {
    const [named = apply] = await withAuthorNames(ctx, [apply]);
    return named;
  },
});

/** The changes of an apply. Refused after they have expired. */
async function appliedDelta({ services }: Context, db: Db, { realm, apply }: ApplyTarget): Promise<Delta> {
  const { id } = apply;
  const isExpired = revertibleUntil(apply) <= services.now();
  const row = isExpired
    ? null
    : await db.realmApply.findFirst({ where: { id, realmId: realm.id }, select: { inverse: true } });
  if (!row?.inverse) throw conflict('The apply can no longer be reverted: 30 days have passed', undefined, 'EXPIRED');
  return unpackedDelta(services.sealer.open(row.inverse, placeOfInverse({ id, realmId: realm.id })));
}

export const revertPlan = read({
  name: 'realm.revertPlan',
  summary: 'Returns what a revert of an apply would change. Warnings name what was changed since, which stays.',
  allow: 'view:realm',
  check: (permit: Permit) => requireViewable(permit, { users: true }),
  run: async (ctx, target: ApplyTarget): Promise<Plan> => {
    await requireKeys(ctx, target.realm);
    const planned = async () => revertPlanOf(ctx, ctx.db, target.realm, await appliedDelta(ctx, ctx.db, target));
    return shown(await oneWholeRealm(planned, target.realm.id));
  },
});

export const revert = write({
  name: 'realm.revert',
  summary:
    'Takes back what an apply has changed, except what was changed since. Refused if the plan is no longer the expected one, or if more is deleted than allowed.',
  input: RealmRevertInput,
  allow: 'manage:realm',
  isByFile: true,
  takesRights: true,
  keepsAdministrator: true,
  check: (permit: Permit, target: ApplyTarget) => requireWhole(target, permit),
  lock: ({ realm }) => ({ model: 'Realm', id: realm.id }),
  refresh: (tx, target) => refreshRealm(tx, target),
  run: async (tx, target, input, { ctx }): Promise<Applied> => {
    const whole = await revertPlanOf(ctx, tx, target.realm, await appliedDelta(ctx, tx, target));
    requireExpected(whole, input);
    return carryOut(tx, ctx, target.realm, whole, { reverts: target.apply.number });
  },
  refuses: ['EXPIRED'],
  conflict: () => 'An object with this name was created in the meantime: make a new plan',
  event: (applied, { apply }) =>
    applied.apply ? recordsOf(applied, 'revert', { number: applied.apply.number, reverts: apply.number }) : [],
  touches: ({ changes }, { realm }) => touchesOf(changes, realm.id),
});

export const managed = read({
  name: 'realm.managed',
  summary:
    'Returns which file a realm follows. Who applied it last is included for callers who may view the events of the realm.',
  allow: 'view:realm',
  run: async (_ctx, { realm }: Target, _input, permit): Promise<{ managed: Managed; showsAuthor: boolean }> => {
    const found = managedBy(realm);
    if (!found) throw notFound('The realm follows no file');
    return { managed: found, showsAuthor: permit.can(permissionFor(listApplies)) };
  },
});

export const unmanage = write({
  name: 'realm.unmanage',
  summary: 'Ends that a realm follows a file. Changes nothing else of it.',
  allow: 'manage:realm',
  isByFile: true,
  check: (permit: Permit, target: Target) => requireWhole(target, permit),
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  refresh: refreshRealm,
  run: async (tx, { realm }): Promise<{ realmId: string; isChanged: boolean }> => {
    const isChanged = managedBy(realm) !== undefined;
    if (isChanged) await endManaged(tx, realm.id);
    return { realmId: realm.id, isChanged };
  },
  event: ({ isChanged }) =>
    isChanged ? { operationType: 'ACTION', resourceType: 'REALM', resourcePath: 'unmanage' } : undefined,
  touches: (_result, { realm }) => [`realm:${realm.id}`, 'realms'],
});
