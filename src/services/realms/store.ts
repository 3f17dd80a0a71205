import { groupsOfUser } from '../../database/computed.js';
import type { Db, ModelName } from '../../database/db.js';
import { delegateOf } from '../../database/delegate.js';
import { planAnew } from '../../database/upkeep.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import { conflict } from '../core/refusal.js';
import type { Spool } from '../core/spool.js';
import type { RealmRows } from './assemble/draft.js';
import { type UserRows, userModels } from './assemble/user-batches.js';
import { masterName } from './defaults/master.js';

/**
 * Inserts all rows of a realm, one statement for each table that has any. Further users come in batches of `UserRows`, with
 * as many statements for each batch. Throws `conflict` when a user of these is there already.
 */
export async function insertRealm(tx: Db, rows: RealmRows, users?: Pick<Spool, 'values'>): Promise<void> {
  const { Realm, ...rest } = rows;
  await tx.realm.createMany({ data: Realm });
  for (const [name, data] of Object.entries(rest) as [ModelName, unknown[]][]) {
    await insertRows(tx, name, data);
    if (name !== 'User' || !users) continue;
    let batches = 0;
    for await (const some of users.values()) {
      await insertUsers(tx, Realm[0]?.id ?? '', some as UserRows);
      batches += 1;
      if (growthSteps.has(batches)) await planAnew(tx, userModels);
    }
  }
}

/** After how many batches it pays to tell PostgreSQL that its tables have grown. */
const growthSteps = new Set([4, 32, 256, 2048]);

async function insertRows(tx: Db, name: ModelName, data: unknown[]): Promise<void> {
  if (data.length === 0) return;
  await delegateOf(tx, name).createMany({ data });
}

async function insertUsers(tx: Db, realmId: string, rows: UserRows): Promise<void> {
  const usernames = rows.User.map(({ username }) => username);
  const emails = rows.User.flatMap(({ uniqueEmail }) => uniqueEmail ?? []);
  // each has an index of its own
  const select = { username: true, email: true } as const;
  const [named] = await tx.user.findMany({ where: { realmId, username: { in: usernames } }, select });
  if (named) throw conflict(`User with user name ${named.username} already exists.`, 'users');
  const [addressed] = await tx.user.findMany({ where: { realmId, uniqueEmail: { in: emails } }, select });
  if (addressed) throw conflict(`User with email ${addressed.email} already exists.`, 'users');
  for (const name of userModels) await insertRows(tx, name, rows[name]);
  // no more than these are to wait in memory
  await tx.later.settle();
}

/**
 * Makes the creator of a realm its administrator, as recorded: with every role but that to impersonate (other roles to
 * query come with those to view). Those who have the master realm's role `admin`, whoever gave it to them, are that already.
 */
export async function grantToCreator(tx: Db, caller: Caller, realm: { adminClientId?: string | null }): Promise<void> {
  if (caller.realmName !== masterName || !realm.adminClientId) return;
  await tx.execute(Prisma.sql`
    WITH RECURSIVE ${groupsOfUser(Prisma.sql`${caller.userId}`)}, above("id") AS (
      SELECT a."roleId" FROM "AdministrationRole" a WHERE a."realmId" = ${caller.realmId} AND a."right" = 'admin'
      UNION
      SELECT cr."parentId" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), administrator("id") AS (
      SELECT ur."roleId" FROM "UserRole" ur WHERE ur."userId" = ${caller.userId} AND ur."roleId" IN (SELECT "id" FROM above)
      UNION
      SELECT gr."roleId" FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" IN (SELECT "id" FROM above)
    )
    INSERT INTO "UserRole" ("userId", "roleId", "username")
    SELECT u."id", r."id", u."username"
      FROM "Role" r JOIN "AdministrationRole" a ON a."roleId" = r."id" JOIN "User" u ON u."id" = ${caller.userId}
     WHERE r."clientId" = ${realm.adminClientId} AND (a."right" = 'query-realms' OR a."right" NOT LIKE 'query-%')
       AND a."right" <> 'impersonation' AND NOT EXISTS (SELECT 1 FROM administrator)`);
}
