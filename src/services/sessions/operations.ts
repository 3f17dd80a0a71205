import { Prisma } from '../../generated/sqlite/client.js';
import type { ClientTarget } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import { list, read, write } from '../core/operation.js';
import type { Target } from '../core/target.js';
import type { RealmRecord } from '../realms/record.js';
import type { UserTarget } from '../users/locate.js';
import { aliveAt, idleGrace, lifetimesOf } from './lifetime.js';
import type { OfflineTarget, SessionTarget } from './locate.js';

type Where = Prisma.UserSessionWhereInput;

const now = ({ services }: Context): number => Math.floor(services.now() / 1000);

const alive = (ctx: Context, realm: RealmRecord, offline: boolean): Where => ({
  realmId: realm.id,
  ...aliveAt(realm.settings, offline, now(ctx)),
});

const orderBy: { startedAt?: 'asc'; id?: 'asc' }[] = [{ startedAt: 'asc' }, { id: 'asc' }];

export const ofUser = list({
  name: 'session.ofUser',
  summary: 'The sessions of a user.',
  allow: 'view:users',
  model: 'UserSession',
  where: ({ realm, user }: UserTarget, _input, _permit, ctx): Where => ({
    userId: user.id,
    AND: [alive(ctx, realm, false)],
  }),
  orderBy,
});

export const offlineOfUser = list({
  name: 'session.offlineOfUser',
  summary: 'The offline sessions that a user has with a client.',
  allow: 'view:users',
  model: 'UserSession',
  where: ({ realm, user, client }: OfflineTarget, _input, _permit, ctx): Where => ({
    userId: user.id,
    clients: { some: { clientId: client.id } },
    AND: [alive(ctx, realm, true)],
  }),
  orderBy,
});

const ofClients = (name: string, offline: boolean, summary: string) =>
  list({
    name,
    summary,
    allow: 'view:clients',
    model: 'UserSession',
    where: ({ realm, client }: ClientTarget, _input, _permit, ctx): Where => ({
      clients: { some: { clientId: client.id } },
      AND: [alive(ctx, realm, offline)],
    }),
    orderBy,
  });

export const ofClient = ofClients('session.ofClient', false, 'The sessions in which a client takes part.');
export const offlineOfClient = ofClients(
  'session.offlineOfClient',
  true,
  'The offline sessions in which a client takes part.',
);

/** How many sessions of each kind a client takes part in. */
export interface ClientSessions {
  id: string;
  clientId: string;
  active: number;
  offline: number;
}

export const stats = read({
  name: 'session.stats',
  summary: 'The clients that take part in sessions, and in how many.',
  allow: 'view:realm',
  run: async (ctx, { realm }: Target): Promise<ClientSessions[]> => {
    const living = [false, true].map((offline) => {
      const kinds = [false, true].map((rememberMe) => {
        const { idle, max } = lifetimesOf(realm.settings, { offline, rememberMe });
        const at = now(ctx);
        const started = max === undefined ? Prisma.empty : Prisma.sql`AND s."startedAt" > ${at - max}`;
        return Prisma.sql`(s."offline" = ${flag(ctx, offline)} AND s."rememberMe" = ${flag(ctx, rememberMe)}
          AND s."lastAccess" > ${at - idle - idleGrace} ${started})`;
      });
      return Prisma.join(kinds, ' OR ');
    });
    const rows = await ctx.db.query<{ id: string; clientId: string; offline: unknown; count: number }>(Prisma.sql`
      SELECT c."id" AS "id", c."clientId" AS "clientId", s."offline" AS "offline", count(*) AS "count"
        FROM "ClientSession" p JOIN "UserSession" s ON s."id" = p."sessionId" JOIN "Client" c ON c."id" = p."clientId"
       WHERE p."realmId" = ${realm.id} AND (${Prisma.join(living, ' OR ')})
       GROUP BY c."id", c."clientId", s."offline" ORDER BY c."clientId"`);
    const clients = new Map<string, ClientSessions>();
    for (const { id, clientId, offline, count } of rows) {
      const known = clients.get(id) ?? { id, clientId, active: 0, offline: 0 };
      known[offline === true || offline === 1 ? 'offline' : 'active'] = Number(count);
      clients.set(id, known);
    }
    return [...clients.values()];
  },
});

/** SQLite has no booleans of its own. */
const flag = ({ db }: Context, value: boolean): boolean | number => (db.dialect === 'sqlite' ? Number(value) : value);

export const end = write({
  name: 'session.delete',
  summary: 'Ends a session: what was issued in it counts no more.',
  allow: 'manage:users',
  run: async (tx, { session }: SessionTarget): Promise<{ id: string; userId: string }> => {
    await tx.userSession.deleteMany({ where: { id: session.id } });
    return { id: session.sid, userId: session.userId };
  },
  event: ({ id }) => ({ operationType: 'DELETE', resourceType: 'USER_SESSION', resourcePath: `sessions/${id}` }),
  touches: ({ userId }, { realm }) => [`sessions:${realm.id}`, `user:${userId}`],
});

export const logoutUser = write({
  name: 'user.logout',
  summary: 'Ends all sessions of a user. What was issued until now counts no more, offline tokens included.',
  allow: 'manage:users',
  lock: ({ user }: UserTarget) => ({ model: 'User' as const, id: user.id }),
  run: async (tx, { user }, _input, { ctx }): Promise<{ id: string }> => {
    await tx.userSession.deleteMany({ where: { userId: user.id, offline: false } });
    await tx.user.updateMany({ where: { id: user.id }, data: { notBefore: now(ctx), version: { increment: 1 } } });
    return { id: user.id };
  },
  event: (_, { path }) => ({ operationType: 'ACTION', resourceType: 'USER', resourcePath: `${path}/logout` }),
  touches: ({ id }, { realm }) => [`sessions:${realm.id}`, `users:${realm.id}`, `user:${id}`],
});
