import type { Prisma } from '../../generated/sqlite/client.js';
import type { ClientRef } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { list, read, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { addressForRealm } from '../core/realm.js';
import type { Target } from '../core/target.js';
import type { UserRef, UserTarget } from '../users/locate.js';
import { aliveAt, idleGrace, lifetimesOf } from './lifetime.js';
import type { OfflineTarget, SessionTarget } from './locate.js';
import { type Concerned, concernedBy, tellOfLogout } from './notifications.js';
import { countByClient } from './store.js';

type Where = Prisma.UserSessionWhereInput;

const now = ({ services }: Context): number => Math.floor(services.now() / 1000);

const alive = (ctx: Context, realm: RealmRecord, offline: boolean): Where => ({
  realmId: realm.id,
  ...aliveAt(realm.settings, offline, now(ctx)),
});

const orderBy: { startedAt?: 'asc'; id?: 'asc' }[] = [{ startedAt: 'asc' }, { id: 'asc' }];

export const ofUser = list({
  name: 'session.ofUser',
  summary: 'Returns the sessions of a user.',
  allow: 'view:users',
  model: 'UserSession',
  where: ({ realm, user }: UserRef, _input, _permit, ctx): Where => ({
    userId: user.id,
    AND: [alive(ctx, realm, false)],
  }),
  orderBy,
});

export const offlineOfUser = list({
  name: 'session.offlineOfUser',
  summary: 'Returns the offline sessions of a user with a client.',
  allow: 'view:users',
  model: 'UserSession',
  where: ({ realm, user, client }: OfflineTarget, _input, _permit, ctx): Where => ({
    userId: user.id,
    clients: { some: { clientId: client.id } },
    AND: [alive(ctx, realm, true)],
  }),
  orderBy,
});

export const ofRealm = list({
  name: 'session.ofRealm',
  summary: 'Returns the sessions of a realm.',
  allow: 'view:users',
  model: 'UserSession',
  where: ({ realm }: Target, _input, _permit, ctx): Where => ({
    OR: [alive(ctx, realm, false), alive(ctx, realm, true)],
  }),
  orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
});

const ofClients = (name: string, offline: boolean, summary: string) =>
  list({
    name,
    summary,
    allow: 'view:clients',
    model: 'UserSession',
    where: ({ realm, client }: ClientRef, _input, _permit, ctx): Where => ({
      clients: { some: { clientId: client.id } },
      AND: [alive(ctx, realm, offline)],
    }),
    orderBy,
  });

export const ofClient = ofClients(
  'session.ofClient',
  false,
  'Returns the sessions of a client, or their number at `session-count`.',
);
export const offlineOfClient = ofClients(
  'session.offlineOfClient',
  true,
  'Returns the offline sessions of a client, or their number at `offline-session-count`.',
);

/** The number of sessions of each kind for a client. */
export interface ClientSessions {
  id: string;
  clientId: string;
  active: number;
  offline: number;
}

export const stats = read({
  name: 'session.stats',
  summary: 'Returns the clients that take part in sessions, with the number of sessions.',
  allow: 'view:realm',
  run: async (ctx, { realm }: Target): Promise<ClientSessions[]> => {
    const at = now(ctx);
    const kinds = [false, true].flatMap((offline) =>
      [false, true].map((rememberMe) => {
        const { idle, max } = lifetimesOf(realm.settings, { offline, rememberMe });
        const startedAfter = max === undefined ? undefined : at - max;
        return { offline, rememberMe, usedAfter: at - idle - idleGrace, startedAfter };
      }),
    );
    const rows = await countByClient(ctx.db, realm.id, at, kinds);
    const clients = new Map<string, ClientSessions>();
    for (const { id, clientId, offline, count } of rows) {
      const known = clients.get(id) ?? { id, clientId, active: 0, offline: 0 };
      known[offline === true || offline === 1 ? 'offline' : 'active'] = Number(count);
      clients.set(id, known);
    }
    return [...clients.values()];
  },
});

/** Notifies the clients of ended sessions. Failures are logged. */
async function tell(ctx: Context, { concerned }: Ended, { realm }: Target): Promise<void> {
  const { failedRequests } = await tellOfLogout(
    { ...ctx.services, baseUrl: addressForRealm(ctx, realm) },
    realm,
    concerned,
  );
  if (failedRequests)
    ctx.services.log.warn({ realm: realm.name, failedRequests }, 'clients were not notified of a logout');
}

interface Ended {
  id: string;
  /** the client sessions that ended */
  concerned: Concerned[];
}

export const end = write({
  name: 'session.delete',
  summary: 'Ends a session. Tokens issued in it are revoked. Clients with an admin URL are notified.',
  allow: 'manage:users',
  actsOn: ({ session }: SessionTarget) => [session.userId],
  run: async (tx, { session }: SessionTarget): Promise<Ended & { userId: string }> => {
    const where = { id: session.id };
    const concerned = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    return { id: session.sid, userId: session.userId, concerned };
  },
  event: ({ id }) => ({ operationType: 'DELETE', resourceType: 'USER_SESSION', resourcePath: `sessions/${id}` }),
  touches: ({ userId }, { realm }) => [`sessions:${realm.id}`, `user:${userId}`],
  effect: tell,
});

export const logoutUser = write({
  name: 'user.logout',
  summary:
    'Ends all sessions of a user. Tokens issued until now are revoked, including offline tokens. Clients with an admin URL are notified.',
  allow: 'manage:users',
  actsOn: ({ user }: UserTarget) => [user.id],
  lock: ({ user }: UserTarget) => ({ model: 'User' as const, id: user.id }),
  run: async (tx, { user }, _input, { ctx }): Promise<Ended> => {
    const where = { userId: user.id, offline: false };
    const concerned = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    await tx.user.updateMany({ where: { id: user.id }, data: { notBefore: now(ctx), version: { increment: 1 } } });
    return { id: user.id, concerned };
  },
  event: (_, { path }) => ({ operationType: 'ACTION', resourceType: 'USER', resourcePath: `${path}/logout` }),
  touches: ({ id }, { realm }) => [`sessions:${realm.id}`, `users:${realm.id}`, `user:${id}`],
  effect: tell,
});
