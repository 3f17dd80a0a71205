import { randomUUID } from 'node:crypto';
import { write } from '../core/operation.js';
import { addressForRealm } from '../core/realm.js';
import { storeLoginEvent } from '../events/login-events.js';
import { type Identity, signIdentity } from '../login/identity.js';
import { requireImpersonatable } from '../permissions/impersonation.js';
import { type Concerned, concernedBy, tellOfLogout } from '../sessions/notifications.js';
import { storeLogin } from '../sessions/store.js';
import type { UserTarget } from './locate.js';

/** A session in which an administrator acts as a user. */
export interface Impersonation {
  /** what tokens call the session */
  sid: string;
  userId: string;
  /** whether the administrator is of the user's realm, so that the own session of the administrator has ended */
  sameRealm: boolean;
  /** id of the administrator whose session has ended */
  callerId: string;
  concerned: Concerned[];
  /** what tells the administrator's browser of the session; there after the commit */
  identity?: Identity;
}

export const impersonate = write({
  name: 'user.impersonate',
  summary:
    'Starts a session of a user for the administrator, whose own session ends if it is in the same realm. Events record the administrator.',
  allow: 'impersonate:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  check: (_permit, { realm, user }: UserTarget, _input, ctx) => requireImpersonatable(ctx, realm, user),
  run: async (tx, { realm, user }: UserTarget, _input, { ctx }): Promise<Impersonation> => {
    const { caller, services, ipAddress } = ctx;
    const own = caller.realmId === realm.id ? caller.sessionId : undefined;
    const ending =
      own === undefined ? undefined : { sid: own, offline: false, userId: caller.userId, realmId: realm.id };
    const concerned = ending ? await concernedBy(tx, ending) : [];
    if (ending) await tx.userSession.deleteMany({ where: ending });
    const administrator = await tx.user.findUnique({ where: { id: caller.userId }, select: { username: true } });
    const impersonator = administrator?.username ?? caller.userId;
    const sid = randomUUID();
    const startedAt = Math.floor(services.now() / 1000);
    const notes = { IMPERSONATOR_ID: caller.userId, IMPERSONATOR_USERNAME: impersonator };
    await storeLogin(tx, {
      sid,
      realmId: realm.id,
      userId: user.id,
      ipAddress,
      offline: false,
      startedAt,
      at: startedAt,
      notes,
    });
    const event = {
      type: 'IMPERSONATE',
      userId: user.id,
      sessionId: sid,
      ipAddress,
      details: { impersonator_realm: caller.realmName, impersonator },
    };
    await storeLoginEvent(tx, services, realm, event);
    return { sid, userId: user.id, sameRealm: own !== undefined, callerId: caller.userId, concerned };
  },
  event: (_result, { path }) => ({
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `${path}/impersonation`,
  }),
  touches: ({ userId, callerId, sameRealm }, { realm }) => [
    `sessions:${realm.id}`,
    `user:${userId}`,
    ...(sameRealm ? [`user:${callerId}`] : []),
  ],
  effect: async (ctx, begun, { realm }) => {
    const { sid, userId, concerned } = begun;
    begun.identity = await signIdentity(ctx.services, realm, addressForRealm(ctx, realm), {
      sid,
      userId,
      rememberMe: false,
    });
    await tellOfLogout({ ...ctx.services, baseUrl: addressForRealm(ctx, realm) }, realm, concerned);
  },
});
