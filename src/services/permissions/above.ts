import { listed } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { type Identity, needsClaims, roleKey } from '../authorization/evaluation/identity.js';
import { PossibleDecisions } from '../authorization/evaluation/possible.js';
import { type EvaluatedPolicy, loadDecidingPolicies } from '../authorization/evaluation/store.js';
import type { Context } from '../core/context.js';
import type { Delegation } from '../core/delegation.js';
import { listsByKey } from '../core/lists-by-key.js';
import { hasDelegable } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import { decidingServer, type RealmRecord } from '../core/realm.js';
import { covers } from './covers.js';
import { scopesBy } from './delegated.js';
import { type Account, mostRows, type Named, type NamedUser, namedUsers, oneOfUsers } from './store.js';

type Policies = ReadonlyMap<string, EvaluatedPolicy>;

/**
 * The policies that decide about the administration of a realm; undefined if the caller has all their rights anyway.
 */
async function policiesBeyond(ctx: Context, realm: RealmRecord, { rights }: Permit): Promise<Policies | undefined> {
  const server = decidingServer(realm);
  if (!server || hasDelegable(rights)) return undefined;
  const policies = await loadDecidingPolicies(ctx.db, server.id);
  return policies.size === 0 ? undefined : policies;
}

/** The possible rights of an identity by management permissions, at any time and with any token. */
function possibleFor(policies: Policies, identity: Identity): Delegation {
  const possible = new PossibleDecisions(identity, policies);
  return scopesBy(policies, (permission) => possible.mayAgree(permission, true));
}

/** An identity that no policy names, such as a new user, with a token of this client. */
const anybody = (now: number, clientId?: string): Identity => ({
  userId: '',
  clientId,
  claims: {},
  roles: new Set(),
  groups: [],
  now,
});

function namedBy(policies: Iterable<EvaluatedPolicy>): Named {
  const subjects = [...policies].flatMap((policy) => policy.subjects);
  return {
    users: subjects.flatMap(({ user, subjectId }) => (user ? subjectId : [])),
    clients: subjects.flatMap(({ client, subjectId }) => (client ? subjectId : [])),
    roles: new Map(
      subjects.flatMap(({ role, subjectId }) => (role ? [[subjectId, roleKey(role.client?.clientId, role.name)]] : [])),
    ),
    groupPaths: [...new Set(subjects.flatMap(({ group }) => group?.path ?? []))],
  };
}

function identityOf(ctx: Context, rows: readonly NamedUser[], roles: ReadonlyMap<string, string>): Identity {
  const [{ id, username, client, clientId }] = rows as [NamedUser];
  const subjects = (kind: NamedUser['kind']) => rows.flatMap((row) => (row.kind === kind ? row.subject : []));
  return {
    ...anybody(ctx.services.now(), client ?? undefined),
    userId: id,
    claims: { sub: id, preferred_username: username, ...(clientId !== null && { azp: clientId }) },
    roles: new Set(subjects('role').flatMap((role) => roles.get(role) ?? [])),
    groups: subjects('group'),
  };
}

/**
 * The users who can have more rights than the caller by management permissions, at any time and with any token. Two
 * statements, and none if no management permissions are enabled. Rights that every user has do not count. `which` is a
 * condition on `u`.
 */
export async function delegatesAbove(
  ctx: Context,
  realm: RealmRecord,
  permit: Permit,
  which: Prisma.Sql,
): Promise<Account[]> {
  const policies = await policiesBeyond(ctx, realm, permit);
  if (!policies) return [];
  const named = namedBy(policies.values());
  const rows = await namedUsers(ctx.db, named, needsClaims(policies), which);
  if (rows.length > mostRows) return rows;
  const byUser = listsByKey(rows.map((row) => [row.id, row]));
  const now = ctx.services.now();
  const everybody = new Map(
    [undefined, ...named.clients].map((client) => [client, possibleFor(policies, anybody(now, client))] as const),
  );
  const nobody = everybody.get(undefined) as Delegation;
  return [...byUser.values()].flatMap((of) => {
    const [account] = of as [NamedUser];
    const identity = identityOf(ctx, of, named.roles);
    const isCovered = (clientId: string | undefined, others: Delegation) =>
      covers(permit, possibleFor(policies, { ...identity, clientId }), others);
    const isBelow =
      account.client === null
        ? [...everybody].every(([client, others]) => isCovered(client, others))
        : isCovered(account.client, nobody);
    return isBelow ? [] : account;
  });
}

/**
 * The identities of users for policies, by user ID, with a token of any client: one statement. Undefined if there is
 * too much to compare.
 */
export async function identitiesOf(
  ctx: Context,
  policies: Policies,
  users: readonly string[],
): Promise<Map<string, Identity> | undefined> {
  const named = namedBy(policies.values());
  const rows = await namedUsers(ctx.db, named, true, oneOfUsers(listed(ctx.db, users)));
  if (rows.length > mostRows) return undefined;
  return new Map(
    [...listsByKey(rows.map((row) => [row.id, row]))].map(([id, of]) => [id, identityOf(ctx, of, named.roles)]),
  );
}

/** The policies of a permission, at any depth. */
function appliedBy(permission: EvaluatedPolicy, policies: Policies, found = new Set<EvaluatedPolicy>()) {
  for (const { associated } of permission.associated) {
    const policy = policies.get(associated.id);
    if (!policy || found.has(policy)) continue;
    found.add(policy);
    appliedBy(policy, policies, found);
  }
  return found;
}

/**
 * The roles and groups that could give their users more rights than the caller has, by policies of management
 * permissions that name them. One statement, and none if no management permissions are enabled. Undefined if there are
 * none.
 */
export async function decidingSubjects(ctx: Context, realm: RealmRecord, permit: Permit): Promise<Named | undefined> {
  const policies = await policiesBeyond(ctx, realm, permit);
  if (!policies) return undefined;
  const everybody = possibleFor(policies, anybody(ctx.services.now()));
  const deciding = [...policies.values()].filter(
    (permission) =>
      !covers(
        permit,
        scopesBy(new Map([[permission.id, permission]]), () => true),
        everybody,
      ),
  );
  const named = namedBy(new Set(deciding.flatMap((permission) => [...appliedBy(permission, policies)])));
  return named.roles.size + named.groupPaths.length === 0 ? undefined : named;
}
