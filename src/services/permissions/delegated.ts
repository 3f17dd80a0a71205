import { agree, type Decision, PolicyEvaluator } from '../authorization/evaluation/decide.js';
import { groupPaths, type Identity, roleKey } from '../authorization/evaluation/identity.js';
import { type EvaluatedPolicy, loadDecidingPolicies } from '../authorization/evaluation/store.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import type { Delegation } from '../core/delegation.js';
import { inToken } from '../core/held-rights.js';
import { kinds } from './kinds.js';
import { type HeldRole, heldRoles } from './store.js';

/** The prefixes of resource names by kind; all users are one resource without an ID. */
const prefixes = { groups: kinds.group.prefix, clients: kinds.client.prefix, roles: kinds.role.prefix } as const;

/**
 * The rights of the caller by the management permissions in a resource server: four statements for any number of them.
 * `allRoles`: the caller may use all roles of the user, not only the roles in its token.
 */
export async function delegationOf(ctx: Context, serverId: string, allRoles: boolean): Promise<Delegation> {
  const { permissions, policies } = await decidedFor(ctx, serverId, allRoles);
  return scopesBy(policies, ({ id }) => permissions.get(id)?.isGranted);
}

/** The result of a permission, by its policies. */
export interface DecidedPermission {
  permission: EvaluatedPolicy;
  decisions: Decision[];
  isGranted: boolean;
}

/**
 * The results of the management permissions in a resource server for the caller. Permissions without policies are left
 * out.
 */
export interface DecidedFor {
  policies: ReadonlyMap<string, EvaluatedPolicy>;
  permissions: ReadonlyMap<string, DecidedPermission>;
  /** evaluates the policies for the caller; undefined without policies */
  evaluator: PolicyEvaluator | undefined;
}

/** The result of each permission for the caller. */
export async function decidedFor(ctx: Context, serverId: string, allRoles: boolean): Promise<DecidedFor> {
  const policies = await loadDecidingPolicies(ctx.db, serverId);
  const permissions = new Map<string, DecidedPermission>();
  if (policies.size === 0) return { policies, permissions, evaluator: undefined };
  const evaluator = new PolicyEvaluator(await identityOf(ctx, ctx.caller, allRoles), policies);
  for (const permission of policies.values()) {
    if (!decides(permission)) continue;
    const decisions = evaluator.decisionsOf(permission);
    if (decisions.length === 0) continue;
    const isGranted = agree(permission.decisionStrategy, decisions);
    permissions.set(permission.id, { permission, decisions, isGranted });
  }
  return { policies, permissions, evaluator };
}

const decides = ({ type }: EvaluatedPolicy): boolean => type === 'scope' || type === 'resource';

/**
 * The scopes that permissions give. `decide` returns whether a permission grants, denies, or does not apply. If one
 * permission denies a scope, no other can grant it.
 */
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
    if (!decides(permission)) continue;
    const permit = decide(permission);
    if (permit === undefined) continue;
    for (const { subject, scopes: about } of delegatedSubjects(permission)) {
      const scopes = scopesAbout(found, subject);
      for (const scope of about) {
        if (permit) scopes.add(scope);
        else denied.push(() => scopes.delete(scope));
      }
    }
  }
  for (const take of denied) take();
  return found;
}

type Found = { users: Set<string> } & Record<keyof typeof prefixes, Map<string, Set<string>>>;

/** The subject of management permissions: all users, or one object. */
export interface DelegatedSubject {
  kind: keyof Delegation;
  /** empty for all users */
  id: string;
}

/** The subject of a resource of management permissions, by the name of the resource. */
function subjectNamed(name: string): DelegatedSubject | undefined {
  if (name === kinds.users.prefix) return { kind: 'users', id: '' };
  const prefix = (Object.entries(prefixes) as [keyof typeof prefixes, string][]).find(([, start]) =>
    name.startsWith(start),
  );
  return prefix && { kind: prefix[0], id: name.slice(prefix[1].length) };
}

/** The subjects of a permission, each with the names of its scopes. */
export const delegatedSubjects = (permission: EvaluatedPolicy): { subject: DelegatedSubject; scopes: string[] }[] =>
  permission.resources.flatMap(({ resource }) => {
    const subject = subjectNamed(resource.name);
    const scopes = permission.scopes.length > 0 ? permission.scopes : resource.scopes;
    return subject ? [{ subject, scopes: scopes.map(({ scope }) => scope.name) }] : [];
  });

/** The set of scopes about a subject. */
function scopesAbout(found: Found, { kind, id }: DelegatedSubject): Set<string> {
  if (kind === 'users') return found.users;
  const scopes = found[kind].get(id) ?? new Set();
  found[kind].set(id, scopes);
  return scopes;
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
