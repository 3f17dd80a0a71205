import { inTurns, type Pause, sharedBreaks } from '../../../database/turns.js';
import { listsByKey } from '../../core/lists-by-key.js';
import { agree, type Decision, type PolicyEvaluator } from './decide.js';
import type { Identity } from './identity.js';
import type { EvaluatedPolicy, EvaluatedResource, EvaluatedScope } from './store.js';

/** A requested resource with these scopes, or scopes without a resource. */
export interface Wanted {
  resource: EvaluatedResource | undefined;
  scopes: EvaluatedScope[];
}

/** The result of one permission, from its policies. */
export interface PermissionResult {
  policy: EvaluatedPolicy;
  decisions: Decision[];
  permit: boolean;
}

/** The result for one request. */
export interface Result {
  wanted: Wanted;
  permissions: PermissionResult[];
  permit: boolean;
  granted: EvaluatedScope[];
}

export interface Rules {
  serverId: string;
  mode: string;
  strategy: string;
  /** IDs of the scopes that owners have granted to the caller, by resource; null means all scopes */
  grants: ReadonlyMap<string, readonly (string | null)[]>;
}

/**
 * Evaluates requests. Returns their results in order, without requests to which no permission applies. Other callers
 * are served in between, for any number of requests and policies.
 */
export async function evaluate(
  requested: readonly Wanted[],
  rules: Rules,
  evaluator: PolicyEvaluator,
): Promise<Result[]> {
  const pause = sharedBreaks();
  // a pattern can take long, and the evaluation of one request has no break
  for (const policy of evaluator.policies.values()) {
    if (policy.type !== 'regex' || rules.mode === 'DISABLED') continue;
    evaluator.permits(policy);
    await pause();
  }
  const about = await permissionsAbout(evaluator.policies, rules.serverId, pause);
  const results: Result[] = [];
  for (const wanted of requested) {
    const result = evaluateOne(wanted, rules, evaluator, about);
    if (result) results.push(result);
    await pause();
  }
  return results;
}

/** Evaluates one request; undefined if no permission applies to it. */
function evaluateOne(
  wanted: Wanted,
  rules: Rules,
  evaluator: PolicyEvaluator,
  about: (wanted: Wanted) => EvaluatedPolicy[],
): Result | undefined {
  const all = { wanted, permissions: [], permit: true, granted: wanted.scopes };
  if (rules.mode === 'DISABLED') return all;
  const concerned = about(wanted);
  const grants = wanted.resource && rules.grants.get(wanted.resource.id);
  if (concerned.length === 0 && !grants) return rules.mode === 'PERMISSIVE' ? all : undefined;
  const permissions = concerned.flatMap((policy): PermissionResult[] => {
    const decisions = isOwners(policy, wanted, evaluator.identity)
      ? [{ policy, permit: true }]
      : evaluator.decisionsOf(policy);
    // a permission without a policy neither grants nor denies
    if (decisions.length === 0) return [];
    return [{ policy, decisions, permit: agree(policy.decisionStrategy, decisions) }];
  });
  if (permissions.length === 0 && !grants) return undefined;
  return { wanted, permissions, ...outcome(wanted, permissions, rules, grants ?? []) };
}

/**
 * Whether this is a policy of the resource's owner and the owner is evaluated. Such a policy grants its scopes to the
 * owner, as recorded.
 */
const isOwners = ({ type }: EvaluatedPolicy, { resource }: Wanted, { ownerId }: Identity): boolean =>
  type === 'uma' && ownerId !== undefined && resource?.ownerId === ownerId;

/** The targets of a permission: resources, a type of resources, or scopes of any resource. */
function targetKeys({ type, resourceType, resources, scopes }: EvaluatedPolicy): string[] {
  if (type !== 'resource' && type !== 'scope' && type !== 'uma') return [];
  // permissions for resources of the server also apply to resources of users with the same type
  const inherited = type === 'uma' ? [] : resources.flatMap((one) => one.resource.type ?? []);
  const isOfScopes = type === 'scope' && resources.length === 0 && !resourceType;
  return [
    ...resources.map((one) => `resource ${one.resource.id}`),
    ...(resourceType === null ? [] : [`type ${resourceType}`]),
    ...inherited.map((name) => `inherited ${name}`),
    ...(isOfScopes ? scopes.map(({ scope }) => `scope ${scope.id}`) : []),
  ];
}

/** The targets of permissions that apply to a request, in the format of `targetKeys`. */
function wantedKeys({ resource, scopes }: Wanted, serverId: string): string[] {
  const ofScopes = scopes.map(({ id }) => `scope ${id}`);
  if (!resource) return ofScopes;
  const { id, type, ownerId } = resource;
  const ofType = type === null ? [] : [`type ${type}`, ...(ownerId === serverId ? [] : [`inherited ${type}`])];
  return [`resource ${id}`, ...ofType, ...ofScopes];
}

/** Finds the permissions that are about a wish, in the order of the policies, without looking at all of them each time. */
async function permissionsAbout(policies: PolicyEvaluator['policies'], serverId: string, pause: Pause) {
  const order = new Map([...policies.values()].map((policy, at) => [policy, at]));
  const keyed = await inTurns(
    [...order.keys()],
    (policy) => targetKeys(policy).map((key) => [key, policy] as const),
    pause,
  );
  const byTarget = listsByKey(keyed.flat());
  return (wanted: Wanted): EvaluatedPolicy[] => {
    const found = new Set(wantedKeys(wanted, serverId).flatMap((key) => byTarget.get(key) ?? []));
    return [...found].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  };
}

/**
 * Combines the results of permissions. If one permission denies a scope, no other can grant it, unless the server's
 * strategy is AFFIRMATIVE.
 */
function outcome(
  { resource, scopes }: Wanted,
  permissions: readonly PermissionResult[],
  { strategy }: Rules,
  grants: readonly (string | null)[],
): { permit: boolean; granted: EvaluatedScope[] } {
  const given = new Set<string>();
  const denied = new Set<string>();
  const shared = new Set<string>();
  let resourceGranted = false;
  let anyDenied = false;
  for (const { policy, permit } of permissions) {
    const own = policy.scopes.map(({ scope }) => scope.id);
    if (policy.type === 'uma') {
      if (permit && resource?.ownerManagedAccess) for (const id of own) shared.add(id);
      continue;
    }
    const about = policy.type === 'scope' ? own : scopes.map(({ id }) => id);
    for (const id of about) (permit ? given : denied).add(id);
    if (permit) resourceGranted ||= policy.type === 'resource';
    else anyDenied = true;
  }
  if (strategy !== 'AFFIRMATIVE') for (const id of denied) given.delete(id);
  for (const id of shared) given.add(id);
  for (const id of grants) {
    if (id !== null) given.add(id);
    else for (const scope of scopes) given.add(scope.id);
  }
  const granted = scopes.filter(({ id }) => given.has(id));
  if (scopes.length > 0) return { permit: granted.length > 0, granted };
  const open = (resourceGranted && (strategy === 'AFFIRMATIVE' || !anyDenied)) || grants.length > 0;
  return { permit: open, granted };
}

/** A permission in the form of tokens and answers. */
export interface GrantedPermission {
  rsid?: string;
  rsname?: string;
  scopes?: string[];
}

/**
 * The granted permissions, in the order of the requests. A resource that was requested twice appears once, with all
 * scopes.
 */
export function grantedPermissions(results: readonly Result[]): GrantedPermission[] {
  const found = new Map<string, { wanted: Wanted; scopes: Set<string> }>();
  for (const { permit, wanted, granted } of results) {
    if (!permit) continue;
    const key = wanted.resource?.id ?? '';
    const entry = found.get(key) ?? { wanted, scopes: new Set<string>() };
    for (const { name } of granted) entry.scopes.add(name);
    found.set(key, entry);
  }
  return [...found.values()].map(({ wanted: { resource }, scopes }) => ({
    ...(scopes.size > 0 && { scopes: [...scopes] }),
    ...(resource && { rsid: resource.id, rsname: resource.name }),
  }));
}
