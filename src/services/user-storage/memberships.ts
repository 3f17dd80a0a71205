import type { Db } from '../../database/db.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { comparableDn } from '../ldap/entry.js';
import type { Person } from './person.js';

type Kind = 'group' | 'role';

/** What one mapper says of who is in which groups, or has which roles. */
export interface MappedSet {
  kind: Kind;
  /** ids of all groups or roles that the mapper has: of others nothing is taken away */
  owned: ReadonlySet<string>;
  /** only users that are new get them */
  onlyNew: boolean;
  /** ids of those that a person has */
  of(person: Person): Iterable<string>;
}

/** What all mappers of a storage say of groups and roles. */
export type Memberships = readonly MappedSet[];

/** Who a person is in the lists of members. */
export type MemberKey = (person: Person) => string;

/** A member that is listed with its DN, or with the value that names users. */
export const memberKey = (type: string | undefined): MemberKey =>
  type === 'UID' ? ({ username }) => username : ({ dn }) => comparableDn(dn);

interface Link {
  userId: string;
  targetId: string;
}

/**
 * Gives users the groups and roles that the directory says, and takes away what it no longer says: two reads, and two
 * writes for groups and roles each. Answers with the ids of users that were there before, and changed.
 */
export async function storeMemberships(
  tx: Db,
  memberships: Memberships,
  users: ReadonlyMap<string, { person: Person; isNew: boolean }>,
): Promise<string[]> {
  if (memberships.length === 0 || users.size === 0) return [];
  const regrouped = new Set<string>();
  for (const kind of ['group', 'role'] as const) {
    const sets = memberships.filter((set) => set.kind === kind);
    if (sets.length === 0) continue;
    const now = await linksOf(tx, kind, [...users.keys()]);
    const { given, taken } = differences(sets, users, now);
    await remove(tx, kind, taken);
    await add(tx, kind, given, users);
    for (const { userId } of [...given, ...taken]) if (!users.get(userId)?.isNew) regrouped.add(userId);
  }
  return [...regrouped];
}

function differences(
  sets: readonly MappedSet[],
  users: ReadonlyMap<string, { person: Person; isNew: boolean }>,
  now: ReadonlyMap<string, ReadonlySet<string>>,
): { given: Link[]; taken: Link[] } {
  const given: Link[] = [];
  const taken: Link[] = [];
  for (const [userId, { person, isNew }] of users) {
    const has = now.get(userId) ?? new Set();
    const wanted = new Set<string>();
    const owned = new Set<string>();
    for (const set of sets) {
      if (set.onlyNew && !isNew) continue;
      for (const id of set.of(person)) wanted.add(id);
      for (const id of has) if (set.owned.has(id)) owned.add(id);
    }
    for (const targetId of wanted) if (!has.has(targetId)) given.push({ userId, targetId });
    for (const targetId of owned) if (!wanted.has(targetId)) taken.push({ userId, targetId });
  }
  return { given, taken };
}

async function linksOf(tx: Db, kind: Kind, ids: string[]): Promise<Map<string, Set<string>>> {
  const where = { userId: { in: ids } };
  const rows =
    kind === 'group'
      ? (await tx.userGroup.findMany({ where, select: { userId: true, groupId: true } })).map(
          ({ userId, groupId }) => ({
            userId,
            targetId: groupId,
          }),
        )
      : (await tx.userRole.findMany({ where, select: { userId: true, roleId: true } })).map(({ userId, roleId }) => ({
          userId,
          targetId: roleId,
        }));
  const result = new Map<string, Set<string>>();
  for (const { userId, targetId } of rows) {
    const has = result.get(userId);
    if (has) has.add(targetId);
    else result.set(userId, new Set([targetId]));
  }
  return result;
}

const columnsOf = { group: ['"UserGroup"', '"groupId"'], role: ['"UserRole"', '"roleId"'] } as const;

async function remove(tx: Db, kind: Kind, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const [table, column] = columnsOf[kind];
  const users = links.map(({ userId }) => userId);
  const pairs = links.map(({ userId, targetId }) => `${userId} ${targetId}`);
  await tx.execute(Prisma.sql`DELETE FROM ${Prisma.raw(table)}
    WHERE "userId" IN (${listed(tx.dialect, users)}) AND "userId" || ' ' || ${Prisma.raw(column)} IN (${listed(tx.dialect, pairs)})`);
}

async function add(
  tx: Db,
  kind: Kind,
  links: readonly Link[],
  users: ReadonlyMap<string, { person: Person }>,
): Promise<void> {
  if (links.length === 0) return;
  const named = links.map((link) => ({ ...link, username: users.get(link.userId)?.person.username ?? '' }));
  if (kind === 'group') {
    const data = named.map(({ userId, targetId, username }) => ({ userId, groupId: targetId, username }));
    await tx.userGroup.createMany({ data });
  } else {
    const data = named.map(({ userId, targetId, username }) => ({ userId, roleId: targetId, username }));
    await tx.userRole.createMany({ data });
  }
}
