import { groupsOfUser } from '../../database/computed.js';
import type { Db, ModelName } from '../../database/db.js';
import { delegateName } from '../../database/model.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import type { RealmRows } from './build/draft.js';
import { masterName } from './defaults/master.js';

type Insert = { createMany(args: { data: unknown[] }): Promise<unknown> };

/** Inserts all rows of a realm, one statement for each table that has any. */
export async function insertRealm(tx: Db, rows: RealmRows): Promise<void> {
  const { Realm, ...rest } = rows;
  await tx.realm.createMany({ data: Realm });
  for (const [name, data] of Object.entries(rest) as [ModelName, unknown[]][]) {
    if (data.length === 0) continue;
    const delegate = tx[delegateName(name) as keyof Db] as unknown as Insert;
    await delegate.createMany({ data });
  }
}

/**
 * Makes the creator of a realm its administrator, as recorded: with every role but that to impersonate (other roles to
 * query come with those to view). Those who have the master realm's role `admin`, whoever gave it to them, are that already.
 */
export async function grantToCreator(tx: Db, caller: Caller, realm: { adminClientId?: string | null }): Promise<void> {
  if (caller.realmName !== masterName || !realm.adminClientId) return;
  await tx.execute(Prisma.sql`
    WITH RECURSIVE ${groupsOfUser(Prisma.sql`${caller.userId}`)}, above("id") AS (
      SELECT r."id" FROM "Role" r WHERE r."container" = ${caller.realmId} AND r."name" = 'admin'
      UNION
      SELECT cr."parentId" FROM above a JOIN "CompositeRole" cr ON cr."childId" = a."id"
    ), administrator("id") AS (
      SELECT ur."roleId" FROM "UserRole" ur WHERE ur."userId" = ${caller.userId} AND ur."roleId" IN (SELECT "id" FROM above)
      UNION
      SELECT gr."roleId" FROM "GroupRole" gr JOIN "memberOf" m ON m."id" = gr."groupId" WHERE gr."roleId" IN (SELECT "id" FROM above)
    )
    INSERT INTO "UserRole" ("userId", "roleId", "username")
    SELECT u."id", r."id", u."username" FROM "Role" r JOIN "User" u ON u."id" = ${caller.userId}
     WHERE r."clientId" = ${realm.adminClientId} AND (r."name" = 'query-realms' OR r."name" NOT LIKE 'query-%')
       AND r."name" <> 'impersonation' AND NOT EXISTS (SELECT 1 FROM administrator)`);
}
