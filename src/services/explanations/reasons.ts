import type { Decision, PolicyEvaluator } from '../authorization/evaluation/decide.js';
import type { EvaluatedPolicy } from '../authorization/evaluation/store.js';
import type { Permission } from '../core/permissions.js';
import type { DelegatedSubject } from '../permissions/delegated.js';

/** A role, as far as its visibility depends on it. */
export interface RoleRow {
  id: string;
  realmId: string;
  clientId: string | null;
}

/** How a user has the first role of a chain. */
export type RoleOrigin = 'DIRECT' | 'GROUP' | 'DEFAULT_ROLE';

/** An administration role that the user has, and how. */
export interface RoleReason {
  kind: 'role';
  permission: Permission;
  isGranting: boolean;
  right: string;
  origin: RoleOrigin;
  /** from the user's direct group up to the group with the first role */
  groups: { id: string; realmId: string }[];
  /** from the role that the user or group has to the administration role */
  roles: RoleRow[];
}

/** The result of a policy for a user, and the policies that it combines. */
export interface PolicyDecision {
  policy: Pick<EvaluatedPolicy, 'id' | 'type'>;
  isPermitted: boolean;
  policies: PolicyDecision[];
}

/** A fine-grained permission that applies. */
export interface PolicyReason {
  kind: 'policy';
  permission: Permission;
  isGranting: boolean;
  /** the fine-grained permission */
  decider: Pick<EvaluatedPolicy, 'id' | 'type'>;
  scope: string;
  subject: DelegatedSubject;
  /** the results of its policies, and the combined result */
  decided: { decisions: readonly Decision[]; result: boolean; evaluator: PolicyEvaluator };
}

/** An administration role of the object that the user does not have. */
export interface ExceedingReason {
  kind: 'exceeding';
  permission: Permission;
  isGranting: false;
  right: string;
  role: RoleRow;
}

export type Reason = RoleReason | PolicyReason | ExceedingReason;

/** Maximum reasons of a kind in an explanation. */
export const mostReasons = 100;
