import { memberOfCircle } from '../core/circles.js';
import { invalid } from '../core/refusal.js';
import type { AuthorizationRows } from './rows.js';

/** Refuses policies of a file that apply themselves, directly or through other policies. */
export function requireNoCircles(
  rows: Pick<AuthorizationRows, 'AuthorizationPolicy' | 'AuthorizationPolicyUse'>,
  placeOf: (policy: AuthorizationRows['AuthorizationPolicy'][number]) => readonly string[] = () => ['policies'],
): void {
  const circular = memberOfCircle(
    rows.AuthorizationPolicyUse.map(({ policyId, associatedId }) => [policyId, associatedId]),
  );
  if (circular === undefined) return;
  const policy = rows.AuthorizationPolicy.find(({ id }) => id === circular);
  const message = `Policy "${policy?.name ?? circular}" would apply itself, directly or through other policies`;
  throw invalid(message, policy && placeOf(policy).join('.'), { code: 'CYCLE' });
}
