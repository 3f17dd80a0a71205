import type { Db } from '../../../database/db.js';
import { comparableDn } from '../../ldap/entry.js';
import type { Person } from '../person.js';
import type { Mapper } from '../storage.js';
import { administrationAmong, adoptLinks, isGrantable, type Kind, type Link, removeLinks } from '../store.js';

/** The memberships in groups, or the roles, of users by one mapper. */
export interface MappedSet {
  kind: Kind;
  /** IDs of all groups or roles of the mapper: only these are ever removed from a user */
  owned: ReadonlySet<string>;
  /** groups or roles that grant administration roles are given only if they are in this set: see `grantableBy` */
  grantable: ReadonlySet<string>;
  /** only users that are new get them */
  onlyNew: boolean;
  /** whether the directory alone decides who has them; otherwise links that were made in this service stay */
  onlyThere: boolean;
  /** IDs of the groups or roles of a person */
  of(person: Person): Iterable<string>;
}

/** The groups and roles by all mappers of a storage. */
export type Memberships = readonly MappedSet[];

/**
 * The text for a person in a mapper's lists of members: the DN, or a value; undefined for a person without that value.
 */
export const memberText = ({ id }: Pick<Mapper, 'id'>, type: 'DN' | 'UID', person: Person): string | undefined =>
  type === 'UID' ? person.memberValues[id] : person.dn;

/** The same text in a form for comparisons. */
export function memberKey(mapper: Pick<Mapper, 'id'>, type: 'DN' | 'UID', person: Person): string | undefined {
  const text = memberText(mapper, type, person);
  return type === 'UID' ? text?.toLowerCase() : text && comparableDn(text);
}

type Users = ReadonlyMap<string, { person: Person; isNew: boolean }>;

/**
 * Gives users the groups and roles of the directory, and removes ones that it no longer has. Two reads and at most
 * three writes, for groups and roles each. A mapper changes groups or roles that grant administration roles only if it
 * may give them. Returns the IDs of existing users that changed.
 */
export async function storeMemberships(tx: Db, memberships: Memberships, users: Users): Promise<string[]> {
  if (memberships.length === 0 || users.size === 0) return [];
  const regrouped = new Set<string>();
  for (const kind of ['group', 'role'] as const) {
    const sets = memberships.filter((set) => set.kind === kind);
    if (sets.length === 0) continue;
    const now = await linksOf(tx, kind, [...users.keys()]);
    const said = sets.map((set) => saidBy(set, users));
    const ids = new Set(
      [...said.flatMap(({ of }) => [...of.values()]), ...now.values()].flatMap((has) => [...has.keys()]),
    );
    const administration = await administrationAmong(tx, kind, [...ids]);
    const { given, taken, adopted } = differences(said, users, now, administration);
    await removeLinks(tx, kind, taken);
    await adoptLinks(tx, kind, adopted);
    await add(tx, kind, given, users);
    for (const { userId } of [...given, ...taken]) if (!users.get(userId)?.isNew) regrouped.add(userId);
  }
  return [...regrouped];
}

/** The groups or roles of a mapper by user. */
interface Said {
  set: MappedSet;
  of: ReadonlyMap<string, ReadonlySet<string>>;
}

const saidBy = (set: MappedSet, users: Users): Said => ({
  set,
  of: new Map(
    [...users].flatMap(([id, { person, isNew }]) => (set.onlyNew && !isNew ? [] : [[id, new Set(set.of(person))]])),
  ),
});

function differences(
  said: readonly Said[],
  users: Users,
  now: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
  administration: ReadonlyMap<string, readonly string[]>,
): { given: Link[]; taken: Link[]; adopted: Link[] } {
  const given: Link[] = [];
  const adopted: Link[] = [];
  const taken: Link[] = [];
  for (const userId of users.keys()) {
    const has = now.get(userId) ?? new Map<string, boolean>();
    const wanted = new Set<string>();
    const unwanted = new Set<string>();
    for (const { set, of } of said) {
      const mine = of.get(userId);
      if (!mine) continue;
      const may = (id: string) => isGrantable(administration.get(id), set.grantable);
      for (const targetId of mine) {
        if (!may(targetId)) continue;
        wanted.add(targetId);
        if (set.onlyThere && has.get(targetId) === false) adopted.push({ userId, targetId });
      }
      for (const [id, imported] of has) {
        if (set.owned.has(id) && !mine.has(id) && (imported || (set.onlyThere && may(id)))) unwanted.add(id);
      }
    }
    for (const targetId of wanted) if (!has.has(targetId)) given.push({ userId, targetId });
    for (const targetId of unwanted) if (!wanted.has(targetId)) taken.push({ userId, targetId });
  }
  return { given, taken, adopted };
}

/** The current links of users by their IDs, and whether they came from the directory. */
async function linksOf(tx: Db, kind: Kind, ids: string[]): Promise<Map<string, Map<string, boolean>>> {
  const where = { userId: { in: ids } };
  const rows =
    kind === 'group'
      ? (await tx.userGroup.findMany({ where, select: { userId: true, groupId: true, imported: true } })).map(
          ({ groupId, ...link }) => ({ ...link, targetId: groupId }),
        )
      : (await tx.userRole.findMany({ where, select: { userId: true, roleId: true, imported: true } })).map(
          ({ roleId, ...link }) => ({ ...link, targetId: roleId }),
        );
  const result = new Map<string, Map<string, boolean>>();
  for (const { userId, targetId, imported } of rows) {
    const has = result.get(userId);
    if (has) has.set(targetId, imported);
    else result.set(userId, new Map([[targetId, imported]]));
  }
  return result;
}

async function add(
  tx: Db,
  kind: Kind,
  links: readonly Link[],
  users: ReadonlyMap<string, { person: Person }>,
): Promise<void> {
  if (links.length === 0) return;
  const named = links.map(({ userId, targetId }) => {
    const username = users.get(userId)?.person.username ?? '';
    return { targetId, row: { userId, username, imported: true } };
  });
  if (kind === 'group') {
    const data = named.map(({ targetId, row }) => ({ ...row, groupId: targetId }));
    await tx.userGroup.createMany({ data });
  } else {
    const data = named.map(({ targetId, row }) => ({ ...row, roleId: targetId }));
    await tx.userRole.createMany({ data });
  }
}
