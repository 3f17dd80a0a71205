import { listed, unionOf } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Alters, Grants, Ids, Use, Users } from '../core/grants.js';
import { adminTools, isWhole } from '../core/held-rights.js';
import type { Permit } from '../core/ports.js';
import { forbidden } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { beyond, beyondAdministration } from '../role-mappings/store.js';
import { decidingSubjects, delegatesAbove } from './above.js';
import {
  type Account,
  administrationRolesAmong,
  anyNamed,
  anyOfRoles,
  anyThroughGroups,
  clientsOfAdministration,
  groupsBelow,
  itemsNamed,
  itemsOf,
  itemsThroughGroups,
  numbered,
  oneOfAccounts,
  oneOfLinked,
  oneOfUsers,
  usersWithRoles,
} from './store.js';

const isList = (ids: Ids): ids is readonly string[] => Array.isArray(ids);

const isEmpty = (ids: Ids | undefined): boolean => ids === undefined || (isList(ids) && ids.length === 0);

/** A query for IDs. */
export const within = (ctx: Context, ids: Ids): Prisma.Sql => (isList(ids) ? listed(ctx.db, [...ids]) : ids);

/** Groups, and other groups with all groups below them. */
export function groupsIn(ctx: Context, groups: Ids | undefined, trees: readonly string[]): Ids | undefined {
  if (trees.length === 0) return groups;
  const below = groupsBelow(listed(ctx.db, trees));
  return groups === undefined || isEmpty(groups) ? below : unionOf([below, within(ctx, groups)]);
}

/**
 * One query for the rows of several queries, with the columns `item`, the index of the query that finds a row, and
 * `id`.
 */
export function asked(ctx: Context, queries: readonly (Ids | undefined)[]): Prisma.Sql | undefined {
  const given = queries.map((ids) => (ids === undefined || isEmpty(ids) ? undefined : within(ctx, ids)));
  return given.some((one) => one !== undefined) ? numbered(given) : undefined;
}

/** The condition for the given users `u`. */
export function usersCondition(ctx: Context, users: Users): Prisma.Sql {
  if (!('of' in users)) return oneOfUsers(within(ctx, users));
  return (users.of === 'client' ? oneOfAccounts : oneOfLinked)(listed(ctx.db, users.ids));
}

const isNobody = (users: Users): boolean => ('of' in users ? users.ids.length === 0 : isEmpty(users));

async function refuseAny(ctx: Context, statement: Prisma.Sql): Promise<void> {
  const found = await ctx.db.query(statement);
  if (found.length > 0) throw forbidden();
}

/** Refuses to grant or revoke roles that exceed the caller's own rights: the only rule for granting roles. */
export async function requireGrantable(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  { roles, groups: single, trees = [], use }: Grants,
): Promise<void> {
  const groups = groupsIn(ctx, single, trees);
  if (isEmpty(roles) && isEmpty(groups)) return;
  const others = isEmpty(roles) ? undefined : beyond({ realm, caller: ctx.caller }, permit, use);
  if (roles && others) {
    await refuseAny(ctx, anyOfRoles(within(ctx, roles), others));
  }
  // a caller who may manage group membership does not need permission for the group's roles, except administration
  // roles
  const higher = isEmpty(groups) ? undefined : beyondAdministration({ realm, caller: ctx.caller }, permit);
  if (groups && higher) {
    await refuseAny(ctx, anyThroughGroups(higher, within(ctx, groups)));
  }
  const deciding = await decidingSubjects(ctx, realm, permit);
  if (deciding) await refuseAny(ctx, anyNamed(deciding, within(ctx, roles ?? []), within(ctx, groups ?? [])));
}

/** Queries with the columns `item` and `id` for the roles and groups of several objects. */
interface EachGranted {
  roles?: Prisma.Sql | undefined;
  groups?: Prisma.Sql | undefined;
  use?: Use | undefined;
}

/** The objects of a batch whose roles or groups exceed the rights of the caller, by the rules of `requireGrantable`. */
export async function ungrantableAmong(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  { roles, groups, use }: EachGranted,
): Promise<string[]> {
  if (!roles && !groups) return [];
  const grantor = { realm, caller: ctx.caller };
  const others = roles && beyond(grantor, permit, use);
  const higher = groups && beyondAdministration(grantor, permit);
  const deciding = await decidingSubjects(ctx, realm, permit);
  const statements = [
    ...(roles && others ? [itemsOf(roles, others)] : []),
    ...(groups && higher ? [itemsThroughGroups(higher, groups)] : []),
    ...(deciding ? [itemsNamed(deciding, roles, groups)] : []),
  ];
  const found = await Promise.all(statements.map((statement) => ctx.db.query<{ item: string }>(statement)));
  return found.flat().map(({ item }) => item);
}

/**
 * The users who have administration roles, by any way, that the caller does not have, and users who have more rights
 * than the caller by management permissions. `which` is a condition on `u`.
 */
export async function usersAbove(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  which: Prisma.Sql,
): Promise<Account[]> {
  const higher = beyondAdministration({ realm, caller: ctx.caller }, permit);
  if (!higher) return [];
  const byRoles = await usersWithRoles(ctx.db, higher, which);
  return [...byRoles, ...(await delegatesAbove(ctx, realm, permit, which))];
}

/** Whether none of the users is above the caller, by the rules of `usersAbove`. */
export const isBelow = async (ctx: Context, target: Target, permit: Permit, users: Users): Promise<boolean> =>
  isNobody(users) || (await usersAbove(ctx, target, permit, usersCondition(ctx, users))).length === 0;

/** Refuses to act on users above the caller, by the rules of `usersAbove`. */
export async function requireBelow(ctx: Context, target: Target, permit: Permit, users: Users): Promise<void> {
  if (!(await isBelow(ctx, target, permit, users))) throw forbidden();
}

/** Queries for the given roles and clients that administration depends on. */
const administrative = (ctx: Context, { roles = [], clients = [] }: Alters): Prisma.Sql[] => [
  ...(isEmpty(roles) ? [] : [administrationRolesAmong(within(ctx, roles))]),
  ...(isEmpty(clients) ? [] : [clientsOfAdministration(within(ctx, clients), adminTools)]),
];

/**
 * Refuses callers without all rights in the realm to change administration roles. The same holds for clients that have
 * such roles, or whose tokens have all rights of the user.
 */
export async function requireUnrelated(
  ctx: Context,
  { realm }: Target,
  permit: Permit,
  { roles = [], clients = [] }: Alters,
): Promise<void> {
  if (isWhole(realm, permit.rights)) return;
  const parts = administrative(ctx, { roles, clients });
  if (parts.length > 0) await refuseAny(ctx, unionOf(parts));
}
