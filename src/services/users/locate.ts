import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import type { RealmRecord } from '../realms/record.js';
import { importByLogin } from '../user-storage/look-up.js';
import { parseStorageId } from '../user-storage/storage-id.js';
import { passwordHistory, type SingleUser, single } from './store.js';

export interface UserTarget {
  realm: RealmRecord;
  user: SingleUser;
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

/** What `find` finds; a user who is only in a storage as yet is fetched from there first. */
async function present<U>(ctx: Context, realm: RealmRecord, id: string, find: () => Promise<U | null>) {
  const user = await find();
  const named = user ? undefined : parseStorageId(id);
  if (!named || ctx.unit || !realm.components.some((component) => component.id === named.componentId)) return user;
  const fetched = await importByLogin(ctx.services, realm.id, named.username, false, named.componentId);
  return fetched ? find() : null;
}

/** The user with this id. */
export async function userById(ctx: Context, realm: RealmRecord, id: string): Promise<UserTarget> {
  const user = await present(ctx, realm, id, () =>
    ctx.db.user.findFirst({ where: { id, realmId: realm.id }, select: single }),
  );
  if (!user) throw await missing(ctx, realm, 'query:users', 'User not found');
  return { realm, user, path: `users/${user.id}` };
}

/** The same without anything that is known of the user. */
export async function userRefById(ctx: Context, realm: RealmRecord, id: string): Promise<UserRef> {
  const user = await present(ctx, realm, id, () =>
    ctx.db.user.findFirst({ where: { id, realmId: realm.id }, select: { id: true } }),
  );
  if (!user) throw await missing(ctx, realm, 'query:users', 'User not found');
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
