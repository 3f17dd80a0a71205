import { unionOf } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Grants } from '../core/grants.js';
import type { Permit } from '../core/ports.js';
import { forbidden } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { groupsAtPaths } from '../groups/store.js';
import { grantsOfStorages } from '../user-storage/gives.js';
import type { UserInput } from './representation.js';

const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

/** What new users get by the groups and the user storage that they are sent with. */
export async function grantsOfNewUsers(
  target: Target,
  users: readonly Pick<UserInput, 'groups' | 'federationLink'>[],
  ctx: Context,
): Promise<Grants | undefined> {
  const paths = [...new Set(users.flatMap(({ groups }) => (groups ?? []).map(absolute)))];
  const linked = await grantsOfLinks(target, users, ctx);
  if (paths.length === 0) return linked;
  const groups = groupsAtPaths(target.realm.id, paths);
  return {
    ...linked,
    groups: linked?.groups ? unionOf([groups, linked.groups as Prisma.Sql]) : groups,
  };
}

/** Refuses memberships of new users to whom management permissions alone let choose users, whatever they say of groups. */
export function checkMemberships(permit: Permit, users: readonly Pick<UserInput, 'groups'>[]): void {
  const hasGroups = users.some(({ groups = [] }) => groups.length > 0);
  // no group has this id: only a role allows it
  if (hasGroups && !permit.may('manage-membership:groups', 'group', '')) throw forbidden();
}

/** What users may get by being bound to a user storage: whatever its directory says of somebody of that name. */
export const grantsOfLinks = (
  target: Target,
  users: readonly Pick<UserInput, 'federationLink'>[],
  ctx: Context,
): Promise<Grants | undefined> =>
  grantsOfStorages(
    ctx,
    target,
    users.flatMap(({ federationLink }) => federationLink || []),
  );
