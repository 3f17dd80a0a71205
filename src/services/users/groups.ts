import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, write } from '../core/operation.js';
import type { Permit } from '../core/ports.js';
import { forbidden, notFound, requireEach } from '../core/refusal.js';
import { flag, type Input, list as listOf, representation, text } from '../core/shape.js';
import { encodeFullGroup } from '../groups/representation.js';
import { type FullGroup, full } from '../groups/store.js';
import { writeMemberships } from '../user-storage/write/write-memberships.js';
import type { UserRef } from './locate.js';
import { lockUser, touchedUser } from './operations.js';
import { linkUser, membershipsBelow } from './store.js';

const GroupSearch = representation('UserGroupSearch', { search: text });

export const listGroups = list({
  name: 'user.groups',
  summary: 'Returns the groups of a user, ordered by name, or their number at `groups/count`.',
  input: GroupSearch,
  allow: 'view:users',
  model: 'Group',
  where: ({ user }: UserRef, { search }): Prisma.GroupWhereInput => ({
    users: { some: { userId: user.id } },
    ...(search && { search: { contains: search.toLowerCase() } }),
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

/** Groups by id. `unlessBelow` leaves those out in which the user is already by being in a group below. */
const Membership = representation('UserMembership', { groups: listOf(text), unlessBelow: flag });

/** What writes of memberships answer. */
export interface Membered {
  /** the user */
  id: string;
  /** the groups that the user was not in before, or is not in any more */
  changed: FullGroup[];
}

/** Refuses groups whose members the caller may not choose. */
function mayChangeMembers(permit: Permit, _target: UserRef, { groups = [] }: Input<typeof Membership>): void {
  if (!groups.every((id) => permit.may('manage-membership:groups', 'group', id))) throw forbidden();
}

/** The groups with these ids in their order, and whether the user is in each. All of them have to be there. */
async function groupsOf(tx: Db, { realm, user }: UserRef, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  const groups = await tx.group.findMany({
    where: { realmId: realm.id, id: { in: wanted } },
    select: { ...full, users: { where: { userId: user.id }, select: { userId: true } } },
  });
  requireEach(
    ids,
    groups.map(({ id }) => id),
    (place) => notFound('Group not found', `groups.${place}`),
  );
  const byId = new Map(groups.map((group) => [group.id, group]));
  return wanted.flatMap((id) => byId.get(id) ?? []);
}

const eventOf = (operationType: 'CREATE' | 'DELETE', { changed }: Membered, { path }: UserRef) =>
  changed.map((group) => ({
    operationType,
    resourceType: 'GROUP_MEMBERSHIP',
    resourcePath: `${path}/groups/${group.id}`,
    representation: encodeFullGroup(group),
  }));

const touched = ({ changed }: Membered, target: UserRef) => [
  ...touchedUser(target),
  `rights:${target.user.id}`,
  ...changed.map(({ id }) => `group:${id}`),
];

export const joinGroups = write({
  name: 'user.joinGroups',
  isShort: true,
  summary: 'Adds a user to groups. Existing memberships stay.',
  input: Membership,
  allow: 'manage-membership:users',
  actsOn: ({ user }: UserRef) => [user.id],
  grants: (_target, { groups }) => ({ groups }),
  check: mayChangeMembers,
  lock: lockUser,
  prepare: (ctx, { realm, user }: UserRef, { groups: ids = [] }, asked): Promise<void> =>
    writeMemberships(ctx, realm, user.id, { kind: 'group', ids, joins: true }, asked),
  run: async (tx, target: UserRef, { groups: ids = [], unlessBelow }): Promise<Membered> => {
    const [found, below] = await Promise.all([
      groupsOf(tx, target, ids),
      unlessBelow && ids.length > 0 ? membershipsBelow(tx, target.user.id, ids) : [],
    ]);
    const groups = found.filter(({ users }) => users.length === 0);
    const changed = groups.filter(({ path }) => !below.some((inner) => inner.startsWith(`${path}/`)));
    await linkUser(
      tx,
      'UserGroup',
      target.user.id,
      changed.map(({ id }) => id),
    );
    return { id: target.user.id, changed };
  },
  event: (result, target) => eventOf('CREATE', result, target),
  touches: touched,
});

export const leaveGroups = write({
  name: 'user.leaveGroups',
  isShort: true,
  summary: 'Removes a user from groups. Groups the user is not a member of are ignored.',
  input: Membership,
  allow: 'manage-membership:users',
  takesRights: true,
  actsOn: ({ user }: UserRef) => [user.id],
  grants: (_target, { groups }) => ({ groups }),
  check: mayChangeMembers,
  lock: lockUser,
  prepare: (ctx, { realm, user }: UserRef, { groups: ids = [] }, asked): Promise<void> =>
    writeMemberships(ctx, realm, user.id, { kind: 'group', ids, joins: false }, asked),
  run: async (tx, target: UserRef, { groups: ids = [] }): Promise<Membered> => {
    const changed = (await groupsOf(tx, target, ids)).filter(({ users }) => users.length > 0);
    const groupId = { in: changed.map(({ id }) => id) };
    if (changed.length > 0) await tx.later.userGroup.deleteMany({ where: { userId: target.user.id, groupId } });
    return { id: target.user.id, changed };
  },
  event: (result, target) => eventOf('DELETE', result, target),
  touches: touched,
});
