import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Permission } from './permissions.js';
import { membersOf, usersBelow } from './store.js';
import type { Target } from './target.js';

/** The rights of one caller in one realm from management permissions, besides the administration roles. */
export interface Delegation {
  /** scopes about all users */
  users: ReadonlySet<string>;
  /** scopes by ID */
  groups: ReadonlyMap<string, ReadonlySet<string>>;
  clients: ReadonlyMap<string, ReadonlySet<string>>;
  roles: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Scopes for all users. Each gives a permission in the same way as an administration role. */
const ofUsers: Partial<Record<Permission, readonly string[]>> = {
  'query:users': ['view', 'manage'],
  'view:users': ['view', 'manage'],
  'manage:users': ['manage'],
  'map-roles:users': ['manage', 'map-roles'],
  'manage-membership:users': ['manage', 'manage-group-membership'],
  'impersonate:users': ['impersonate'],
};

/** Scopes for a group, a client, or the group of a user. Each gives a permission for that object only. */
const ofGroup: Partial<Record<Permission, readonly string[]>> = {
  'view:groups': ['view', 'manage'],
  'manage:groups': ['manage'],
  'manage-membership:groups': ['manage', 'manage-membership'],
  'view:members': ['view-members', 'manage-members'],
};

const ofClient: Partial<Record<Permission, readonly string[]>> = {
  'view:clients': ['view', 'manage', 'configure'],
  'list:client-roles': ['view', 'manage', 'configure'],
  'list:client-scopes': ['view', 'manage', 'configure'],
  'configure:clients': ['manage', 'configure'],
  'manage:clients': ['manage'],
};

const ofMember: Partial<Record<Permission, readonly string[]>> = {
  'view:users': ['view-members', 'manage-members'],
  'manage:users': ['manage-members'],
  'map-roles:users': ['manage-members'],
  'manage-membership:users': ['manage-members'],
};

/** The scopes that each give a permission: for all users, one group, one client, and a group of a user. */
export const scopesGiving = (permission: Permission) => ({
  users: ofUsers[permission] ?? [],
  group: ofGroup[permission] ?? [],
  client: ofClient[permission] ?? [],
  member: ofMember[permission] ?? [],
});

const has = (given: ReadonlySet<string> | undefined, wanted: readonly string[] | undefined): boolean =>
  wanted?.some((scope) => given?.has(scope)) ?? false;

/** Whether a permission is held for all users. */
export const isAllowedForUsers = ({ users }: Delegation, permission: Permission): boolean =>
  has(users, ofUsers[permission]);

/** Whether a permission is held for one group or client. */
export const isAllowedFor = (
  delegation: Delegation,
  permission: Permission,
  kind: 'group' | 'client',
  id: string,
): boolean =>
  kind === 'group'
    ? has(delegation.groups.get(id), ofGroup[permission])
    : has(delegation.clients.get(id), ofClient[permission]);

/** Whether a permission is held for at least one group or client. */
export const isAllowedForSome = ({ groups, clients }: Delegation, permission: Permission): boolean =>
  idsWith(groups, ofGroup[permission]).length > 0 || idsWith(clients, ofClient[permission]).length > 0;

/** The IDs of the objects with any of these scopes. */
export const idsWith = (
  given: ReadonlyMap<string, ReadonlySet<string>>,
  wanted: readonly string[] | undefined,
): string[] => [...given].filter(([, scopes]) => has(scopes, wanted)).map(([id]) => id);

/** The IDs of the visible groups or clients, or of the groups with visible members. */
export const seenIds = ({ groups, clients }: Delegation, kind: 'groups' | 'clients' | 'members'): string[] =>
  kind === 'clients' ? idsWith(clients, ofClient['view:clients']) : idsWith(groups, ofGroup[`view:${kind}`]);

/** A query for the IDs of the visible users: direct members of certain groups. Undefined if there are none. */
export function seenMembers(delegation: Delegation): Prisma.Sql | undefined {
  const ids = idsWith(delegation.groups, ofMember['view:users']);
  return ids.length === 0 ? undefined : membersOf(ids);
}

/**
 * Returns the users for whom the caller has a permission, as direct or indirect members of certain groups. One
 * statement.
 */
export const allowedUsers = (
  db: Db,
  { groups }: Delegation,
  permission: Permission,
  users: readonly string[],
): Promise<ReadonlySet<string>> => usersBelow(db, idsWith(groups, ofMember[permission]), users);

/** Whether members that the caller may view may be changed as well. */
export function managesMembers({ groups }: Delegation): boolean {
  const seen = idsWith(groups, ofMember['view:users']);
  return seen.length > 0 && seen.length === idsWith(groups, ofMember['manage:users']).length;
}

/** The parts of an operation's target that management permissions can apply to. */
interface Subjects extends Partial<Target> {
  group?: { id: string } | null;
  client?: { id: string } | null;
  user?: { id: string };
  /** the owner of the roles or mappers */
  owner?: { kind: string; id: string };
  /** role of a client, or of the realm */
  role?: { clientId: string | null };
  /** the object whose management permissions are enabled or disabled */
  subject?: { kind: string; id: string };
}

/** The group, client or user that an operation is about. */
export function permissionSubject({
  group,
  client,
  user,
  owner,
  role,
  subject,
}: Subjects): { kind: string; id: string } | undefined {
  if (group) return { kind: 'group', id: group.id };
  if (user) return { kind: 'user', id: user.id };
  if (owner) return owner;
  if (client) return { kind: 'client', id: client.id };
  return role?.clientId ? { kind: 'client', id: role.clientId } : subject;
}

/** Whether the caller has a permission for the target of an operation. For a user this takes a statement. */
export async function isAllowedForTarget(
  db: Db,
  delegation: Delegation,
  permission: Permission,
  target: Subjects,
): Promise<boolean> {
  const about = permissionSubject(target);
  if (about?.kind === 'user') return (await allowedUsers(db, delegation, permission, [about.id])).has(about.id);
  if (about?.kind !== 'group' && about?.kind !== 'client') return false;
  return isAllowedFor(delegation, permission, about.kind, about.id);
}
