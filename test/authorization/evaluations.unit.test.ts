import { describe, expect, it } from 'vitest';
import { PolicyEvaluator } from '../../src/services/authorization/evaluation/decide.js';
import { evaluate } from '../../src/services/authorization/evaluation/evaluate.js';
import { PossibleDecisions } from '../../src/services/authorization/evaluation/possible.js';
import type { EvaluatedPolicy, EvaluatedResource } from '../../src/services/authorization/evaluation/store.js';
import { explainDecisions, mostDecisions } from '../../src/services/explanations/decisions.js';
import type { PolicyDecision, PolicyReason } from '../../src/services/explanations/reasons.js';
import type { Step } from '../../src/services/explanations/store.js';
import { mostSteps, shortestWays } from '../../src/services/explanations/ways.js';

// What evaluating and explaining policies and roles takes where many ways lead to the same ones.

function policy(id: string, associated: string[], more: Partial<EvaluatedPolicy> = {}): EvaluatedPolicy {
  return {
    id,
    version: 0,
    name: id,
    description: null,
    type: associated.length > 0 ? 'aggregate' : 'user',
    logic: 'POSITIVE',
    decisionStrategy: 'UNANIMOUS',
    ownerId: null,
    resourceType: null,
    config: {},
    subjects: [],
    associated: associated.map((one) => ({ associated: { id: one, name: one } })),
    resources: [],
    scopes: [],
    ...more,
  };
}

/** Policies that count how often one is looked up. */
class CountedPolicies extends Map<string, EvaluatedPolicy> {
  lookups = 0;
  constructor(policies: readonly EvaluatedPolicy[]) {
    super(policies.map((one) => [one.id, one]));
  }
  override get(id: string): EvaluatedPolicy | undefined {
    this.lookups++;
    return super.get(id);
  }
}

const identity = { userId: 'ann', clientId: undefined, claims: {}, roles: new Set<string>(), groups: [], now: 0 };
const levels = 25;
/** Two policies at each level, each of which combines both of the level below. */
const dag = [
  policy('permission', ['0a', '0b'], { type: 'scope' }),
  ...Array.from({ length: levels }, (_, level) => [
    policy(`${level}a`, [`${level + 1}a`, `${level + 1}b`]),
    policy(`${level}b`, [`${level + 1}a`, `${level + 1}b`], { logic: 'NEGATIVE' }),
  ]).flat(),
  policy(`${levels}a`, []),
  policy(`${levels}b`, []),
];
const [permission] = dag as [EvaluatedPolicy];

const reasonOf = (decider: EvaluatedPolicy, evaluator: PolicyEvaluator, result: boolean): PolicyReason => ({
  kind: 'policy',
  permission: 'view:users',
  isGranting: result,
  decider,
  scope: 'view',
  subject: { kind: 'users', id: '' },
  decided: { decisions: evaluator.decisionsOf(decider), result, evaluator },
});

const flat = (decisions: readonly PolicyDecision[]): PolicyDecision[] =>
  decisions.flatMap((one) => [one, ...flat(one.policies)]);

describe('policies that combine the same ones again and again', () => {
  it('are evaluated once each', () => {
    const policies = new CountedPolicies(dag);
    const decisions = new PolicyEvaluator(identity, policies).decisionsOf(permission);
    expect(decisions.map(({ permit }) => permit)).toEqual([false, true]);
    expect(policies.lookups).toBe(2 * (2 * levels + 1));
  });

  it('are evaluated once for each possible decision', () => {
    const policies = new CountedPolicies(dag);
    expect(new PossibleDecisions(identity, policies).mayAgree(permission, true)).toBe(false);
    expect(policies.lookups).toBeLessThanOrEqual(4 * (2 * levels + 1));
  });

  it('are explained up to a number of decisions, those first that led to the results', () => {
    const policies = new CountedPolicies(dag);
    const evaluator = new PolicyEvaluator(identity, policies);
    const reasons = [reasonOf(permission, evaluator, false), reasonOf(permission, evaluator, false)];
    const { decisions, hasMore } = explainDecisions(reasons);
    const shown = reasons.map((reason) => flat(decisions.get(reason) ?? []));
    expect([shown.flat().length, hasMore]).toEqual([mostDecisions, true]);
    for (const of of shown) expect(of[0]).toMatchObject({ policy: { id: '0a' }, isPermitted: false });
    for (const of of shown) expect(of.length).toBeGreaterThan(levels);
    expect(policies.lookups).toBeLessThan(2 * (2 * levels + 1) + 2 * (mostDecisions + reasons.length));
  });

  it('are explained whole where they are few, the refusing one of many in its depth', () => {
    const granting = Array.from({ length: 150 }, (_, at) => policy(`grants ${at}`, [], { logic: 'NEGATIVE' }));
    const refusing = [policy('refuses', ['inner']), policy('inner', ['leaf']), policy('leaf', [])];
    const decider = policy(
      'decider',
      [...granting, refusing[0] as EvaluatedPolicy].map(({ id }) => id),
      {
        type: 'scope',
      },
    );
    const evaluator = new PolicyEvaluator(identity, new CountedPolicies([decider, ...granting, ...refusing]));
    const reason = reasonOf(decider, evaluator, false);
    const explained = explainDecisions([reason]);
    const [first] = explained.decisions.get(reason) ?? [];
    expect(flat(first ? [first] : []).map(({ policy }) => policy.id)).toEqual(['refuses', 'inner', 'leaf']);
    expect(explained.hasMore).toBe(true);
    const inner = reasonOf(refusing[0] as EvaluatedPolicy, evaluator, false);
    expect(explainDecisions([inner]).hasMore).toBe(false);
  });
});

describe('the ways to an administration role', () => {
  const length = 2000;
  const chain = Array.from({ length }, (_, at): Step[] => [
    { kind: 'mapped', source: 'ann', target: `${at}` },
    { kind: 'composite', source: `${at}`, target: at + 1 < length ? `${at + 1}` : 'admin' },
  ]).flat();
  const right: Step = { kind: 'right', source: 'admin', target: 'manage-users' };

  it('are the shortest ones, of bounded length together', () => {
    const { ways, hasMore } = shortestWays([...chain, right], () => true);
    expect(hasMore).toBe(true);
    expect(ways.map(({ roles }) => roles.length)).toEqual(ways.map((_, at) => at + 2));
    const steps = ways.flatMap(({ roles }) => roles).length;
    expect([steps <= mostSteps, steps + ways.length + 2 > mostSteps]).toEqual([true, true]);
  });

  it('are shown with both ends if they are too long, the only one always', () => {
    const steps = chain.filter(({ kind, target }) => kind === 'composite' || target === '0');
    const { ways, hasMore } = shortestWays([...steps, right], () => true);
    expect(ways.map(({ roles }) => [roles.length, roles[0], roles.at(-1)])).toEqual([[100, '0', 'admin']]);
    expect(hasMore).toBe(true);
  });

  it('lead through groups upwards, those that grant first', () => {
    const steps: Step[] = [
      { kind: 'member', source: 'ann', target: 'leaf' },
      { kind: 'parent', source: 'leaf', target: 'middle' },
      { kind: 'parent', source: 'middle', target: 'top' },
      { kind: 'given', source: 'top', target: 'admin' },
      { kind: 'mapped', source: 'ann', target: 'viewer' },
      right,
      { kind: 'right', source: 'viewer', target: 'view-users' },
    ];
    expect(shortestWays(steps, ({ source }) => source === 'admin')).toEqual({
      ways: [
        { right: 'manage-users', isGranting: true, groups: ['leaf', 'middle', 'top'], roles: ['admin'] },
        { right: 'view-users', isGranting: false, groups: [], roles: ['viewer'] },
      ],
      hasMore: false,
    });
  });
});

describe('a permission about a resource without a type', () => {
  it('says nothing of resources of users whose type is an empty text', async () => {
    const resource = (id: string, ownerId: string, type: string | null) =>
      ({ id, name: id, ownerId, type, scopes: [], ownerManagedAccess: false }) as unknown as EvaluatedResource;
    const [open, secret] = [resource('open', 'server', null), resource('secret', 'bob', '')];
    const policies = new CountedPolicies([
      policy('people', [], { subjects: [] }),
      policy('about', ['people'], {
        type: 'resource',
        resources: [{ resource: { id: 'open', type: null } }] as unknown as EvaluatedPolicy['resources'],
      }),
    ]);
    const rules = { serverId: 'server', mode: 'ENFORCING', strategy: 'UNANIMOUS', grants: new Map() };
    const wishes = [open, secret].map((one) => ({ resource: one, scopes: [] }));
    const results = await evaluate(wishes, rules, new PolicyEvaluator(identity, policies));
    expect(results.map(({ wanted }) => wanted.resource?.id)).toEqual(['open']);
  });
});
