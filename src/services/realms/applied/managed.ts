import type { Db, ModelName } from '../../../database/db.js';
import { deleteEach } from '../../../database/delete-each.js';
import type { Context } from '../../core/context.js';
import { managedBy } from '../../core/managed.js';
import type { RealmRecord } from '../../core/realm.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Json, type Keyed, keyed, kinds, listOf } from '../desired/kinds.js';
import { wholes } from '../desired/objects.js';
import type { FilePlan } from '../desired/plan.js';
import { additionalNotes } from './containers.js';
import type { Origin } from './record.js';

/** Fields of a file that are not settings of the realm. Texts count as settings, because they have no IDs. */
const noSettings: ReadonlySet<string> = new Set(
  [...kinds, 'roles', 'clientScopeMappings', 'id', 'realm'].filter((name) => name !== 'localizationTexts'),
);

/**
 * The notes about a file. These are the IDs of the objects that the file has or creates, the ID of the realm if the
 * file has any setting, and the notes of `additionalNotes`.
 */
function described({ given, matched, changes, after, unchanged }: FilePlan, realmId: string): Set<string> {
  const ids = new Set<string>();
  if (Object.keys(given).some((name) => !noSettings.has(name))) ids.add(realmId);
  for (const model of Object.keys(wholes) as (ModelName & keyof RealmRows)[]) {
    for (const { id } of after[model] as { id: string }[]) if (matched.has(`${model} ${id}`)) ids.add(id);
  }
  for (const { id } of unchanged) if (matched.has(`User ${id}`)) ids.add(String(id));
  for (const { action, reason, id } of changes) if (action === 'CREATE' && reason === 'NOT_IN_REALM') ids.add(id);
  // a file has no IDs of required actions, and webhooks are no objects of a plan
  const keysOf = (list: string, { key }: Keyed) => new Set(listOf(given, list).map((object: Json) => key(object)));
  const actions = keysOf('requiredActions', keyed.requiredAction);
  for (const { id, alias } of after.RequiredAction) if (actions.has(alias)) ids.add(id);
  const webhooks = keysOf('webhooks', keyed.webhook);
  for (const { id, name } of after.Webhook) if (webhooks.has(name)) ids.add(id);
  return new Set([...ids, ...additionalNotes(given, ids, after)]);
}

async function replaceObjects(tx: Db, realmId: string, ids: Set<string>): Promise<boolean> {
  const stored = await tx.managedObject.findMany({ where: { realmId }, select: { objectId: true } });
  const known = new Set(stored.map(({ objectId }) => objectId));
  const gone = stored.filter(({ objectId }) => !ids.has(objectId)).map((row) => ({ ...row, realmId }));
  const data = [...ids].filter((id) => !known.has(id)).map((objectId) => ({ realmId, objectId }));
  await deleteEach(tx, 'ManagedObject', gone);
  if (data.length > 0) await tx.managedObject.createMany({ data });
  return gone.length + data.length > 0;
}

/**
 * Stores that a realm follows a file, and the objects that it describes, with a fixed number of statements. Returns
 * whether anything of it is new. The version of the realm does not change. A plan for only some objects stores nothing,
 * because the realm then differs from the file.
 */
export async function keepManaged(
  tx: Db,
  { caller, services }: Context,
  realm: RealmRecord,
  plan: FilePlan,
  { source, revision }: Origin,
): Promise<boolean> {
  if (source === undefined || plan.omitted !== undefined) return false;
  const areNew = await replaceObjects(tx, realm.id, described(plan, realm.id));
  const before = managedBy(realm);
  const isSame = before?.source === source && before.revision === revision && plan.changes.length === 0;
  if (isSame && !areNew) return false;
  const managed = {
    source,
    ...(revision !== undefined && { revision }),
    digest: plan.digest,
    appliedAt: services.now(),
    authRealmId: caller.realmId,
    authClientId: caller.clientId,
    authUserId: caller.userId,
  };
  await tx.realm.updateMany({ where: { id: realm.id }, data: { managed } });
  return true;
}

/** Ends the management of a realm by a file. Nothing else of the realm changes. */
export async function endManaged(tx: Db, realmId: string): Promise<void> {
  await tx.managedObject.deleteMany({ where: { realmId } });
  await tx.realm.updateMany({ where: { id: realmId }, data: { managed: {} } });
}
