import type { AbilityOf } from '../core/ability.js';
import type { Context } from '../core/context.js';
import { isWhole } from '../core/held-rights.js';
import { type Asked, entitledBy } from '../permissions/ability.js';
import { groupsIn, usersCondition, within } from '../permissions/access.js';
import { matchingUsers } from '../permissions/store.js';
import { beyondAdministration } from '../role-mappings/store.js';
import { type ExceedingReason, mostReasons } from './reasons.js';
import { administrationGiven } from './store.js';

/**
 * The administration roles because of which a write exceeds a user's own rights: roles of the users that it acts on, or
 * roles that it would grant. One statement, besides the statements that find these users and roles. `as` is the context
 * of the user.
 */
export async function exceedingReasons<R>(
  as: Context,
  ability: AbilityOf<R>,
  { realm, permit, row, target, permission }: Asked<R>,
): Promise<ExceedingReason[]> {
  const higher = beyondAdministration({ realm, caller: as.caller }, permit);
  if (!higher || isWhole(realm, permit.rights)) return [];
  const { entitled, input } = entitledBy(ability, row);
  const of = { ...target, realm };
  const users = await entitled.actsOn?.(of, input, as);
  const granted = await entitled.grants?.(of, input, as);
  const groups = granted && groupsIn(as, granted.groups, granted.trees ?? []);
  const giving = {
    users: users && matchingUsers(usersCondition(as, users)),
    roles: granted?.roles && within(as, granted.roles),
    groups: groups && within(as, groups),
  };
  if (!giving.users && !giving.roles && !giving.groups) return [];
  const rows = await administrationGiven(as.db, higher, giving, mostReasons + 1);
  return rows.map(({ right, ...role }) => ({ kind: 'exceeding', permission, isGranting: false, right, role }));
}
