import type { Db } from '../../database/db.js';
import { inLowerCase } from '../../database/like.js';
import { listed } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { attributesOf } from '../core/attribute-query.js';
import { onlyOne } from '../core/batch.js';
import { clearable } from '../core/fields.js';
import { list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import type { RealmRecord } from '../core/realm.js';
import { found } from '../core/refusal.js';
import { flag, type Input, int, representation, text } from '../core/shape.js';
import { forgetInPolicies } from '../permissions/store.js';
import { type RoleTarget, viewRole } from '../roles/locate.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { takenName, updateGroups } from './changing.js';
import { groupFields } from './fields.js';
import type { GroupTarget } from './locate.js';
import { encodeFullGroup, GroupRepresentation } from './representation.js';
import { countTrees, type FullGroup, groupsAndBelow, readGroup, removeMembers } from './store.js';
import { type GroupTree, searchedTrees, treeFrom, trees } from './tree.js';

interface InRealm {
  realm: RealmRecord;
}

const GroupPage = representation('GroupPage', {
  search: text,
  skip: int,
  take: int,
  brief: flag,
  exact: flag,
  q: text,
  populateHierarchy: flag,
  subGroupsCount: flag,
});

/** Whether a caller asks with parameters of version 26: the answer then has its form, in which a tree has nothing but what was found. */
const asksAnew = ({ exact, q, populateHierarchy, subGroupsCount }: Input<typeof GroupPage>): boolean =>
  [exact, q, populateHierarchy, subGroupsCount].some((parameter) => parameter !== undefined);

export const hierarchy = read({
  name: 'group.hierarchy',
  summary:
    'Returns the groups of a realm as a tree. A search matches names on all levels and returns the whole trees of the matches. With `exact`, `q`, `populateHierarchy`, or `subGroupsCount`, only matches and the groups above them are returned.',
  input: GroupPage,
  allow: 'query:groups',
  // who may look for groups without seeing them gets their names, never their attributes and roles
  check: (permit, _target, { q }) => {
    if (q) permit.require('view:groups');
  },
  run: (ctx, { realm }: InRealm, input, permit): Promise<GroupTree[]> => {
    const { skip, take, brief, exact, q, populateHierarchy } = input;
    const search = input.search?.trim() || undefined;
    const isBrief = brief !== false || !permit.can('view:groups');
    if (!asksAnew(input)) return trees(ctx.db, realm.id, { search, skip, take }, isBrief);
    const found = {
      name: search === undefined ? undefined : { text: search, isExact: exact === true },
      attributes: attributesOf(q ?? ''),
      withParents: populateHierarchy !== false,
    };
    return searchedTrees(ctx.db, realm.id, { ...found, skip, take }, isBrief);
  },
});

const SubgroupFilter = representation('SubgroupFilter', { search: text, exact: flag });

export const listChildren = list({
  name: 'group.children',
  summary: 'Returns the direct subgroups of a group, each with the number of its own subgroups.',
  input: SubgroupFilter,
  allow: 'view:groups',
  model: 'Group',
  visible: 'groups',
  where: ({ group }: GroupTarget, { search, exact }): Prisma.GroupWhereInput => ({
    parentId: group.id,
    ...(search && { name: exact ? search : inLowerCase({ contains: search.toLowerCase() }) }),
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const listGroups = list({
  name: 'group.list',
  summary: 'The groups of a realm, of all levels.',
  allow: 'query:groups',
  model: 'Group',
  visible: 'groups',
  where: ({ realm }: InRealm): Prisma.GroupWhereInput => ({ realmId: realm.id }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

const GroupCount = representation('GroupCount', { search: text, top: flag });

export const count = read({
  name: 'group.count',
  summary:
    'Returns the number of groups: of all, of the top level, or of the top-level groups whose tree matches a search.',
  input: GroupCount,
  // that there are so many is no secret among administrators; whether one has a certain name is
  allow: 'count:groups',
  check: (permit, _target, { search }) => {
    if (search?.trim()) permit.require('query:groups');
  },
  run: async (ctx, { realm }: InRealm, { search, top }): Promise<{ count: number }> => {
    const needle = search?.trim();
    if (needle) return { count: await countTrees(ctx.db, realm.id, needle) };
    const onlyTop = top === true || search !== undefined;
    return {
      count: await ctx.db.group.count({
        where: { realmId: realm.id, ...(onlyTop && { container: realm.id, parentId: null }) },
      }),
    };
  },
});

export const get = read({
  name: 'group.get',
  summary: 'Returns a group with its subgroups.',
  allow: 'view:groups',
  run: (ctx, { group }: GroupTarget): Promise<GroupTree> => treeFrom(ctx.db, group),
});

export const members = list({
  name: 'group.members',
  summary: 'Returns the direct members of a group, without members of its subgroups.',
  allow: 'view:members',
  model: 'User',
  visible: 'users',
  shown: shownUsers,
  where: ({ group }: GroupTarget): Prisma.UserWhereInput => ({ groups: { some: { groupId: group.id } } }),
  orderBy: [{ username: 'asc' }],
});

export const ofRole = list({
  name: 'role.groups',
  summary: 'Returns the groups with a direct mapping of a role.',
  allow: viewRole,
  model: 'Group',
  visible: 'groups',
  where: ({ role }: RoleTarget): Prisma.GroupWhereInput => ({ roles: { some: { roleId: role.id } } }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

const touched = ({ id }: { id: string }, { realm }: GroupTarget) => [`groups:${realm.id}`, `group:${id}`];

/** Deletes groups with all below them, and the policies about nothing else. */
export async function removeGroups(tx: Db, realm: RealmRecord, groups: readonly FullGroup[]): Promise<void> {
  const ids = groups.map(({ id }) => id);
  const going = groupsAndBelow(listed(tx, ids));
  await forgetInPolicies(tx, realm, 'group', going);
  await removeMembers(tx, going);
  await tx.later.group.deleteMany({ where: { id: { in: ids } } });
}

/** Members of a group that goes lose its roles. */
const touchedWithMembers = (group: { id: string }, target: GroupTarget) => [...touched(group, target), 'rights'];

export const update = write({
  name: 'group.update',
  summary: 'Renames a group and replaces all its attributes if given. Subgroups stay unchanged.',
  input: GroupRepresentation,
  allow: 'manage:groups',
  // mappers of directories and identity providers find groups by their paths
  grants: ({ group }: GroupTarget, { name }) => ({
    trees: name === undefined || name === group.name ? [] : [group.id],
  }),
  queue: ({ realm }) => ({ model: 'Realm', id: realm.id }),
  lock: ({ group }) => ({ model: 'Group', id: group.id }),
  refresh: async (tx, target: GroupTarget) => ({
    ...target,
    group: found(await readGroup(tx, target.group.id), 'Could not find group by id'),
  }),
  run: async (tx, { realm, group }: GroupTarget, input): Promise<FullGroup> =>
    onlyOne(await updateGroups(tx, realm, [{ group, input }])),
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'LIMIT_REACHED'],
  conflict: ({ name }) => takenName(name),
  event: (group, { path, group: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'GROUP',
    resourcePath: path,
    representation: encodeFullGroup(group),
    before: encodeFullGroup(before),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ group }) => encodeFullGroup(group),
  empty: { ...clearable(groupFields), attributes: {} },
  keepsRest: true,
});

export const remove = write({
  name: 'group.delete',
  isShort: true,
  summary: 'Deletes a group with its subgroups. Memberships and role mappings end.',
  allow: 'manage:groups',
  takesRights: true,
  // its members lose its roles
  grants: ({ group }: GroupTarget) => ({ trees: [group.id] }),
  lock: ({ group }) => ({ model: 'Group', id: group.id }),
  run: async (tx, { realm, group }: GroupTarget): Promise<FullGroup> => {
    await removeGroups(tx, realm, [group]);
    return group;
  },
  event: (group, { path }) => ({
    operationType: 'DELETE',
    resourceType: 'GROUP',
    resourcePath: path,
    before: encodeFullGroup(group),
  }),
  touches: touchedWithMembers,
});
