import { requireWhole } from '../../core/entitlement.js';
import { isWhole } from '../../core/held-rights.js';
import { read, write } from '../../core/operation.js';
import type { Permit } from '../../core/ports.js';
import { refreshRealm } from '../../core/realm.js';
import type { Target } from '../../core/target.js';
import { recordsOf, touchesOf } from '../applied/audit.js';
import { type Applied, carryOut, requireExpected, shown } from '../applied/carry-out.js';
import { withLastChanges } from '../applied/drift.js';
import { keepManaged } from '../applied/managed.js';
import { type Report, reportCommitted, reportOf, touchesApply } from '../applied/progress.js';
import { requireViewable } from '../export/whole.js';
import { oneWholeRealm } from '../one-whole-realm.js';
import type { Desired } from './comparison.js';
import { withFaultPlaces } from './file-places.js';
import { hashPasswordsOf, type PasswordHashes } from './plain-passwords.js';
import { type Plan, planOf, requireKeys } from './plan.js';
import { desiredOf, desiredWithUnknowns, hasUnknownValues, RealmPlanInput } from './representation.js';

export const plan = read({
  name: 'realm.plan',
  summary:
    'Returns what a file would change in a realm. Secrets of the file are compared only for administrators with all permissions of the realm.',
  input: RealmPlanInput,
  allow: 'view:realm',
  check: (permit: Permit, _target: Target, { desired }) =>
    requireViewable(permit, { users: desired?.users !== undefined }),
  run: async (ctx, { realm }, input, permit): Promise<Plan> => {
    const comparesSecrets = isWhole(realm, permit.rights);
    await requireKeys(ctx, realm);
    const options = { comparesSecrets, countsUsers: permit.can('view:users') };
    const whole = await oneWholeRealm(
      () => withFaultPlaces(() => planOf(ctx, ctx.db, realm, desiredWithUnknowns(input), options)),
      realm.id,
    );
    return { ...shown(whole), changes: await withLastChanges(ctx, realm.id, whole.changes, whole.before) };
  },
});

/** The data that an apply prepares before its transaction. */
interface Prepared {
  hashes: PasswordHashes;
  report: Report;
}

export const apply = write({
  name: 'realm.apply',
  summary:
    'Changes a realm so that it is as a file describes it: all of it or nothing. Refused if the plan is no longer the expected one, or if more is deleted than allowed.',
  input: RealmPlanInput,
  allow: 'manage:realm',
  isByFile: true,
  takesRights: true,
  keepsAdministrator: true,
  check: (permit: Permit, target: Target) => requireWhole(target, permit),
  prepare: async (ctx, { realm }: Target, input, asked): Promise<Prepared> => {
    const hashes = await withFaultPlaces(() => hashPasswordsOf(realm, desiredOf(input).file));
    const { unit, services } = ctx;
    const dryRun = asked?.dryRun === true || unit?.dryRun === true;
    const report = reportOf(services, {
      realmId: realm.id,
      progressId: input.progressId,
      dryRun,
      isShared: unit !== undefined,
    });
    return { report, hashes };
  },
  release: ({ report }) => report.ended(),
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  refresh: refreshRealm,
  run: async (tx, { realm }, input, { ctx, prepared }): Promise<Applied> => {
    const { hashes, report } = prepared;
    // a second try after a conflict begins again
    await report.planning();
    const asked = { hashes, comparesSecrets: true, countsUsers: true };
    const planned = (desired: Desired) => withFaultPlaces(() => planOf(ctx, tx, realm, desired, asked));
    // the reviewed plan has no secrets
    const reviewed = hasUnknownValues(input) ? await planned(desiredWithUnknowns(input)) : undefined;
    const whole = await planned(desiredOf(input));
    requireExpected({ ...whole, ...(reviewed && { digest: reviewed.digest }) }, input);
    const { source, revision, modes, progressId } = input;
    const applied = await carryOut(tx, ctx, realm, whole, { source, revision, modes }, report.writing);
    const isManagedAnew = await keepManaged(tx, ctx, realm, whole, { source, revision });
    report.written();
    // others can still end its transaction
    ctx.unit?.afterFailure(() => report.failed());
    return { ...applied, isManagedAnew, progressId, reportId: report.id };
  },
  refuses: [
    'ADMINISTRATION',
    'CYCLE',
    'EMAIL_INVALID',
    'EMAIL_TAKEN',
    'NAME_INVALID',
    'NAME_TAKEN',
    'PASSWORD_POLICY',
    'READ_ONLY',
    'REPEATED',
    'SECRET_REQUIRED',
    'USERNAME_INVALID',
    'USERNAME_TAKEN',
  ],
  conflict: () => 'An object with this name was created in the meantime, or two objects change names: plan again',
  event: (applied, _target, { source, revision }) =>
    applied.apply || applied.isManagedAnew
      ? recordsOf(applied, 'apply', { number: applied.apply?.number, source, revision })
      : [],
  touches: ({ changes, isManagedAnew, progressId }, { realm }) => [
    ...touchesOf(changes, realm.id),
    ...(progressId === undefined ? [] : [touchesApply({ realmId: realm.id, progressId })]),
    ...(isManagedAnew ? [`realm:${realm.id}`] : []),
  ],
  effect: ({ services }, applied, { realm }) => reportCommitted(services, realm.id, applied),
});
