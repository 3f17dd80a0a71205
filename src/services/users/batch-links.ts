import type { Db } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { type BatchResult, checkedSize, checkPairs, onError, repeated, sorted } from '../core/batch.js';
import type { Context } from '../core/context.js';
import { type Asked, type AuditRecord, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { forbidden, notFound, Refusal, requireEach } from '../core/refusal.js';
import { type Input, representation, texts } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { encodeFullGroup } from '../groups/representation.js';
import { full as fullGroup } from '../groups/store.js';
import { changedAnywhere } from '../role-mappings/writes.js';
import { rolesOfRealm } from '../roles/store.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { type MembershipChange, writeMemberships } from '../user-storage/write/write-memberships.js';
import { linkUsers } from './store.js';

const MembershipBatch = representation('UserMembershipBatch', { users: texts, groups: texts, onError });
const RoleBatch = representation('UserRoleBatch', { users: texts, roles: texts, onError });

function checkedPairs(users: readonly string[], others: readonly string[], field: string): void {
  checkedSize(users);
  checkPairs('user', users, others, field);
}

/** Users of user storages are written to their directories one by one: with what was refused, by the id of the user. */
async function writeAll(
  ctx: Context,
  realm: RealmRecord,
  users: readonly string[],
  change: MembershipChange,
  asked: Asked | undefined,
): Promise<ReadonlyMap<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  if (realm.components.length === 0) return refused;
  const linked = await ctx.db.user.findMany({
    where: { realmId: realm.id, id: { in: [...users] }, federationLink: { in: realm.components.map(({ id }) => id) } },
    select: { id: true },
  });
  for (const { id } of linked) {
    try {
      await writeMemberships(ctx, realm, id, change, asked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.set(id, error);
    }
  }
  return refused;
}

/** What a batch did, and the groups or roles that it was about. */
export interface LinkResult extends BatchResult {
  ids: string[];
}

/** A user of a batch, with the ids of the groups or roles in question that it has itself. */
interface Linked {
  id: string;
  held: ReadonlySet<string>;
}

/** The users of a batch behind their locks, in the order of the input, or why they are refused. */
async function usersOf(
  tx: Db,
  realm: RealmRecord,
  users: readonly string[],
  { kind, ids }: { kind: 'group' | 'role'; ids: string[] },
  refused: ReadonlyMap<string, Refusal>,
): Promise<(Linked | Refusal)[]> {
  await lockRows(tx, 'User', [...new Set(users)]);
  const rows = await tx.user.findMany({
    where: { realmId: realm.id, id: { in: [...users] }, AND: [shownUsers(realm)] },
    select: {
      id: true,
      groups: { where: { groupId: { in: kind === 'group' ? ids : [] } }, select: { groupId: true } },
      roles: { where: { roleId: { in: kind === 'role' ? ids : [] } }, select: { roleId: true } },
    },
  });
  const byId = new Map(
    rows.map(({ id, groups, roles }) => [
      id,
      { id, held: new Set([...groups.map(({ groupId }) => groupId), ...roles.map(({ roleId }) => roleId)]) },
    ]),
  );
  const twice = repeated(users, 'user');
  return users.map((id, at) => twice[at] ?? refused.get(id) ?? byId.get(id) ?? notFound('User not found'));
}

/** What the batch changes of a user. */
interface Changes {
  id: string;
  changed: readonly string[];
}

const changesOf = (users: readonly (Linked | Refusal)[], ids: readonly string[], adds: boolean) =>
  users.map((user): Changes | Refusal =>
    user instanceof Refusal ? user : { id: user.id, changed: ids.filter((id) => user.held.has(id) !== adds) },
  );

const written = (outcomes: readonly (Changes | Refusal)[]): string[] =>
  outcomes.flatMap((one) => (one instanceof Refusal || one.changed.length === 0 ? [] : one.id));

const event = ({ done }: BatchResult): AuditRecord[] => done.flatMap(({ audits }) => audits);
const touchesOf = ({ done }: BatchResult, { realm }: Target): string[] => [
  `users:${realm.id}`,
  ...done.flatMap(({ id, audits }) => (audits.length > 0 ? [`user:${id}`, `rights:${id}`] : [])),
];

type Memberships = Input<typeof MembershipBatch>;

const membershipBatch = (name: string, summary: string, joins: boolean) =>
  write({
    name,
    summary,
    input: MembershipBatch,
    refuses: ['REPEATED', 'READ_ONLY'],
    allow: 'manage-membership:users',
    ...(!joins && { takesRights: true as const }),
    actsOn: (_target: Target, { users }: Memberships) => users,
    grants: (_target: Target, { groups }: Memberships) => ({ groups }),
    check: (permit, _target: Target, { users = [], groups = [] }: Memberships) => {
      checkedPairs(users, groups, 'groups');
      if (!groups.every((id) => permit.may('manage-membership:groups', 'group', id))) throw forbidden();
    },
    prepare: (ctx, { realm }: Target, { users = [], groups = [] }: Memberships, asked) =>
      writeAll(ctx, realm, users, { kind: 'group', ids: groups, joins }, asked),
    run: async (
      tx,
      { realm }: Target,
      { users = [], groups = [], onError: mode },
      { prepared },
    ): Promise<LinkResult> => {
      const ids = [...new Set(groups)];
      const found = await tx.group.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: fullGroup });
      const byId = new Map(found.map((group) => [group.id, group]));
      requireEach(groups, [...byId.keys()], (place) => notFound('Group not found', `groups.${place}`));
      const outcomes = changesOf(await usersOf(tx, realm, users, { kind: 'group', ids }, prepared), ids, joins);
      const result = sorted(outcomes, mode, ({ id, changed }) =>
        changed.flatMap((groupId) => {
          const group = byId.get(groupId);
          return group
            ? {
                operationType: joins ? ('CREATE' as const) : ('DELETE' as const),
                resourceType: 'GROUP_MEMBERSHIP',
                resourcePath: `users/${id}/groups/${groupId}`,
                representation: encodeFullGroup(group),
              }
            : [];
        }),
      );
      const userIds = written(outcomes);
      if (joins) await linkUsers(tx, 'UserGroup', userIds, ids);
      else await tx.later.userGroup.deleteMany({ where: { userId: { in: userIds }, groupId: { in: ids } } });
      return { ...result, ids };
    },
    event,
    touches: (result, target) => [...touchesOf(result, target), ...result.ids.map((id) => `group:${id}`)],
  });

export const joinGroupsMany = membershipBatch(
  'user.joinGroupsMany',
  'Adds several users to groups in one transaction. Existing memberships stay.',
  true,
);

export const leaveGroupsMany = membershipBatch(
  'user.leaveGroupsMany',
  'Removes several users from groups in one transaction. Groups that a user is not a member of are ignored.',
  false,
);

type Roles = Input<typeof RoleBatch>;

const roleBatch = (name: string, summary: string, adds: boolean) =>
  write({
    name,
    summary,
    input: RoleBatch,
    refuses: ['REPEATED', 'READ_ONLY'],
    allow: 'map-roles:users',
    ...(!adds && { takesRights: true as const }),
    actsOn: (_target: Target, { users }: Roles) => users,
    grants: (_target: Target, { roles }: Roles) => ({ roles }),
    check: (_permit, _target: Target, { users = [], roles = [] }: Roles) => checkedPairs(users, roles, 'roles'),
    prepare: (ctx, { realm }: Target, { users = [], roles = [] }: Roles, asked) =>
      writeAll(ctx, realm, users, { kind: 'role', ids: roles, joins: adds }, asked),
    run: async (
      tx,
      { realm }: Target,
      { users = [], roles = [], onError: mode },
      { prepared },
    ): Promise<LinkResult> => {
      const ids = [...new Set(roles)];
      const found = await rolesOfRealm(tx, realm.id, ids);
      requireEach(
        roles,
        found.map(({ id }) => id),
        (place) => notFound('Role not found', `roles.${place}`),
      );
      const outcomes = changesOf(await usersOf(tx, realm, users, { kind: 'role', ids }, prepared), ids, adds);
      const result = sorted(outcomes, mode, ({ id, changed }) => {
        const ofUser = found.filter((role) => changed.includes(role.id));
        const path = `users/${id}/role-mappings`;
        return ofUser.length > 0 ? [changedAnywhere(adds ? 'CREATE' : 'DELETE', { path }, ofUser)] : [];
      });
      const userIds = written(outcomes);
      if (adds) await linkUsers(tx, 'UserRole', userIds, ids);
      else await tx.later.userRole.deleteMany({ where: { userId: { in: userIds }, roleId: { in: ids } } });
      await tx.later.user.updateMany({ where: { id: { in: userIds } }, data: { version: { increment: 1 } } });
      return { ...result, ids };
    },
    event,
    touches: touchesOf,
  });

export const addRolesMany = roleBatch(
  'user.addRolesMany',
  'Maps roles of the realm and its clients to several users in one transaction. Existing mappings stay.',
  true,
);

export const removeRolesMany = roleBatch(
  'user.removeRolesMany',
  'Removes mappings of roles of the realm and its clients from several users in one transaction.',
  false,
);
