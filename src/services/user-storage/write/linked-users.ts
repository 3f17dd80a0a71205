import { OrFilter } from 'ldapts';
import type { Prisma } from '../../../generated/sqlite/client.js';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { Refusal } from '../../core/refusal.js';
import { grouped } from '../../core/view.js';
import { type Entry, idOf, idValue } from '../../ldap/entry.js';
import { directoryRefusal, LdapFault } from '../../ldap/fault.js';
import { equals } from '../../ldap/filter.js';
import { searchPeople } from '../../ldap/people.js';
import { findEntries } from '../../ldap/search.js';
import { controlsRead } from '../account-control.js';
import { type Storage, storagesOf } from '../storage.js';
import { switchedOff } from '../storage-id.js';

const columns = {
  id: true,
  username: true,
  email: true,
  firstName: true,
  lastName: true,
  enabled: true,
  requiredActions: true,
  version: true,
  federationLink: true,
  federationId: true,
} as const;

const changing = {
  ...columns,
  emailVerified: true,
  keptFields: true,
  attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
} satisfies Prisma.UserSelect;

/** A user of a storage, with the data that determines the values for the directory. */
export interface Linked {
  id: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  enabled: boolean;
  requiredActions: unknown;
  version: number;
  federationLink: string | null;
  federationId: string | null;
}

/** A user before a change, with its current data. */
export interface ChangingUser extends Linked {
  emailVerified: boolean;
  keptFields: unknown;
  attributes: Record<string, string[]>;
}

/** A change of the directory cannot be rolled back. */
export const changedAlone = 'A user of a directory cannot be changed within an atomic mutation or a dry run';

/** The refusal for an error of a storage. */
export const refusalOf = (storage: Storage, error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof LdapFault) return directoryRefusal(storage.name, error);
  throw error;
};

/** The given users that come from existing storages, each with its storage: two statements at most. */
export async function linkedUsers(
  ctx: Context,
  realm: RealmRecord,
  ids: readonly string[],
): Promise<{ user: Linked; storage: Storage }[]> {
  if (realm.components.length === 0 || ids.length === 0) return [];
  const known = realm.components.map(({ id }) => id);
  const users: Linked[] = await ctx.db.user.findMany({
    where: { realmId: realm.id, id: { in: [...ids] }, federationLink: { in: known }, federationId: { not: null } },
    select: columns,
  });
  if (users.length === 0) return [];
  const storages = new Map((await storagesOf(ctx.services, realm.id)).map((storage) => [storage.id, storage]));
  return users.flatMap((user) => {
    const storage = storages.get(user.federationLink ?? '');
    return storage?.enabled ? { user, storage } : [];
  });
}

/** Users of a realm with storages, each with its storage, if any: two statements at most. */
export async function usersToChange(
  ctx: Context,
  realm: RealmRecord,
  ids: readonly string[],
): Promise<{ user: ChangingUser; storage: Storage | undefined }[]> {
  if (realm.components.length === 0 || ids.length === 0) return [];
  const rows = await ctx.db.user.findMany({ where: { realmId: realm.id, id: { in: [...ids] } }, select: changing });
  const users = rows.map((row): ChangingUser => ({ ...row, attributes: grouped(row.attributes) }));
  if (!users.some(({ federationLink, federationId }) => federationLink !== null && federationId !== null)) {
    return users.map((user) => ({ user, storage: undefined }));
  }
  const storages = new Map((await storagesOf(ctx.services, realm.id)).map((storage) => [storage.id, storage]));
  return users.map((user) => {
    const storage = user.federationId === null ? undefined : storages.get(user.federationLink ?? '');
    return { user, storage: storage?.enabled ? storage : undefined };
  });
}

/** The given users that come from a disabled storage: no statement if the realm has no such storage. */
export async function usersSwitchedOff(
  ctx: Context,
  realm: RealmRecord,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const storages = switchedOff(realm).map(({ id }) => id);
  if (storages.length === 0 || ids.length === 0) return new Set();
  const users = await ctx.db.user.findMany({
    where: { realmId: realm.id, id: { in: [...ids] }, federationLink: { in: storages } },
    select: { id: true },
  });
  return new Set(users.map(({ id }) => id));
}

const searchedTogether = 100;

/** The entries of users in their directory, by their IDs in it: one search for a hundred users. */
export async function entriesOf(storage: Storage, users: readonly Linked[]): Promise<Map<string, Entry>> {
  const { people, directory } = storage;
  const found = new Map<string, Entry>();
  for (let at = 0; at < users.length; at += searchedTogether) {
    const some = users.slice(at, at + searchedTogether);
    const filters = some.map(({ federationId }) => equals(people.id, idValue(federationId ?? '', people.id)));
    const attributes = [people.id, people.username, ...controlsRead(storage)];
    const search = searchPeople(people, attributes, [], new OrFilter({ filters }));
    for (const entry of await findEntries(directory, search, searchedTogether * 2)) {
      found.set(idOf(entry, people.id) ?? '', entry);
    }
  }
  return found;
}
