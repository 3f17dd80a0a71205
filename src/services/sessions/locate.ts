import type { Context } from '../core/context.js';
import { missing } from '../core/permit.js';
import { requirePresence } from '../core/presence.js';
import type { RealmRecord } from '../core/realm.js';
import type { UserRef } from '../users/locate.js';
import { type SessionRow, sessionSelect } from './representation.js';

export interface SessionTarget {
  realm: RealmRecord;
  session: SessionRow & { id: string };
}

/** The online session that tokens call by this ID, or the offline one. */
export const sessionById = (ctx: Context, realm: RealmRecord, sid: string, offline: boolean): Promise<SessionTarget> =>
  sessionWhere(ctx, realm, { sid, offline });

/** The session of this row, online or offline. */
export const sessionByRow = (ctx: Context, realm: RealmRecord, id: string): Promise<SessionTarget> =>
  sessionWhere(ctx, realm, { id });

async function sessionWhere(
  ctx: Context,
  realm: RealmRecord,
  where: { id: string } | { sid: string; offline: boolean },
): Promise<SessionTarget> {
  const session = await ctx.db.userSession.findFirst({
    where: { ...where, realmId: realm.id },
    select: { id: true, ...sessionSelect },
  });
  // so spelled in the contract
  if (!session) throw await missing(ctx, realm, 'manage:users', 'Sesssion not found');
  return { realm, session };
}

/** A user, and a client that it may have offline sessions with. */
export interface OfflineTarget extends UserRef {
  client: { id: string };
}

/** Finds the offline sessions of a user with a client. */
export async function offlineSessionsAt(ctx: Context, target: UserRef, clientId: string): Promise<OfflineTarget> {
  const where = { id: clientId, realmId: target.realm.id };
  await requirePresence(ctx, async () => {
    const client = await ctx.db.client.findFirst({ where, select: { id: true } });
    if (!client) throw await missing(ctx, target.realm, 'view:users', 'Client not found');
  });
  return { ...target, client: { id: clientId } };
}
