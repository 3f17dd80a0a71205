import { members } from '../../core/json.js';
import { agree, permits } from './decide.js';
import type { Identity } from './identity.js';
import type { EvaluatedPolicy } from './store.js';

type Policies = ReadonlyMap<string, EvaluatedPolicy>;

/** Types whose rule depends on the time or on the token of an identity, and when they may have the result that is wanted. */
const open: Readonly<Record<string, (policy: EvaluatedPolicy, wanted: boolean) => boolean>> = {
  time: () => true,
  // a token may lack roles that its user has
  role: (_policy, wanted) => !wanted,
  regex: ({ config }) => members(config).targetClaim === 'azp',
};

/** Whether a policy may decide as wanted at some time, for some token that the identity has from its client. */
function mayDecide(policy: EvaluatedPolicy, identity: Identity, policies: Policies, wanted: boolean): boolean {
  const sought = policy.logic === 'NEGATIVE' ? !wanted : wanted;
  if (open[policy.type]?.(policy, sought)) return true;
  if (policy.type !== 'aggregate') return permits(policy, identity, policies) === wanted;
  return mayAgree(policy, identity, policies, sought) ?? !sought;
}

/** Whether the policies that one applies may agree as wanted; nothing where it applies none. */
export function mayAgree(
  policy: EvaluatedPolicy,
  identity: Identity,
  policies: Policies,
  wanted: boolean,
): boolean | undefined {
  const applied = policy.associated.flatMap(({ associated }) => policies.get(associated.id) ?? []);
  if (applied.length === 0) return undefined;
  const decisions = applied.map((one) => ({
    permit: mayDecide(one, identity, policies, wanted) ? wanted : !wanted,
  }));
  return agree(policy.decisionStrategy, decisions) === wanted;
}
