import type { Context } from '../core/context.js';
import type { Permission } from '../core/permissions.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { type FullGroup, full } from './store.js';

export interface GroupTarget {
  realm: RealmRecord;
  group: FullGroup;
  /** as the caller addressed it, relative to the realm: audit records show it */
  path: string;
}

/** Where groups live: at the top level of a realm, or below a group. */
export interface GroupContainer {
  realm: RealmRecord;
  /** id of the realm or of the group above */
  id: string;
  parent: FullGroup | undefined;
  /** the list of its groups, relative to the realm */
  path: string;
}

/** The top level of the groups of a realm. */
export const topLevel = (realm: RealmRecord): GroupContainer => ({
  realm,
  id: realm.id,
  parent: undefined,
  path: 'groups',
});

/** The level below a group. */
export const childrenOf = ({ realm, group }: GroupTarget): GroupContainer => ({
  realm,
  id: group.id,
  parent: group,
  path: `groups/${group.id}/children`,
});

/** The group with this id. */
export async function groupById(ctx: Context, realm: RealmRecord, id: string): Promise<GroupTarget> {
  return {
    realm,
    group: await found(ctx, realm, id, 'query:groups', 'Could not find group by id'),
    path: `groups/${id}`,
  };
}

/** The group with this id, as one of those that new users join. */
export async function defaultGroupById(ctx: Context, realm: RealmRecord, id: string): Promise<GroupTarget> {
  return { realm, group: await found(ctx, realm, id, 'view:realm', 'Group not found'), path: `default-groups/${id}` };
}

async function found(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  permission: Permission,
  message: string,
): Promise<FullGroup> {
  const group = await ctx.db.group.findFirst({ where: { id, realmId: realm.id }, select: full });
  if (!group) throw await missing(ctx, realm, permission, message);
  return group;
}

/**
 * The group at a path from the top level down, with or without slashes around it. Names may contain slashes, so
 * several groups can have one path: the one with the most levels comes first, that is the one with the shortest name.
 */
export async function groupByPath(ctx: Context, realm: RealmRecord, path: string): Promise<GroupTarget> {
  const plain = `/${path.replace(/^\//, '').replace(/\/$/, '')}`;
  const groups = await ctx.db.group.findMany({ where: { realmId: realm.id, path: plain }, select: full });
  const [group] = groups.sort((one, other) => one.name.length - other.name.length);
  if (!group) throw await missing(ctx, realm, 'query:groups', 'Group path does not exist');
  return { realm, group, path: `groups/${group.id}` };
}
