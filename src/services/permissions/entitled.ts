import type DataLoader from 'dataloader';
import { listed } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { type AccessRules, type Context, loader } from '../core/context.js';
import type { Entitled, Grants, Ids, Use, Users } from '../core/grants.js';
import { adminTools, isWhole } from '../core/held-rights.js';
import { batchLoader } from '../core/pace.js';
import type { Permit } from '../core/ports.js';
import { Refusal } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { beyond, beyondAdministration } from '../role-mappings/store.js';
import { decidingSubjects } from './above.js';
import {
  asked,
  groupsIn,
  requireBelow,
  requireGrantable,
  requireUnrelated,
  ungrantableAmong,
  usersAbove,
  usersCondition,
} from './access.js';
import { delegationOf } from './delegated.js';
import { requireAdministrator, requireOtherAdministrator } from './last-administrator.js';
import {
  type Account,
  administrationRolesAmong,
  clientsOfAdministration,
  groupsNamed,
  groupsWithRoles,
  idsAmong,
  itemsOf,
  linksOfUsers,
  mostAccounts,
  type Reach,
  rolesAmong,
  rolesNamed,
} from './store.js';

// The rules of `requireEntitled` for all objects of a request at once.

type Asking = Target & { permit: Permit };
type Find = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Loads whether a query finds an ID, for many IDs of a realm at once. */
const among = (ctx: Context, { realm }: Target, what: string, find: Find): DataLoader<string, boolean> =>
  loader(ctx, `${what} of ${realm.id}`, () => {
    const ask = async (ids: readonly string[]) => {
      const found = await find(ids);
      return ids.map((id) => found.has(id));
    };
    return batchLoader(ctx, ask, { maxBatchSize: mostAccounts });
  });

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id));

/** Whether a query finds none of the IDs. */
const noneOf = async (found: DataLoader<string, boolean>, ids: readonly string[]): Promise<boolean> =>
  (await Promise.all(ids.map((id) => found.load(id)))).every((isFound) => !isFound);

/** Whether a rule of one target passes, for rules that cannot be checked for many objects at once. */
async function isLet(rule: Promise<void>): Promise<boolean> {
  try {
    await rule;
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'forbidden') return false;
    throw error;
  }
}

/** Maximum queries in one batch: a page has no more objects. */
const mostQueries = 500;

/** Loads whether each of many concurrent questions has a result. `find` returns the indexes with a result. */
const ofQueries = <Q>(
  ctx: Context,
  { realm }: Target,
  what: string,
  find: (asked: readonly Q[]) => Promise<ReadonlySet<string>>,
) =>
  loader(ctx, `${what} of ${realm.id}`, () => {
    const ask = async (asked: readonly Q[]) => {
      const found = await find(asked);
      return asked.map((_, place) => found.has(String(place)));
    };
    return batchLoader(ctx, ask, { cache: false, maxBatchSize: mostQueries });
  });

/** The indexes of the queries that find a user above the caller. */
async function queriesAbove(
  ctx: Context,
  queries: readonly Prisma.Sql[],
  ask: (which: Prisma.Sql) => Promise<Account[]>,
): Promise<ReadonlySet<string>> {
  const users = asked(ctx, queries);
  if (!users) return new Set();
  const found = await ask(idsAmong(users));
  if (found.length === 0) return new Set();
  // the list of users is incomplete: each query has to be checked separately
  if (found.length >= mostAccounts && queries.length > 1) {
    const one = async (query: Prisma.Sql, place: number) => ((await ask(query)).length > 0 ? String(place) : []);
    return new Set((await Promise.all(queries.map(one))).flat());
  }
  const rows = await ctx.db.query<{ item: string }>(itemsOf(users, listed(ctx.db, [...idsOf(found)])));
  return new Set(rows.map(({ item }) => item));
}

const isList = (ids: Users): ids is readonly string[] => Array.isArray(ids);

async function areBelow(ctx: Context, asking: Asking, users: Users): Promise<boolean> {
  const { permit } = asking;
  const ask = (which: Users) => usersAbove(ctx, asking, permit, usersCondition(ctx, which));
  if (isList(users)) {
    const above = among(ctx, asking, 'users above the caller', async (ids) => idsOf(await ask(ids)));
    return noneOf(above, users);
  }
  if (!('of' in users)) {
    const above = (queries: readonly Prisma.Sql[]) => queriesAbove(ctx, queries, async (which) => ask(which));
    return !(await ofQueries(ctx, asking, 'users above the caller by queries', above).load(users));
  }
  const find: Find = async (ids) => {
    const found = await ask({ of: users.of, ids });
    if (users.of === 'client') return new Set(found.flatMap(({ client }) => client ?? []));
    if (found.length < mostAccounts) return idsOf(await linksOfUsers(ctx.db, idsOf(found)));
    // the list of users is incomplete: each storage has to be checked separately
    const one = async (id: string) => ((await ask({ of: 'storage', ids: [id] })).length > 0 ? id : []);
    return new Set((await Promise.all(ids.map(one))).flat());
  };
  return noneOf(among(ctx, asking, `${users.of}s of users above the caller`, find), users.ids);
}

async function areGrantable(ctx: Context, asking: Asking, grants: Grants): Promise<boolean> {
  const { roles = [], groups = [], trees = [], use } = grants;
  if (!isList(roles) || !isList(groups)) {
    const find = async (all: readonly Grants[]) => {
      const each = {
        roles: asked(
          ctx,
          all.map((one) => one.roles),
        ),
        groups: asked(
          ctx,
          all.map((one) => one.groups),
        ),
        use,
      };
      return new Set(await ungrantableAmong(ctx, asking, asking.permit, each));
    };
    const beyondCaller = ofQueries(ctx, asking, `grants beyond the caller for ${use}`, find);
    return !(await beyondCaller.load({ roles: grants.roles, groups: groupsIn(ctx, grants.groups, trees) }));
  }
  const found = await Promise.all([
    noneOf(among(ctx, asking, `roles beyond the caller for ${use}`, beyondFor(ctx, asking, use)), roles),
    noneOf(among(ctx, asking, 'groups beyond the caller', groupsBeyond(ctx, asking, 'itself')), groups),
    noneOf(among(ctx, asking, 'trees beyond the caller', groupsBeyond(ctx, asking, 'tree')), trees),
  ]);
  return found.every((one) => one);
}

const beyondFor =
  (ctx: Context, { realm, permit }: Asking, use: Use | undefined): Find =>
  async (ids) => {
    const others = beyond({ realm, caller: ctx.caller }, permit, use);
    const named = await decidingSubjects(ctx, realm, permit);
    const roles = listed(ctx.db, ids);
    const rows = await Promise.all([
      others ? ctx.db.query<{ id: string }>(rolesAmong(roles, others)) : [],
      named ? ctx.db.query<{ id: string }>(rolesNamed(named, roles)) : [],
    ]);
    return idsOf(rows.flat());
  };

const groupsBeyond =
  (ctx: Context, { realm, permit }: Asking, reach: Reach): Find =>
  async (ids) => {
    const higher = beyondAdministration({ realm, caller: ctx.caller }, permit);
    const named = await decidingSubjects(ctx, realm, permit);
    const groups = listed(ctx.db, ids);
    const rows = await Promise.all([
      higher ? ctx.db.query<{ id: string }>(groupsWithRoles(higher, groups, reach)) : [],
      named ? ctx.db.query<{ id: string }>(groupsNamed(named, groups, reach)) : [],
    ]);
    return idsOf(rows.flat());
  };

async function areUnrelated(ctx: Context, asking: Asking, roles: Ids, clients: Ids): Promise<boolean> {
  if (!isList(roles) || !isList(clients)) {
    return isLet(requireUnrelated(ctx, asking, asking.permit, { roles, clients }));
  }
  const ofRoles: Find = async (ids) => idsOf(await ctx.db.query(administrationRolesAmong(listed(ctx.db, ids))));
  const ofClients: Find = async (ids) =>
    idsOf(await ctx.db.query(clientsOfAdministration(listed(ctx.db, ids), adminTools)));
  const found = await Promise.all([
    noneOf(among(ctx, asking, 'administration roles', ofRoles), roles),
    noneOf(among(ctx, asking, 'clients of administration', ofClients), clients),
  ]);
  return found.every((one) => one);
}

/**
 * Whether the caller may perform a write on a target by `requireEntitled`. Concurrent checks share their statements.
 */
export async function isEntitled<T extends Target, I>(
  ctx: Context,
  { grants, actsOn, alters }: Entitled<T, I, Context>,
  permit: Permit,
  target: T,
  input: I,
): Promise<boolean> {
  if ((!grants && !actsOn && !alters) || isWhole(target.realm, permit.rights)) return true;
  const asking = { ...target, permit };
  const [altered, users, granted] = await Promise.all([
    alters?.(target, input, ctx),
    actsOn?.(target, input, ctx),
    grants?.(target, input, ctx),
  ]);
  const answers = await Promise.all([
    altered ? areUnrelated(ctx, asking, altered.roles ?? [], altered.clients ?? []) : true,
    users ? areBelow(ctx, asking, users) : true,
    granted ? areGrantable(ctx, asking, granted) : true,
  ]);
  return answers.every((answer) => answer);
}

/** The access rules of the pipeline. */
export const accessRules: AccessRules = {
  delegationOf,
  requireGrantable,
  requireBelow,
  requireAdministrator,
  requireOtherAdministrator,
  requireUnrelated,
  isEntitled,
};
