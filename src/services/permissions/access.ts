import { grantedThroughGroups, groupsThrough } from '../../database/computed.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { AccessRules, Context } from '../core/context.js';
import type { Alters, Grants, Ids } from '../core/grants.js';
import { adminTools, isWhole } from '../core/held-rights.js';
import type { Permit } from '../core/ports.js';
import { forbidden } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { beyond, beyondAdministration } from '../role-mappings/grantable.js';
import { type Account, decidingSubjects, delegatesAbove } from './above.js';
import { delegationOf } from './delegated.js';

const isList = (ids: Ids): ids is readonly string[] => Array.isArray(ids);

const isEmpty = (ids: Ids | undefined): boolean => ids === undefined || (isList(ids) && ids.length === 0);

const within = (ctx: Context, ids: Ids): Prisma.Sql => (isList(ids) ? listed(ctx.db, [...ids]) : ids);

async function refuseAny(ctx: Context, statement: Prisma.Sql): Promise<void> {
  const found = await ctx.db.query(statement);
  if (found.length > 0) throw forbidden();
}

/** Refuses to hand out, or take away, roles that are beyond the caller's own: the one answer to who may hand out a role. */
export async function requireGrantable(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  { roles, groups, use }: Grants,
): Promise<void> {
  if (isEmpty(roles) && isEmpty(groups)) return;
  const others = isEmpty(roles) ? undefined : beyond({ realm, caller: ctx.caller }, permit, use);
  if (roles && others) {
    await refuseAny(
      ctx,
      Prisma.sql`SELECT 1 AS "found" FROM "Role" WHERE "id" IN (${within(ctx, roles)}) AND "id" IN (${others}) LIMIT 1`,
    );
  }
  // of whom management permissions let into a group no more is asked about its roles than about administration
  const higher = isEmpty(groups) ? undefined : beyondAdministration({ realm, caller: ctx.caller }, permit);
  if (groups && higher) {
    await refuseAny(
      ctx,
      Prisma.sql`WITH RECURSIVE ${higher} SELECT 1 AS "found" FROM "containing"
        WHERE "id" IN (${grantedThroughGroups(within(ctx, groups))}) LIMIT 1`,
    );
  }
  const deciding = await decidingSubjects(ctx, realm, permit, {
    roles: within(ctx, roles ?? []),
    groups: within(ctx, groups ?? []),
  });
  if (deciding) await refuseAny(ctx, deciding);
}

/**
 * Those of the users with administration roles, however they came by them, that the caller does not have, and those whom
 * management permissions let do more than the caller; `which` is a condition on `u`.
 */
async function usersAbove(ctx: Context, { realm }: Target, permit: Permit, which: Prisma.Sql): Promise<Account[]> {
  const higher = beyondAdministration({ realm, caller: ctx.caller }, permit);
  if (!higher) return [];
  const byRoles = await ctx.db.query<Account>(Prisma.sql`WITH RECURSIVE ${higher}, ${groupsThrough}
    SELECT u."id" AS "id", u."serviceAccountClientId" AS "client" FROM "User" u WHERE ${which} AND (
        EXISTS (SELECT 1 FROM "UserRole" ur WHERE ur."userId" = u."id" AND ur."roleId" IN (SELECT "id" FROM "containing"))
        OR EXISTS (SELECT 1 FROM "UserGroup" ug WHERE ug."userId" = u."id" AND ug."groupId" IN (SELECT "id" FROM "through")))
      LIMIT 1000`);
  return [...byRoles, ...(await delegatesAbove(ctx, realm, permit, which))];
}

/** Those of the clients that act as users above the caller, as `usersAbove` finds them: three statements at most. */
export async function clientsAbove(
  ctx: Context,
  target: Target,
  permit: Permit,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await usersAbove(ctx, target, permit, Prisma.sql`u."serviceAccountClientId" IN (${within(ctx, ids)})`);
  return new Set(found.flatMap(({ client }) => client ?? []));
}

/** Whether none of the users is above the caller, as `usersAbove` finds them. */
export const isBelow = async (ctx: Context, target: Target, permit: Permit, users: Ids): Promise<boolean> =>
  isEmpty(users) || (await usersAbove(ctx, target, permit, Prisma.sql`u."id" IN (${within(ctx, users)})`)).length === 0;

/** Refuses to act on users above the caller, as `usersAbove` finds them. */
export async function requireBelow(ctx: Context, target: Target, permit: Permit, users: Ids): Promise<void> {
  if (!(await isBelow(ctx, target, permit, users))) throw forbidden();
}

/**
 * Refuses to change administration roles, and the clients that have them or whose tokens stand for all that a user may do,
 * to callers who may not do everything in the realm.
 */
export async function requireUnrelated(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  { roles = [], clients = [] }: Alters,
): Promise<void> {
  if (isWhole(realm, permit.rights)) return;
  const parts = [
    ...(isEmpty(roles)
      ? []
      : [Prisma.sql`SELECT "roleId" FROM "AdministrationRole" WHERE "roleId" IN (${within(ctx, roles)})`]),
    ...(isEmpty(clients)
      ? []
      : [
          Prisma.sql`SELECT a."roleId" FROM "Role" r JOIN "AdministrationRole" a ON a."roleId" = r."id"
            WHERE r."clientId" IN (${within(ctx, clients)})`,
          Prisma.sql`SELECT "id" FROM "Client" WHERE "id" IN (${within(ctx, clients)})
            AND "clientId" IN (${Prisma.join([...adminTools])})`,
        ]),
  ];
  if (parts.length > 0) await refuseAny(ctx, Prisma.join(parts, ' UNION ALL '));
}

/** What the pipeline asks for every caller. */
export const accessRules: AccessRules = { delegationOf, requireGrantable, requireBelow, requireUnrelated };
