import { limit } from '../config/limits.js';
import { permissionFor } from '../services/core/allow.js';
import type { Context } from '../services/core/context.js';
import { isObject } from '../services/core/json.js';
import { performList, performWrite } from '../services/core/perform.js';
import { permitFor } from '../services/core/permit.js';
import type { RealmRecord } from '../services/core/realm.js';
import { Refusal } from '../services/core/refusal.js';
import { realmById } from '../services/realms/locate.js';
import { joinGroupsMany, leaveGroupsMany } from '../services/users/batch-links.js';
import { listUsers } from '../services/users/list.js';
import type { Filter } from './parse-filter.js';
import type { Change } from './patch.js';
import { invalidFilter, invalidPath, invalidValue, ScimRefusal } from './refusals.js';

const mostMembers = limit(
  'SCIM',
  'Members of groups in an answer, and of a group that a request replaces',
  10_000,
  'members',
);
const membersAtOnce = 1000;

export interface Member {
  id: string;
  username: string;
}

const inRealm = (realm: RealmRecord) => async (at: Context) => ({ realm: await realmById(at, realm.id) });

/** The members of groups that the caller may view, by the IDs of the groups; undefined for callers who may not look for users. */
export async function membersOf(
  ctx: Context,
  realm: RealmRecord,
  groups: readonly string[],
): Promise<ReadonlyMap<string, Member[]> | undefined> {
  if (!(await permitFor(ctx, realm)).can(permissionFor(listUsers))) return undefined;
  const byGroup = new Map(groups.map((id): [string, Member[]] => [id, []]));
  if (groups.length === 0) return byGroup;
  const { where } = await performList(ctx, listUsers, inRealm(realm), {});
  const groupId = { in: [...groups] };
  const users = await ctx.db.user.findMany({
    where: { AND: [...where.AND, { groups: { some: { groupId } } }] },
    select: { id: true, username: true, groups: { where: { groupId }, select: { groupId: true } } },
    orderBy: [{ username: 'asc' }],
    take: mostMembers + 1,
  });
  let count = 0;
  for (const { id, username, groups: links } of users) {
    count += links.length;
    for (const link of links) byGroup.get(link.groupId)?.push({ id, username });
  }
  if (count > mostMembers)
    throw new ScimRefusal(
      'tooMany',
      `The groups have more than ${mostMembers} members. Send \`excludedAttributes=members\`, and read the users with the filter \`groups.value eq "..."\``,
    );
  return byGroup;
}

/** The IDs of users in a list of members that was sent. Throws `invalidValue`. */
export function memberIds(sent: unknown): string[] {
  if (sent === null || sent === undefined) return [];
  const ids = (Array.isArray(sent) ? sent : [sent]).map((entry: unknown) => {
    const value = isObject(entry) ? entry.value : entry;
    if (isObject(entry) && typeof entry.type === 'string' && entry.type.toLowerCase() !== 'user')
      throw invalidValue('Members of a group must be users: `type` must be `User`');
    if (typeof value !== 'string' || value === '')
      throw invalidValue('Each of `members` must have the ID of a user as `value`');
    return value;
  });
  if (ids.length > mostMembers) throw new ScimRefusal('tooMany', `A request must have at most ${mostMembers} members`);
  return [...new Set(ids)];
}

/** Users who join and leave a group. `isReplaced`: all others leave. */
export interface MemberChanges {
  isReplaced: boolean;
  joining: Set<string>;
  leaving: Set<string>;
}

export const noChanges = (): MemberChanges => ({ isReplaced: false, joining: new Set(), leaving: new Set() });

/** The IDs in a filter such as `value eq "1" or value eq "2"`. */
function idsIn(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsIn);
  const isId = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.name.toLowerCase() === 'value';
  if (!isId || typeof filter.operand !== 'string') throw invalidFilter('Members are chosen by `value eq "ID"`');
  return [filter.operand];
}

/** Whether a change is one of the members. */
export const isOfMembers = ({ path }: Change): boolean => path.name.toLowerCase() === 'members';

/** Adds a change of a PATCH request to those of the members before it. */
export function addChange(changes: MemberChanges, { op, path, value }: Change): void {
  if (path.sub !== undefined || (path.filter && op !== 'remove'))
    throw invalidPath(`${path.text} cannot be changed: add and remove members`);
  if (op === 'add') {
    for (const id of memberIds(value)) {
      changes.joining.add(id);
      changes.leaving.delete(id);
    }
    return;
  }
  const named = op === 'remove' ? (path.filter ? idsIn(path.filter) : memberIds(value)) : [];
  if (op === 'remove' && (path.filter || named.length > 0)) {
    for (const id of named) {
      changes.joining.delete(id);
      changes.leaving.add(id);
    }
    return;
  }
  changes.isReplaced = true;
  changes.leaving.clear();
  changes.joining = new Set(op === 'replace' ? memberIds(value) : []);
}

const isOfMissingUser = (kind: string | undefined) => kind === 'notFound';

/** Writes the memberships of a group. Users who leave and do not exist are ignored. */
export async function writeMembers(
  ctx: Context,
  realm: RealmRecord,
  group: string,
  changes: MemberChanges,
): Promise<void> {
  let { joining, leaving } = changes;
  if (changes.isReplaced) {
    const present = (await membersOf(ctx, realm, [group]))?.get(group) ?? [];
    const ids = new Set(present.map(({ id }) => id));
    leaving = new Set([...ids].filter((id) => !joining.has(id)));
    joining = new Set([...joining].filter((id) => !ids.has(id)));
  }
  for (const users of inParts([...leaving])) {
    const input = { users, groups: [group], onError: 'CONTINUE' };
    const { result } = await performWrite(ctx, leaveGroupsMany, inRealm(realm), input, { keepsAdministrator: true });
    const fault = result.faults.find(({ kind }) => !isOfMissingUser(kind));
    if (fault) throw new Refusal(fault.kind ?? 'invalid', fault.message, { faults: result.faults });
  }
  for (const users of inParts([...joining])) {
    await performWrite(ctx, joinGroupsMany, inRealm(realm), { users, groups: [group] }, { keepsAdministrator: true });
  }
}

const inParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / membersAtOnce) }, (_, at) =>
    ids.slice(at * membersAtOnce, (at + 1) * membersAtOnce),
  );
