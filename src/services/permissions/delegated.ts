import { agree, decisionsOf } from '../authorization/evaluation/decide.js';
import { groupPaths, type Identity, roleKey } from '../authorization/evaluation/identity.js';
import { type EvaluatedPolicy, loadDecidingPolicies } from '../authorization/evaluation/store.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import type { Delegation } from '../core/delegation.js';
import { inToken } from '../core/held-rights.js';
import { kinds } from './kinds.js';
import { type HeldRole, heldRoles } from './store.js';

/** The prefixes of resources by what they are about; all users are one resource without an id. */
const prefixes = { groups: kinds.group.prefix, clients: kinds.client.prefix, roles: kinds.role.prefix } as const;

/**
 * What the management permissions in a resource server let the caller do: four statements, whatever their number.
 * `allRoles` says that the caller may use all roles that the user has, not only those of its token.
 */
export async function delegationOf(ctx: Context, serverId: string, allRoles: boolean): Promise<Delegation> {
  const policies = await loadDecidingPolicies(ctx.db, serverId);
  if (policies.size === 0) return scopesBy(policies, () => undefined);
  const identity = await identityOf(ctx, ctx.caller, allRoles);
  return scopesBy(policies, (permission) => {
    const decisions = decisionsOf(permission, identity, policies);
    return decisions.length === 0 ? undefined : agree(permission.decisionStrategy, decisions);
  });
}

/** The scopes that permissions give, where `decide` says yes, no, or nothing. Of what one permission denies no other can grant it. */
export function scopesBy(
  policies: ReadonlyMap<string, EvaluatedPolicy>,
  decide: (permission: EvaluatedPolicy) => boolean | undefined,
): Delegation {
  const found = {
    users: new Set<string>(),
    groups: new Map<string, Set<string>>(),
    clients: new Map<string, Set<string>>(),
    roles: new Map<string, Set<string>>(),
  };
  const denied: (() => void)[] = [];
  for (const permission of policies.values()) {
    if (permission.type !== 'scope' && permission.type !== 'resource') continue;
    const permit = decide(permission);
    if (permit === undefined) continue;
    for (const { resource } of permission.resources) {
      const about = permission.scopes.length > 0 ? permission.scopes : resource.scopes;
      const scopes = scopesAbout(found, resource.name);
      if (!scopes) continue;
      for (const { scope } of about) {
        if (permit) scopes.add(scope.name);
        else denied.push(() => scopes.delete(scope.name));
      }
    }
  }
  for (const take of denied) take();
  return found;
}

type Found = { users: Set<string> } & Record<keyof typeof prefixes, Map<string, Set<string>>>;

/** The set of scopes that belongs to a resource, by its name. */
function scopesAbout(found: Found, name: string): Set<string> | undefined {
  if (name === kinds.users.prefix) return found.users;
  for (const [kind, prefix] of Object.entries(prefixes) as [keyof typeof prefixes, string][]) {
    if (!name.startsWith(prefix)) continue;
    const id = name.slice(prefix.length);
    const scopes = found[kind].get(id) ?? new Set();
    found[kind].set(id, scopes);
    return scopes;
  }
  return undefined;
}

async function identityOf(ctx: Context, caller: Caller, allRoles: boolean): Promise<Identity> {
  const { userId, clientId, username } = caller;
  const client = await ctx.db.client.findFirst({ where: { realmId: caller.realmId, clientId }, select: { id: true } });
  const held = await heldRoles(ctx.db, userId);
  return {
    userId,
    clientId: client?.id,
    claims: { sub: userId, azp: clientId, ...(username !== undefined && { preferred_username: username }) },
    roles: keysOf(allRoles ? held : held.filter((role) => inToken(caller, role))),
    groups: await groupPaths(ctx.db, userId),
    now: ctx.services.now(),
  };
}

const keysOf = (roles: readonly HeldRole[]): Set<string> =>
  new Set(roles.map(({ client, name }) => roleKey(client, name)));
