import type { Context } from '../../services/core/context.js';
import { explainDecisions } from '../../services/explanations/decisions.js';
import {
  type ExceedingReason,
  mostReasons,
  type PolicyDecision,
  type PolicyReason,
  type Reason,
  type RoleReason,
  type RoleRow,
} from '../../services/explanations/reasons.js';
import { guardOf, isAllowed, isVisible } from '../core/node.js';
import { readableRows } from '../core/readable.js';
import type { Answer } from './explain.js';

/** A reason without parts that the caller may not view. */
export type ShownReason = { hasHidden: boolean } & (
  | RoleReason
  | (Omit<PolicyReason, 'decider' | 'decided'> & {
      decider: PolicyReason['decider'] | undefined;
      decisions: PolicyDecision[];
      object: ShownObject | undefined;
    })
  | (Omit<ExceedingReason, 'role'> & { role: RoleRow | undefined })
);

interface ShownObject {
  typename: string;
  id: string;
}

/** The parts of an answer that the caller may view. */
export interface ShownAnswer extends Omit<Answer, 'reasons' | 'needed'> {
  reasons: ShownReason[];
  needed: { right: string; client: string | null; role: RoleRow | undefined }[];
}

const typenames = { users: 'Realm', groups: 'Group', clients: 'Client', roles: 'Role' } as const;

type Row = { id: string };
const byId = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id));
const unique = <R extends Row>(rows: readonly R[]): R[] => [...new Map(rows.map((row) => [row.id, row])).values()];

/** Returns at most `mostReasons` of each kind, granting ones first. */
function fewest(reasons: readonly Reason[]): Reason[] {
  const of = (kind: Reason['kind'], isGranting: boolean) =>
    reasons.filter((reason) => reason.kind === kind && reason.isGranting === isGranting);
  const kinds = ['role', 'policy', 'exceeding'] as const;
  const few = kinds.flatMap((kind) => [...of(kind, true), ...of(kind, false)].slice(0, mostReasons));
  return few.toSorted((one, other) => Number(other.isGranting) - Number(one.isGranting));
}

/**
 * Leaves out the parts of an answer about an object that the caller may not view. The number of statements does not
 * depend on the number of reasons.
 */
export async function shownTo(ctx: Context, realmId: string, answer: Answer): Promise<ShownAnswer> {
  const few = fewest(answer.reasons);
  const rolesOf = (reason: Reason): RoleRow[] =>
    reason.kind === 'role' ? reason.roles : reason.kind === 'exceeding' ? [reason.role] : [];
  const groupsOf = (reason: Reason) => (reason.kind === 'role' ? reason.groups : []);
  const objectOf = ({ subject: { kind, id } }: PolicyReason): ShownObject => ({
    typename: typenames[kind],
    id: kind === 'users' ? realmId : id,
  });
  const objects = few.flatMap((reason) => (reason.kind === 'policy' ? objectOf(reason) : []));
  const [roles, groups, visible, seesPolicies] = await Promise.all([
    readableRows(ctx, () => 'Role', unique([...few.flatMap(rolesOf), ...answer.needed.map(({ role }) => role)])).then(
      byId,
    ),
    readableRows(ctx, () => 'Group', unique(few.flatMap(groupsOf))).then(byId),
    Promise.all(unique(objects).map(async (object) => ((await isVisible(ctx, object)) ? object : []))).then((found) =>
      byId(found.flat()),
    ),
    isAllowed(ctx, realmId, guardOf('RoleAuthorizationPolicy').permissionFor({}), undefined),
  ]);
  const explained = explainDecisions(seesPolicies ? few.filter((reason) => reason.kind === 'policy') : []);
  const shown = (reason: Reason): ShownReason => {
    if (reason.kind === 'role') {
      const own = {
        roles: reason.roles.filter(({ id }) => roles.has(id)),
        groups: reason.groups.filter(({ id }) => groups.has(id)),
      };
      const hasHidden = own.roles.length < reason.roles.length || own.groups.length < reason.groups.length;
      return { ...reason, ...own, hasHidden };
    }
    if (reason.kind === 'exceeding') {
      const isShown = roles.has(reason.role.id);
      return { ...reason, role: isShown ? reason.role : undefined, hasHidden: !isShown };
    }
    const object = objectOf(reason);
    const own = visible.has(object.id) ? object : undefined;
    const { decider, decided: _, ...rest } = reason;
    const decisions = explained.decisions.get(reason) ?? [];
    return {
      ...rest,
      decider: seesPolicies ? decider : undefined,
      decisions,
      object: own,
      hasHidden: !own || !seesPolicies,
    };
  };
  return {
    ...answer,
    reasons: few.map(shown),
    needed: answer.needed.map(({ role, ...needed }) => ({ ...needed, role: roles.has(role.id) ? role : undefined })),
    hasMore: answer.hasMore || explained.hasMore || few.length < answer.reasons.length,
  };
}
