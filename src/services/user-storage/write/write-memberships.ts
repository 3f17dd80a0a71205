import type { Client } from 'ldapts';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { requireAlone } from '../../core/unit-of-work.js';
import { changeOf } from '../../ldap/change.js';
import { type Entry, textOf } from '../../ldap/entry.js';
import { asDirectoryRefusal, LdapFault, ldapFault, resultCodes } from '../../ldap/fault.js';
import { withDirectory } from '../../ldap/pool.js';
import { clientIdOf, rootOf } from '../config.js';
import { kindIn, type MappedEntry, type MappedKind, mappedEntries, mappedKind } from '../mapped-entries.js';
import { entryOfUser, storageOfUser } from '../password.js';
import { memberValueAttribute } from '../person.js';
import type { Mapper, Storage, StorageServices } from '../storage.js';
import { isSwitchedOff } from '../storage-id.js';
import { fixedSets } from '../sync/load-memberships.js';
import { exportMapper, nobody } from './export-groups.js';

/** Groups or roles that a user gets or loses. */
export interface MembershipChange {
  kind: 'group' | 'role';
  ids: readonly string[];
  joins: boolean;
}

/** A group or role of the realm, as far as mappers go by it. */
interface Target {
  name: string;
  /** for groups */
  path?: string;
  /** for roles: the clientId of their client, if any */
  clientId?: string | undefined;
}

interface Writer {
  mapper: Mapper;
  kind: MappedKind;
}

const changedAlone = 'Groups and roles of a directory cannot be changed within an atomic mutation or a dry run';

async function targetsOf(ctx: Context, realm: RealmRecord, change: MembershipChange): Promise<Target[]> {
  const where = { realmId: realm.id, id: { in: [...change.ids] } };
  if (change.kind === 'group') return ctx.db.group.findMany({ where, select: { name: true, path: true } });
  const roles = await ctx.db.role.findMany({ where, select: { name: true, client: { select: { clientId: true } } } });
  return roles.map(({ name, client }) => ({ name, clientId: client?.clientId }));
}

/** Whether a mapper manages this group or role. */
function isFor({ mapper, kind }: Writer, target: Target): boolean {
  if (kind.kind === 'group') return target.path?.startsWith(`${rootOf(mapper)}/`) === true;
  return target.clientId === clientIdOf(mapper.config);
}

/**
 * Writes changed memberships of a user to its directory before they are stored, if a mapper keeps groups or roles only
 * there. The mode of the mapper decides, in every edit mode. Refuses to remove memberships that a mapper only reads
 * from the directory.
 */
export async function writeMemberships(
  ctx: Context,
  realm: RealmRecord,
  userId: string,
  change: MembershipChange,
  asked: { dryRun: boolean } | undefined,
): Promise<void> {
  if (realm.components.length === 0 || change.ids.length === 0) return;
  const user = await ctx.db.user.findUnique({
    where: { id: userId },
    select: { federationLink: true, federationId: true },
  });
  if (!user || !realm.components.some(({ id }) => id === user.federationLink)) return;
  if (isSwitchedOff(realm, user)) throw notTaken(change, 'The user storage of the user is disabled');
  const storage = await storageOfUser(ctx.services, realm.id, user);
  if (!storage || user.federationId === null) return;
  if (!change.joins) await requireNotFixed(ctx, storage, change);
  const writers = storage.mappers.flatMap((mapper): Writer[] => {
    const kind = kindIn(storage, mapper);
    const matters = kind?.mode === 'LDAP_ONLY' || (kind?.mode === 'READ_ONLY' && !change.joins);
    return kind?.kind === change.kind && matters ? [{ mapper, kind }] : [];
  });
  if (writers.length === 0) return;
  const targets = await targetsOf(ctx, realm, change);
  // missing objects are refused later
  if (targets.length < new Set(change.ids).size) return;
  try {
    for (const writer of writers) {
      const names = targets.filter((target) => isFor(writer, target)).map(({ name }) => name);
      if (names.length === 0) continue;
      requireAlone(ctx, changedAlone, asked);
      const attribute = memberAttributeOf(storage, writer);
      const entry = await entryOfUser(storage, user, [attribute]);
      if (!entry) throw new LdapFault('the user is no longer in the directory', resultCodes.noSuchObject);
      const member = memberOf(writer, entry, attribute);
      if (writer.kind.mode === 'READ_ONLY') await requireLocal(storage, writer, names, member);
      else if (change.joins) await join(ctx.services, storage, writer, new Map(names.map((name) => [name, [member]])));
      else await leave(storage, writer, names, member);
    }
  } catch (error) {
    throw asDirectoryRefusal(storage.name, error);
  }
}

const memberAttributeOf = ({ people }: Storage, { mapper }: Writer): string =>
  memberValueAttribute(mapper.config, people);

/** How the lists of members name a user. */
function memberOf({ kind }: Writer, entry: Entry, attribute: string): string {
  if (kind.memberType === 'DN') return entry.dn;
  const value = textOf(entry, attribute);
  if (value === undefined)
    throw new LdapFault(`the user has no ${attribute} in the directory`, resultCodes.noSuchAttribute);
  return value;
}

async function requireLocal(storage: Storage, { kind }: Writer, names: readonly string[], member: string) {
  const found = await mappedEntries(storage, kind, { names, members: [member] });
  if (found.length === 0) return;
  const message = `Not possible to delete LDAP ${kind.kind} mappings as mapper mode is READ_ONLY`;
  throw notTaken({ kind: kind.kind, joins: false }, message);
}

/**
 * The refusal of a change of memberships. For roles the contract has a fixed message, which does not state the reason.
 */
function notTaken({ kind, joins }: Omit<MembershipChange, 'ids'>, message: string, description = message): Refusal {
  const action = joins ? 'add' : 'remove';
  const body =
    kind === 'group'
      ? { error: message, error_description: description }
      : { error: 'invalid_request', error_description: `Could not ${action} user role mappings!` };
  return invalid(message, `${kind}s`, { body });
}

/** Refuses to remove groups or roles that a mapper gives to all users of the storage. */
async function requireNotFixed(ctx: Context, storage: Storage, change: MembershipChange): Promise<void> {
  const fixed = (await fixedSets(ctx.services, storage)).filter(({ kind }) => kind === change.kind);
  if (!fixed.some(({ ids }) => ids.some((id) => change.ids.includes(id)))) return;
  const message = `Not possible to delete ${change.kind}. It's hardcoded by LDAP mapper`;
  throw notTaken(change, message, message.replace("It's", 'Its'));
}

/** The names for which the directory has no entry. */
const missingOf = (names: readonly string[], entries: readonly MappedEntry[]): string[] => {
  const known = new Set(entries.map(({ name }) => name.toLowerCase()));
  return names.filter((name) => !known.has(name.toLowerCase()));
};

/** Attributes that entries of users have to be read with for `joinGroups`. */
export const memberAttributes = (storage: Storage): string[] =>
  storage.mappers.map(({ config }) => memberValueAttribute(config, storage.people));

/** Someone new in the directory, with the groups of the realm that the user is in. */
export interface NewMember {
  entry: Entry;
  groups: readonly { name: string; path: string }[];
}

/**
 * Adds new entries to the groups of their users, if a mapper keeps these only in the directory: one modification for
 * each group. Throws `LdapFault`.
 */
export async function joinGroups(
  services: StorageServices,
  storage: Storage,
  newcomers: readonly NewMember[],
): Promise<void> {
  for (const mapper of storage.mappers) {
    const kind = mappedKind(mapper);
    if (kind?.kind !== 'group' || kind.mode !== 'LDAP_ONLY') continue;
    const writer = { mapper, kind };
    const members = new Map<string, string[]>();
    for (const { entry, groups } of newcomers) {
      const mine = groups.filter((group) => isFor(writer, group));
      for (const { name } of mine) {
        const member = memberOf(writer, entry, memberAttributeOf(storage, writer));
        members.set(name, [...(members.get(name) ?? []), member]);
      }
    }
    if (members.size > 0) await join(services, storage, writer, members);
  }
}

/** Adds members to groups or roles, by their names. Groups or roles that the directory lacks are created first. */
async function join(
  services: StorageServices,
  storage: Storage,
  { mapper, kind }: Writer,
  members: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const names = [...members.keys()];
  const byName = new Map([...members].map(([name, list]) => [name.toLowerCase(), list]));
  let entries = await mappedEntries(storage, kind, { names });
  if (missingOf(names, entries).length > 0) {
    await exportMapper(services, storage, mapper);
    entries = await mappedEntries(storage, kind, { names });
  }
  const empty = kind.memberType === 'DN' ? await mappedEntries(storage, kind, { names, members: [nobody] }) : [];
  const placeholders = new Set(empty.map(({ dn }) => dn));
  await withDirectory(storage.directory, async (client) => {
    for (const { dn, name } of entries) {
      const changes = [
        changeOf('add', kind.memberAttribute, byName.get(name.toLowerCase()) ?? []),
        ...(placeholders.has(dn) ? [changeOf('delete', kind.memberAttribute, [nobody])] : []),
      ];
      await unless(client.modify(dn, changes), resultCodes.attributeOrValueExists);
    }
  });
}

async function leave(storage: Storage, { kind }: Writer, names: readonly string[], member: string): Promise<void> {
  const entries = await mappedEntries(storage, kind, { names, members: [member] });
  await withDirectory(storage.directory, async (client) => {
    for (const { dn } of entries) await unless(withoutMember(client, dn, kind, member), resultCodes.noSuchAttribute);
  });
}

/** If a group requires a member, a placeholder replaces the last one. */
async function withoutMember(client: Client, dn: string, kind: MappedKind, member: string): Promise<void> {
  const gone = changeOf('delete', kind.memberAttribute, [member]);
  try {
    await client.modify(dn, gone);
  } catch (error) {
    if (ldapFault(error).code !== resultCodes.objectClassViolation || kind.memberType !== 'DN') throw error;
    await client.modify(dn, [changeOf('add', kind.memberAttribute, [nobody]), gone]);
  }
}

/** Ignores the error with this code: the directory is already in the desired state. */
async function unless(work: Promise<void>, code: number): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (ldapFault(error).code !== code) throw error;
  }
}
