import { members, ownMember } from '../../core/json.js';
import { agree, PolicyEvaluator } from './decide.js';
import type { Identity } from './identity.js';
import type { EvaluatedPolicy } from './store.js';

type Policies = ReadonlyMap<string, EvaluatedPolicy>;

/** Types whose rule depends on the time or on the token of an identity, with the condition for a possible result. */
const open: Readonly<Record<string, (policy: EvaluatedPolicy, wanted: boolean) => boolean>> = {
  time: () => true,
  // a token may lack roles that its user has
  role: (_policy, wanted) => !wanted,
  regex: ({ config }) => members(config).targetClaim === 'azp',
};

/**
 * Determines the possible decisions of policies, at any time and for any token of an identity from its client; each at
 * most once.
 */
export class PossibleDecisions {
  readonly #evaluator: PolicyEvaluator;
  readonly #known = { true: new Map<EvaluatedPolicy, boolean>(), false: new Map<EvaluatedPolicy, boolean>() };

  constructor(identity: Identity, policies: Policies) {
    this.#evaluator = new PolicyEvaluator(identity, policies);
  }

  /** Whether the policies of a permission can agree on the wanted result; undefined without policies. */
  mayAgree(policy: EvaluatedPolicy, wanted: boolean): boolean | undefined {
    const { policies } = this.#evaluator;
    const applied = policy.associated.flatMap(({ associated }) => policies.get(associated.id) ?? []);
    if (applied.length === 0) return undefined;
    const decisions = applied.map((one) => ({ permit: this.#mayDecide(one, wanted) ? wanted : !wanted }));
    return agree(policy.decisionStrategy, decisions) === wanted;
  }

  #mayDecide(policy: EvaluatedPolicy, wanted: boolean): boolean {
    const results = this.#known[`${wanted}`];
    const known = results.get(policy);
    if (known !== undefined) return known;
    const result = this.#findOut(policy, wanted);
    results.set(policy, result);
    return result;
  }

  #findOut(policy: EvaluatedPolicy, wanted: boolean): boolean {
    const sought = policy.logic === 'NEGATIVE' ? !wanted : wanted;
    if (ownMember(open, policy.type)?.(policy, sought)) return true;
    if (policy.type !== 'aggregate') return this.#evaluator.permits(policy) === wanted;
    return this.mayAgree(policy, sought) ?? !sought;
  }
}
