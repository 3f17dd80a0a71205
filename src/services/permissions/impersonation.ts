import DataLoader from 'dataloader';
import { agree, decisionsOf } from '../authorization/evaluation/decide.js';
import type { Identity } from '../authorization/evaluation/identity.js';
import { type EvaluatedPolicy, loadDecidingPolicies } from '../authorization/evaluation/store.js';
import { type Context, loader } from '../core/context.js';
import { decidingServer, type RealmRecord } from '../core/realm.js';
import { forbidden } from '../core/refusal.js';
import { identitiesOf } from './above.js';
import { kinds } from './kinds.js';

const scope = 'user-impersonated';

interface Impersonated {
  id: string;
  username: string;
}

/** The permissions that decide whom others may impersonate. */
const decidingAmong = (policies: ReadonlyMap<string, EvaluatedPolicy>): EvaluatedPolicy[] =>
  [...policies.values()].filter(
    ({ type, resources, scopes, associated }) =>
      type === 'scope' &&
      associated.length > 0 &&
      scopes.some((one) => one.scope.name === scope) &&
      resources.some(({ resource }) => resource.name === kinds.users.prefix),
  );

async function areLet(ctx: Context, serverId: string, users: readonly Impersonated[]): Promise<boolean[]> {
  const policies = await loadDecidingPolicies(ctx.db, serverId);
  const deciding = decidingAmong(policies);
  if (deciding.length === 0) return users.map(() => true);
  const identities = await identitiesOf(
    ctx,
    policies,
    users.map(({ id }) => id),
  );
  return users.map(({ id, username }) => {
    const known = identities?.get(id);
    if (!known) return false;
    const identity: Identity = { ...known, clientId: undefined, claims: { sub: id, preferred_username: username } };
    return deciding.every((policy) => agree(policy.decisionStrategy, decisionsOf(policy, identity, policies)));
  });
}

/**
 * Whether a user may be impersonated by anybody: where `user-impersonated` has policies, these are about the user in question.
 * Users who are asked about at the same time share their statements.
 */
export async function mayImpersonate(ctx: Context, realm: RealmRecord, user: Impersonated): Promise<boolean> {
  const server = decidingServer(realm);
  if (!server) return true;
  const make = () =>
    new DataLoader<Impersonated, boolean, string>((users) => areLet(ctx, server.id, users), {
      cacheKeyFn: ({ id }) => id,
    });
  return loader(ctx, `users of ${realm.id} whom others may impersonate`, make).load(user);
}

/** Refuses users whom nobody may impersonate, whatever permission there is. */
export async function requireImpersonatable(ctx: Context, realm: RealmRecord, user: Impersonated): Promise<void> {
  if (!(await mayImpersonate(ctx, realm, user))) throw forbidden();
}
