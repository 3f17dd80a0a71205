import { invalid } from '../core/refusal.js';
import type { AuthorizationRows } from './rows.js';

/** Finds a policy that applies itself, directly or through other policies. */
function circularPolicy(uses: AuthorizationRows['AuthorizationPolicyUse']): string | undefined {
  const applied = new Map<string, string[]>();
  const users = new Map<string, number>();
  for (const { policyId, associatedId } of uses) {
    const list = applied.get(policyId);
    if (list) list.push(associatedId);
    else applied.set(policyId, [associatedId]);
    users.set(associatedId, (users.get(associatedId) ?? 0) + 1);
  }
  const isLeft = (id: string): boolean => (users.get(id) ?? 0) > 0;
  // what no other policy applies is in no circle, and neither is what only such policies apply
  const free = [...applied.keys()].filter((id) => !users.has(id));
  for (const id of free) {
    for (const next of applied.get(id) ?? []) {
      const rest = (users.get(next) ?? 0) - 1;
      users.set(next, rest);
      if (rest === 0) free.push(next);
    }
  }
  // what is left is in a circle or below one: those above lead into it
  const above = new Map(
    uses.flatMap(({ policyId, associatedId }) => (isLeft(policyId) ? [[associatedId, policyId]] : [])),
  );
  const seen = new Set<string>();
  let at = above.values().next().value;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    at = above.get(at);
  }
  return at;
}

/** Refuses policies of a file that apply themselves, directly or through other policies. */
export function requireNoCircles(
  rows: Pick<AuthorizationRows, 'AuthorizationPolicy' | 'AuthorizationPolicyUse'>,
  field = 'policies',
): void {
  const circular = circularPolicy(rows.AuthorizationPolicyUse);
  if (circular === undefined) return;
  const policy = rows.AuthorizationPolicy.find(({ id }) => id === circular);
  throw invalid(`Policy "${policy?.name ?? circular}" would apply itself, directly or through other policies`, field, {
    code: 'CYCLE',
  });
}
