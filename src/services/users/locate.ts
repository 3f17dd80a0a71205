import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { missing, permitFor } from '../core/permit.js';
import { requirePresence } from '../core/presence.js';
import type { RealmRecord } from '../core/realm.js';
import { importByLogin } from '../user-storage/read/look-up.js';
import { readPerson } from '../user-storage/read/read-person.js';
import { isHidden, parseStorageId } from '../user-storage/storage-id.js';
import { type Holders, passwordHistory, type SingleUser, single } from './store.js';
import { storedUsername } from './usernames.js';

export interface UserTarget {
  realm: RealmRecord;
  user: SingleUser;
  /** who has the names that an update gives the user, read behind its lock */
  holders?: Holders;
  /** relative to the realm, for audit records */
  path: string;
}

/** A user of whom no more is needed than that it is there. */
export interface UserRef {
  realm: RealmRecord;
  user: { id: string };
  path: string;
}

export interface CredentialTarget extends UserTarget {
  credential: { id: string; type: string; userLabel: string | null };
}

interface Found {
  id: string;
  federationLink: string | null;
  federationId: string | null;
}

/** Ids of storages name their users in any case of letters. */
const namedUser = ({ componentId, username }: { componentId: string; username: string }) => ({
  federationLink: componentId,
  username: storedUsername(username),
});

/**
 * The user with this id, as its directory has it now where it comes from one. A user who is only in a storage as yet is
 * fetched from there first. Nothing is read in a directory inside of a shared transaction, nor for callers who may not look
 * for users.
 */
async function present<U extends Found>(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  find: (where: Prisma.UserWhereInput) => Promise<U | null>,
): Promise<U | null> {
  const isThere = (componentId: string | null) => realm.components.some((component) => component.id === componentId);
  const named = parseStorageId(id);
  const inStorage = named && isThere(named.componentId) ? named : undefined;
  const user = (await find({ id })) ?? (inStorage ? await find(namedUser(inStorage)) : null);
  if (user && isHidden(realm, user)) return null;
  if (ctx.unit || !(inStorage || isThere(user?.federationLink ?? null))) return user;
  if (!(await permitFor(ctx, realm)).can('query:users')) return user;
  if (user) {
    const result = await readPerson(ctx.services, realm.id, user);
    if (result === 'same') return user;
    if (result === 'changed') return find({ id: user.id });
  }
  if (!inStorage) return null;
  const { componentId, username } = inStorage;
  const fetched = await importByLogin(ctx.services, realm.id, username, false, componentId);
  return fetched ? find(namedUser(inStorage)) : null;
}

/** The user of this id for whom no more is read than that it is there; nothing if it is not. */
const presentUser = (ctx: Context, realm: RealmRecord, id: string): Promise<Found | null> =>
  present(ctx, realm, id, (where) =>
    ctx.db.user.findFirst({
      where: { ...where, realmId: realm.id },
      select: { id: true, federationLink: true, federationId: true },
    }),
  );

/** The user with this id. */
export async function userById(ctx: Context, realm: RealmRecord, id: string): Promise<UserTarget> {
  const user = await present(ctx, realm, id, (where) =>
    ctx.db.user.findFirst({ where: { ...where, realmId: realm.id }, select: { ...single, federationId: true } }),
  );
  if (!user) throw await missing(ctx, realm, 'query:users', 'User not found');
  return { realm, user, path: `users/${user.id}` };
}

/** The same without anything that is known of the user. */
export async function userRefById(ctx: Context, realm: RealmRecord, id: string): Promise<UserRef> {
  const look = async (): Promise<{ id: string }> => {
    const user = await presentUser(ctx, realm, id);
    if (!user) throw await missing(ctx, realm, 'query:users', 'User not found');
    return user;
  };
  // a user of a storage may have another id than the path says, and is read there first
  const isStored = realm.components.length === 0 && !parseStorageId(id);
  const user = isStored ? { id } : await look();
  if (isStored) await requirePresence(ctx, look);
  return { realm, user, path: `users/${user.id}` };
}

/** The credential with this id, of this user and no other. */
export async function credentialById(ctx: Context, target: UserTarget, id: string): Promise<CredentialTarget> {
  const credential = await ctx.db.credential.findFirst({
    where: { id, userId: target.user.id, type: { not: passwordHistory } },
    select: { id: true, type: true, userLabel: true },
  });
  if (!credential) throw await missing(ctx, target.realm, 'manage:users', 'Credential not found');
  return { ...target, credential };
}
