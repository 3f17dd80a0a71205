import type { Db, ModelName } from '../../../database/db.js';
import { modelOf } from '../../../database/model.js';
import { takenIds } from '../../../database/taken-ids.js';
import { breaksIn, type Pause } from '../../../database/turns.js';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { conflict } from '../../core/refusal.js';
import type { RealmRows } from '../assemble/draft.js';
import { requireAdministration } from '../desired/administration.js';
import { withAffectedUsers } from '../desired/affected-users.js';
import { assembling } from '../desired/assembling.js';
import { administrationRolesOf, currentRealm, type WhichUsers } from '../desired/current.js';
import { type Delta, keyOfRow, type Row } from '../desired/delta.js';
import { describeChanges } from '../desired/describe.js';
import type { Json } from '../desired/kinds.js';
import { type WholePlan, wholePlan } from '../desired/plan.js';
import type { RealmInput } from '../representation.js';
import { linksIn } from './links.js';
import { stayingKey, type Undone, undone } from './undo.js';
import { unreturned } from './unreturned.js';
import { keptWarnings } from './warnings.js';

const texts = (rows: readonly Row[], column: string): string[] =>
  rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column] as string] : []));

/** Every row of an apply, as it was before and after. */
const rowsOf = (delta: Delta, model: ModelName): Row[] => {
  const { inserted = [], updated = [], deleted = [] } = delta.get(model) ?? {};
  return [...inserted, ...deleted, ...updated.flatMap(({ before, after }) => [before, after])];
};

/**
 * The users that a revert concerns: users that the apply has changed, and users that have something that it has
 * created.
 */
function usersOf(delta: Delta): WhichUsers {
  const referring = [...delta.keys()].filter((model) => modelOf(model).fields.has('userId'));
  const ids = new Set([
    ...texts(rowsOf(delta, 'User'), 'id'),
    ...referring.flatMap((model) => texts(rowsOf(delta, model), 'userId')),
  ]);
  const usernames = texts(rowsOf(delta, 'User'), 'username');
  const created = (model: ModelName) => ({ in: texts(delta.get(model)?.inserted ?? [], 'id') });
  const [roleId, groupId, clientId] = [created('Role'), created('Group'), created('Client')];
  return [
    ...(ids.size > 0 ? [{ id: { in: [...ids] } }] : []),
    ...(usernames.length > 0 ? [{ username: { in: usernames } }] : []),
    ...(roleId.in.length > 0 ? [{ roles: { some: { roleId } } }] : []),
    ...(groupId.in.length > 0 ? [{ groups: { some: { groupId } } }] : []),
    ...(clientId.in.length > 0 ? [{ consents: { some: { clientId } } }] : []),
  ];
}

/** The settings of the realm that a revert changes, as the checks of the master realm read them. */
function settingsIn(delta: Delta): RealmInput {
  const [realm] = delta.get('Realm')?.updated ?? [];
  if (!realm) return {};
  return { ...(realm.after.settings as object), enabled: realm.after.enabled === true };
}

/** The IDs of deleted rows that another object has now. */
const takenSince = (db: Db, delta: Delta): Promise<Set<string>> =>
  takenIds(
    db,
    [...delta].flatMap(([model, { deleted }]) =>
      modelOf(model).primaryKey.join() === 'id' ? texts(deleted, 'id') : [],
    ),
  );

/** The changes that revert an apply, without parts that an operation on a single object would refuse. */
async function allowedBack(db: Db, realm: RealmRecord, rows: RealmRows, applied: Delta, pause: Pause): Promise<Undone> {
  const taken = await takenSince(db, applied);
  const staying = new Map<string, (readonly string[])[]>();
  for (;;) {
    const back = await undone(rows, applied, { taken, staying, pause });
    const refused = await unreturned(db, realm, back, applied);
    if (refused.length === 0) return back;
    const isNew = refused.map(({ model, key, paths }) => {
      const name = stayingKey(model, key);
      const known = staying.get(name) ?? [];
      const more = paths.filter((path) => !known.some((other) => other.join() === path.join()));
      staying.set(name, [...known, ...more]);
      return more.length > 0;
    });
    if (!isNew.includes(true))
      throw conflict('The apply can no longer be reverted: what it has changed would be refused');
  }
}

/**
 * Compares a realm with its state before an apply, and returns the changes of a revert. The number of statements
 * depends only on the kinds of objects. Warnings name the parts that stay because they were changed since.
 */
export async function revertPlanOf(ctx: Context, db: Db, realm: RealmRecord, applied: Delta): Promise<WholePlan> {
  const pause = breaksIn(db);
  const current: Json = await currentRealm(db, ctx.services.sealer, realm, usersOf(applied));
  const rows = await assembling(ctx, db, realm, { given: {}, current, pause });
  const back = await allowedBack(db, realm, await rows(current), applied, pause);
  const { before, after, delta } = back;
  await requireAdministration(ctx, db, realm, settingsIn(delta), delta);
  const nothing = new Set<string>();
  const administration = await administrationRolesOf(db, realm);
  const described = await describeChanges(
    { before, after, delta, administration },
    { matched: nothing, missing: nothing },
    pause,
  );
  const changes = await withAffectedUsers(db, described, delta);
  const links = linksIn(applied);
  return wholePlan(
    changes.map((change) => ({ ...change, reason: 'REVERTED' })),
    { delta, before, after, isDecided: (link) => links.has(keyOfRow('FederatedIdentity', link)) },
    keptWarnings(back),
  );
}
