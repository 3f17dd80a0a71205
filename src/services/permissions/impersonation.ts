import { agree, PolicyEvaluator } from '../authorization/evaluation/decide.js';
import type { Identity } from '../authorization/evaluation/identity.js';
import { type EvaluatedPolicy, loadDecidingPolicies } from '../authorization/evaluation/store.js';
import { type Context, loader } from '../core/context.js';
import { batchLoader } from '../core/pace.js';
import { decidingServer, type RealmRecord } from '../core/realm.js';
import { forbidden } from '../core/refusal.js';
import { identitiesOf } from './above.js';
import type { DecidedPermission } from './delegated.js';
import { kinds } from './kinds.js';

/** The scope for the users who may be impersonated. */
export const impersonatedScope = 'user-impersonated';

interface Impersonated {
  id: string;
  username: string;
}

/** The permissions that decide which users may be impersonated. */
const decidingAmong = (policies: ReadonlyMap<string, EvaluatedPolicy>): EvaluatedPolicy[] =>
  [...policies.values()].filter(
    ({ type, resources, scopes, associated }) =>
      type === 'scope' &&
      associated.length > 0 &&
      scopes.some((one) => one.scope.name === impersonatedScope) &&
      resources.some(({ resource }) => resource.name === kinds.users.prefix),
  );

/** Whether a user may be impersonated, with the reasons. */
export interface Impersonation {
  isLet: boolean;
  /**
   * the deciding permissions, with the results of their policies for the user; empty if there is too much to compare
   */
  permissions: DecidedPermission[];
  /** evaluates the policies for the user; undefined without permissions */
  evaluator: PolicyEvaluator | undefined;
}

async function decisionsAbout(
  ctx: Context,
  serverId: string,
  users: readonly Impersonated[],
): Promise<Impersonation[]> {
  const policies = await loadDecidingPolicies(ctx.db, serverId);
  const deciding = decidingAmong(policies);
  const without = (isLet: boolean): Impersonation => ({ isLet, permissions: [], evaluator: undefined });
  if (deciding.length === 0) return users.map(() => without(true));
  const identities = await identitiesOf(
    ctx,
    policies,
    users.map(({ id }) => id),
  );
  return users.map(({ id, username }) => {
    const known = identities?.get(id);
    if (!known) return without(false);
    const identity: Identity = { ...known, clientId: undefined, claims: { sub: id, preferred_username: username } };
    const evaluator = new PolicyEvaluator(identity, policies);
    const permissions = deciding.map((permission) => {
      const decisions = evaluator.decisionsOf(permission);
      return { permission, decisions, isGranted: agree(permission.decisionStrategy, decisions) };
    });
    return { isLet: permissions.every(({ isGranted }) => isGranted), permissions, evaluator };
  });
}

/**
 * Whether a user may be impersonated at all: policies of `user-impersonated` are evaluated for the user in question.
 * Concurrent checks share their statements.
 */
export async function mayImpersonate(ctx: Context, realm: RealmRecord, user: Impersonated): Promise<boolean> {
  const found = await impersonationOf(ctx, realm, user);
  return found?.isLet ?? true;
}

/** The decision with its reasons; undefined without management permissions. */
export async function impersonationOf(
  ctx: Context,
  realm: RealmRecord,
  user: Impersonated,
): Promise<Impersonation | undefined> {
  const server = decidingServer(realm);
  if (!server) return undefined;
  const make = () =>
    batchLoader<Impersonated, Impersonation, string>(ctx, (users) => decisionsAbout(ctx, server.id, users), {
      cacheKeyFn: ({ id }) => id,
    });
  return loader(ctx, `users of ${realm.id} whom others may impersonate`, make).load(user);
}

/** Refuses users that nobody may impersonate, regardless of other permissions. */
export async function requireImpersonatable(ctx: Context, realm: RealmRecord, user: Impersonated): Promise<void> {
  if (!(await mayImpersonate(ctx, realm, user))) throw forbidden();
}
