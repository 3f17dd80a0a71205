import type { Decision, PolicyEvaluator } from '../authorization/evaluation/decide.js';
import type { PolicyDecision, PolicyReason } from './reasons.js';

/** Maximum decisions of policies in an explanation. */
export const mostDecisions = 100;

/** Decisions with their combined result. */
interface Decided {
  decisions: readonly Decision[];
  result: boolean;
  evaluator: PolicyEvaluator;
  /** whether the result is decisive for the reason */
  isDecisive: boolean;
  into: PolicyDecision[];
}

type Open = Omit<Decided, 'decisions' | 'result'> & { decision: Decision };

const byName = ({ policy: one }: Decision, { policy: other }: Decision): number => (one.name < other.name ? -1 : 1);

/** The decisions that agree with the result before the others, by name; not many more than can be explained. */
function inOrder({ decisions, result, isDecisive, ...rest }: Decided): Open[] {
  const agrees = ({ permit }: Decision) => permit === result;
  const others = decisions.filter((decision) => !agrees(decision));
  return [...decisions.filter(agrees).toSorted(byName), ...others.toSorted(byName)]
    .slice(0, mostDecisions + 1)
    .map((decision) => ({ ...rest, decision, isDecisive: isDecisive && agrees(decision) }));
}

/** The first of each list, then the second of each, and so on, so that no reason takes the place of all others. */
const inTurns = (lists: readonly Open[][]): Open[] =>
  lists
    .flatMap((list) => list.map((open, turn) => ({ open, turn })))
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ open }) => open);

/**
 * The decisions of policies for reasons, with the decisions of combined policies. At most `mostDecisions` for all
 * reasons together; decisions that led to the results come first, at any depth.
 */
export function explainDecisions(reasons: readonly PolicyReason[]): {
  decisions: ReadonlyMap<PolicyReason, PolicyDecision[]>;
  hasMore: boolean;
} {
  const explained = new Map(reasons.map((reason) => [reason, [] as PolicyDecision[]]));
  const decisive: Open[] = [];
  const others: Open[] = [];
  const add = (lists: readonly Decided[]) => {
    for (const open of inTurns(lists.map(inOrder))) (open.isDecisive ? decisive : others).push(open);
  };
  add([...explained].map(([{ decided }, into]) => ({ ...decided, isDecisive: true, into })));
  const next = { decisive: 0, others: 0 };
  for (let left = mostDecisions; ; left--) {
    const open = decisive[next.decisive] ?? others[next.others];
    if (!open || left === 0) return { decisions: explained, hasMore: open !== undefined };
    next[open.isDecisive ? 'decisive' : 'others']++;
    const { into, evaluator, isDecisive, decision } = open;
    const { policy, permit } = decision;
    const own: PolicyDecision = { policy, isPermitted: permit, policies: [] };
    into.push(own);
    if (policy.type !== 'aggregate') continue;
    const result = policy.logic === 'NEGATIVE' ? !permit : permit;
    add([{ decisions: evaluator.decisionsOf(policy), result, evaluator, isDecisive, into: own.policies }]);
  }
}
