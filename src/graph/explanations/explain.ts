import type { Context } from '../../services/core/context.js';
import type { Permission } from '../../services/core/permissions.js';
import type { RealmRecord } from '../../services/core/realm.js';
import { type RequestOf, requestOf } from '../../services/explanations/caller.js';
import { exceedingReasons } from '../../services/explanations/exceeding.js';
import { impersonationReasons, policyReasons } from '../../services/explanations/policies.js';
import type { Reason } from '../../services/explanations/reasons.js';
import type { ExplainedRefusal } from '../../services/explanations/refusals.js';
import { type NeededRole, neededRoles, roleReasons } from '../../services/explanations/roles.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { realmById } from '../../services/realms/locate.js';
import { type Considered, considerationOf } from '../core/abilities.js';
import { isAllowed, isVisible, type NodeSubject } from '../core/node.js';

/** The question whether a user may perform an action on an object. */
export interface Question {
  user: { id: string; realm: RealmRecord };
  /**
   * ID of the client whose token the user uses; default: the administration console, or for a service account its own
   * client
   */
  client: string | undefined;
  object: NodeSubject;
  action: { permission: Permission } | { mutation: string };
}

/** The answer, with everything that led to it. */
export interface Answer {
  permission: Permission;
  refusal: ExplainedRefusal | undefined;
  reasons: Reason[];
  /** whether there are more reasons than the examined ones */
  hasMore: boolean;
  needed: NeededRole[];
}

interface Decision {
  permission: Permission;
  refusal: ExplainedRefusal | undefined;
  considered?: Considered;
}

/** The decision about the user's own request, by the same code that decides about requests. */
async function decide({ as, canLogIn }: RequestOf, { user, object, action }: Question): Promise<Decision> {
  const { realmId, about, viewPermission } = object;
  const asked = 'permission' in action ? action.permission : undefined;
  const refused = (refusal: ExplainedRefusal, permission = asked ?? viewPermission) => ({ permission, refusal });
  if (user.realm.id !== realmId && user.realm.name !== masterName) return refused('OTHER_REALM');
  if (!('mutation' in action)) {
    if (!canLogIn) return refused('CANNOT_LOG_IN');
    const isHeld = await isAllowed(as, realmId, action.permission, about);
    return isHeld ? { permission: action.permission, refusal: undefined } : refused('LACKS_PERMISSION');
  }
  const consider = considerationOf(object.typename, action.mutation);
  if (!consider) throw new Error(`Nothing is known of ${action.mutation} for objects of the type ${object.typename}`);
  const considered = await consider(as, object.id);
  const { permission, reason } = considered.answer;
  if (!canLogIn) return refused('CANNOT_LOG_IN', permission);
  if (considered.isFound === undefined && !(await isVisible(as, object))) return refused('NOT_VISIBLE', viewPermission);
  return { permission, refusal: reason, considered };
}

/** The reasons for the decision. */
async function reasonsFor(
  { as }: RequestOf,
  { user, object }: Question,
  { permission, refusal, considered }: Decision,
): Promise<Pick<Answer, 'reasons' | 'hasMore'>> {
  if (refusal === 'OTHER_REALM') return { reasons: [], hasMore: false };
  const realm = await realmById(as, object.realmId);
  const [roles, ...others] = await Promise.all([
    roleReasons(as, user, realm, permission),
    policyReasons(as, realm, permission, object.about),
    considered && refusal === 'BEYOND_OWN_PERMISSIONS'
      ? exceedingReasons(as, considered.ability, considered.asked)
      : Promise.resolve([]),
    // only impersonation is decided by policies besides the permission
    considered?.ability.isLetBy && (refusal === undefined || refusal === 'REFUSED_BY_POLICY')
      ? impersonationReasons(as, realm, permission, considered.asked.row)
      : Promise.resolve([]),
  ]);
  return { reasons: [...roles.reasons, ...others.flat()], hasMore: roles.hasMore };
}

/** Answers whether a user may do something with an object, and why. */
export async function explain(ctx: Context, question: Question): Promise<Answer> {
  const { user, object } = question;
  const request = await requestOf(ctx, user.realm, user.id, question.client);
  const decision = await decide(request, question);
  const { permission, refusal } = decision;
  const [found, needed] = await Promise.all([
    reasonsFor(request, question, decision),
    neededRoles(ctx, user, await realmById(ctx, object.realmId), permission),
  ]);
  return { permission, refusal, ...found, needed };
}
