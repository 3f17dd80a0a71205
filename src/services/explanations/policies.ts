import type { Context } from '../core/context.js';
import { type Delegation, scopesGiving } from '../core/delegation.js';
import { isAdminTool } from '../core/held-rights.js';
import type { Permission } from '../core/permissions.js';
import { permitFor } from '../core/permit.js';
import { decidingServer, type RealmRecord } from '../core/realm.js';
import { type DecidedFor, type DelegatedSubject, decidedFor, delegatedSubjects } from '../permissions/delegated.js';
import { impersonatedScope, impersonationOf } from '../permissions/impersonation.js';
import type { PolicyReason } from './reasons.js';
import { groupsAround } from './store.js';

/** An object that management permissions can apply to. */
interface About {
  kind: 'user' | 'group' | 'client' | 'role';
  id: string;
  clientId?: string | null;
}

/**
 * Returns a function that tells whether a scope about a subject gives a permission for an object, by the rules of
 * `isAllowed`.
 */
async function givesFor(ctx: Context, permission: Permission, about: About | undefined) {
  const scopes = scopesGiving(permission);
  const around =
    about?.kind === 'user' && scopes.member.length > 0 ? await groupsAround(ctx.db, about.id) : new Set<string>();
  const clientId = about?.kind === 'role' ? about.clientId : about?.kind === 'client' ? about.id : undefined;
  return ({ kind, id }: DelegatedSubject, scope: string): boolean => {
    if (kind === 'users') return scopes.users.includes(scope);
    if (kind === 'clients') return id === clientId && scopes.client.includes(scope);
    if (kind !== 'groups') return false;
    return about?.kind === 'group'
      ? id === about.id && scopes.group.includes(scope)
      : around.has(id) && scopes.member.includes(scope);
  };
}

const isIn = (delegation: Delegation, { kind, id }: DelegatedSubject, scope: string): boolean =>
  (kind === 'users' ? delegation.users : delegation[kind].get(id))?.has(scope) ?? false;

/**
 * The fine-grained permissions that apply to a permission of a user for an object, with the results of their policies.
 * Empty if administration roles decide alone. At most six statements. `as` is the context of the user's own request.
 */
export async function policyReasons(
  as: Context,
  realm: RealmRecord,
  permission: Permission,
  about: About | undefined,
): Promise<PolicyReason[]> {
  const { delegation } = await permitFor(as, realm);
  const server = decidingServer(realm);
  if (!delegation || !server) return [];
  const { permissions, evaluator }: DecidedFor = await decidedFor(as, server.id, isAdminTool(as.caller.clientId));
  if (!evaluator || permissions.size === 0) return [];
  const gives = await givesFor(as, permission, about);
  return [...permissions.values()].flatMap(({ permission: decider, decisions, isGranted }) =>
    delegatedSubjects(decider).flatMap(({ subject, scopes }) =>
      scopes
        .filter((scope) => gives(subject, scope))
        .map((scope) => ({
          kind: 'policy' as const,
          permission,
          // if one permission denies a scope, no other can grant it
          isGranting: isGranted && isIn(delegation, subject, scope),
          decider,
          scope,
          subject,
          decided: { decisions, result: isGranted, evaluator },
        })),
    ),
  );
}

/** The permissions that decide whether a user may be impersonated, with the results of their policies for that user. */
export async function impersonationReasons(
  as: Context,
  realm: RealmRecord,
  permission: Permission,
  user: { id: string; username: string },
): Promise<PolicyReason[]> {
  const found = await impersonationOf(as, realm, user);
  const { evaluator, permissions = [] } = found ?? {};
  if (!evaluator) return [];
  return permissions.map(({ permission: decider, decisions, isGranted }) => ({
    kind: 'policy',
    permission,
    isGranting: isGranted,
    decider,
    scope: impersonatedScope,
    subject: { kind: 'users', id: '' },
    decided: { decisions, result: isGranted, evaluator },
  }));
}
