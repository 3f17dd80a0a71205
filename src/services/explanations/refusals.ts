import { type AbilityReason, abilityReasons } from '../core/ability.js';

/** The reason why a user may not perform an action on an object. */
export type ExplainedRefusal = AbilityReason | 'CANNOT_LOG_IN' | 'OTHER_REALM';

/** Every refusal with a sentence about the user, who is not the caller. */
export const explainedRefusals: Readonly<Record<ExplainedRefusal, string>> = {
  ...abilityReasons,
  LACKS_PERMISSION: 'The user lacks the permission.',
  NOT_VISIBLE: 'The user lacks the permission to view the object, or the one by which the mutation finds it.',
  BEYOND_OWN_PERMISSIONS:
    'The object has, gives, or concerns administration roles or fine-grained permissions that the user does not have.',
  CANNOT_LOG_IN:
    'The user gets no access token: the user, its realm, its user storage, or the client is disabled, or the user is the service account of another client. Required actions do not count, as the user can perform them at the login.',
  OTHER_REALM: 'The object is in another realm, and the user is not in the realm master.',
};
