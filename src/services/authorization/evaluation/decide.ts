import { members, ownMember, textsOf } from '../../core/json.js';
import { matches } from '../../core/pattern.js';
import { nameOfSubject } from '../encode.js';
import { type Identity, roleKey } from './identity.js';
import { isWithin } from './period.js';
import type { EvaluatedPolicy } from './store.js';

/** The result of a policy for an identity. */
export interface Decision {
  policy: EvaluatedPolicy;
  permit: boolean;
}

type Policies = ReadonlyMap<string, EvaluatedPolicy>;
type Subject = EvaluatedPolicy['subjects'][number];

/** Evaluates policies for one identity, each at most once, because aggregated policies may share policies. */
export class PolicyEvaluator {
  readonly #permits = new Map<EvaluatedPolicy, boolean>();

  constructor(
    readonly identity: Identity,
    readonly policies: Policies,
  ) {}

  /** Whether a policy permits the identity: the result of its rule, inverted if its logic is negative. */
  permits(policy: EvaluatedPolicy): boolean {
    const known = this.#permits.get(policy);
    if (known !== undefined) return known;
    const result = ownMember(rules, policy.type)?.(policy, this.identity, this);
    // an undecidable policy permits nobody, regardless of its logic
    const permit = result !== undefined && (policy.logic === 'NEGATIVE' ? !result : result);
    this.#permits.set(policy, permit);
    return permit;
  }

  /**
   * The results of the policies that a permission applies. A user policy (`uma`) has a result for each of its subjects.
   */
  decisionsOf(policy: EvaluatedPolicy): Decision[] {
    if (policy.type === 'uma') {
      return policy.subjects.map((subject) => ({ policy, permit: named(subject, this.identity) }));
    }
    return policy.associated.flatMap(({ associated }) => {
      const found = this.policies.get(associated.id);
      return found ? [{ policy: found, permit: this.permits(found) }] : [];
    });
  }
}

type Rule = (policy: EvaluatedPolicy, identity: Identity, evaluator: PolicyEvaluator) => boolean | undefined;

const rules: Record<string, Rule> = {
  role: ({ subjects }, { roles }) => among(subjects, ({ role }) => hasRole(roles, role)),
  user: ({ subjects }, { userId }) => subjects.some(({ subjectId }) => subjectId === userId),
  client: ({ subjects }, { clientId }) => subjects.some(({ subjectId }) => subjectId === clientId),
  'client-scope': ({ subjects }, { scopes = [] }) =>
    among(subjects, (subject) => scopes.includes(nameOfSubject(subject))),
  group: ({ subjects, config }, identity) => {
    const claim = members(config).groupsClaim;
    const groups =
      typeof claim === 'string' && claim !== '' && identity.claims[claim] !== undefined
        ? textsOf([identity.claims[claim]].flat())
        : identity.groups;
    return subjects.some((subject) => inGroup(subject, groups));
  },
  time: ({ config }, { now }) => isWithin(members(config), new Date(now)),
  regex: ({ config }, { claims }) => {
    const { targetClaim, pattern } = members(config);
    if (typeof targetClaim !== 'string' || typeof pattern !== 'string') return false;
    const value = claims[targetClaim];
    return typeof value === 'string' || typeof value === 'number' ? matches(pattern, String(value)) : false;
  },
  aggregate: (policy, _identity, evaluator) => {
    const decisions = evaluator.decisionsOf(policy);
    return decisions.length > 0 && agree(policy.decisionStrategy, decisions);
  },
  // scripts are not run; only the default script of new clients is recognized
  js: ({ config }) =>
    String(members(config).code ?? '')
      .slice(0, longestScript)
      .replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
      .trim() === '$evaluation.grant();',
};

/** Maximum characters of a script that is compared; the recognized one is shorter. */
const longestScript = 2000;

/** Whether all required subjects match, and at least one. */
function among(subjects: readonly Subject[], has: (subject: Subject) => boolean): boolean {
  return subjects.some(has) && subjects.every((subject) => !subject.strong || has(subject));
}

function inGroup(subject: Subject, groups: readonly string[]): boolean {
  const path = nameOfSubject(subject);
  return groups.some(
    (group) => group === path || group === path.slice(1) || (subject.strong && group.startsWith(`${path}/`)),
  );
}

const hasRole = (roles: Identity['roles'], role: Subject['role']): boolean =>
  role != null && roles.has(roleKey(role.client?.clientId, role.name));

/** Whether a policy of a user applies to the caller. */
function named(subject: Subject, { userId, clientId, roles, groups }: Identity): boolean {
  if (subject.user) return subject.subjectId === userId;
  if (subject.client) return subject.subjectId === clientId;
  return subject.role ? hasRole(roles, subject.role) : inGroup({ ...subject, strong: true }, groups);
}

/**
 * Whether decisions together permit. Without decisions UNANIMOUS permits, so callers that need a permit must check that
 * there are any.
 */
export function agree(strategy: string, decisions: readonly { permit: boolean }[]): boolean {
  const yes = decisions.filter(({ permit }) => permit).length;
  if (strategy === 'AFFIRMATIVE') return yes > 0;
  if (strategy === 'CONSENSUS') return yes > decisions.length - yes;
  return yes === decisions.length;
}
