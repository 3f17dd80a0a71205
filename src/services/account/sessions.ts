import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { addressForRealm } from '../core/realm.js';
import { flag, representation } from '../core/shape.js';
import { type Device, deviceInNotes } from '../sessions/device.js';
import { aliveAt, endOf, lifetimesOf } from '../sessions/lifetime.js';
import { type Concerned, concernedBy, tellOfLogout } from '../sessions/notifications.js';
import type { Account } from './account.js';
import { ownRead, ownRecord, ownWrite, storeOwnEvent } from './operation.js';

/** Maximum sessions in the list: the most recently used ones. */
const mostSessions = 200;

const select = {
  sid: true,
  ipAddress: true,
  startedAt: true,
  lastAccess: true,
  endsAt: true,
  rememberMe: true,
  notes: true,
  clients: {
    select: { client: { select: { clientId: true, name: true, consentRequired: true } } },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
    take: 100,
  },
} as const satisfies Prisma.UserSessionSelect;

/** A client that takes part in a session. */
interface SessionClient {
  clientId: string;
  clientName?: string;
  userConsentRequired: boolean;
  inUse: boolean;
  offlineAccess: boolean;
}

/** A session as its user sees it. Times are in seconds since 1970. */
interface OwnSession {
  id: string;
  ipAddress: string;
  started: number;
  lastAccess: number;
  expires: number;
  clients: SessionClient[];
  browser: string;
  current?: true;
}

/** A session with the device of its login. */
export interface SessionOnDevice {
  session: OwnSession;
  device: Device;
}

/** A device with its sessions, as the account API of the contract has it. */
export interface OwnDevice extends Omit<Device, 'browser'> {
  lastAccess: number;
  current?: true;
  sessions: OwnSession[];
}

const at = ({ services }: Context): number => Math.floor(services.now() / 1000);

export const listSessions = ownRead({
  name: 'account.sessions',
  summary: `Returns the sessions of the caller with their clients and devices, at most ${mostSessions}, the last used ones first.`,
  roles: ['manage-account', 'view-profile'],
  run: async (ctx, { realm, user, sid }: Account): Promise<SessionOnDevice[]> => {
    const rows = await ctx.db.userSession.findMany({
      where: { userId: user.id, realmId: realm.id, AND: [aliveAt(realm.settings, false, at(ctx))] },
      select,
      orderBy: [{ lastAccess: 'desc' }, { id: 'asc' }],
      take: mostSessions,
    });
    return rows.map((row): SessionOnDevice => {
      const { max = 0 } = lifetimesOf(realm.settings, { offline: false, rememberMe: row.rememberMe });
      const device = deviceInNotes(row.notes);
      return {
        device,
        session: {
          id: row.sid,
          ipAddress: row.ipAddress,
          started: row.startedAt,
          lastAccess: row.lastAccess,
          expires: Math.min(row.startedAt + max, endOf(row)),
          clients: row.clients.map(({ client }) => ({
            clientId: client.clientId,
            ...(client.name && { clientName: client.name }),
            userConsentRequired: client.consentRequired,
            inUse: false,
            offlineAccess: false,
          })),
          browser: device.browser,
          ...(row.sid === sid && { current: true as const }),
        },
      };
    });
  },
});

/** Groups sessions by the operating system of their devices: nothing else is known about a device. */
export function devicesOf(found: readonly SessionOnDevice[]): OwnDevice[] {
  const devices = new Map<string, OwnDevice>();
  for (const { session, device } of found) {
    const { browser: _browser, ...rest } = device;
    const key = `${device.os} ${device.osVersion} ${device.device}`;
    const known = devices.get(key) ?? { ...rest, lastAccess: 0, sessions: [] };
    known.lastAccess = Math.max(known.lastAccess, session.lastAccess);
    if (session.current) known.current = true;
    known.sessions.push(session);
    devices.set(key, known);
  }
  return [...devices.values()];
}

interface EndedSessions {
  id: string;
  /** how many sessions have ended */
  count: number;
  concerned: Concerned[];
}

async function tell(ctx: Context, { concerned }: EndedSessions, { realm }: Account): Promise<void> {
  if (concerned.length === 0) return;
  const { failedRequests } = await tellOfLogout(
    { ...ctx.services, baseUrl: addressForRealm(ctx, realm) },
    realm,
    concerned,
  );
  if (failedRequests)
    ctx.services.log.warn({ realm: realm.name, failedRequests }, 'clients were not notified of a logout');
}

const touches = (_: unknown, { realm, user }: Account): string[] => [`sessions:${realm.id}`, `user:${user.id}`];

/** The own session with this ID. It need not exist, so that nobody learns IDs of others. */
export interface OwnSessionTarget extends Account {
  session: { sid: string };
}

export const endSession = ownWrite({
  name: 'account.endSession',
  summary: 'Ends a session of the caller. Does nothing if the caller has no such session.',
  roles: ['manage-account'],
  run: async (tx, account: OwnSessionTarget, _input, { ctx }): Promise<EndedSessions> => {
    const { realm, user, session } = account;
    const where = { sid: session.sid, userId: user.id, realmId: realm.id, offline: false };
    const concerned = await concernedBy(tx, where);
    const { count } = await tx.userSession.deleteMany({ where });
    if (count > 0) await storeOwnEvent(tx, ctx, account, 'LOGOUT', { ended_session: session.sid });
    return { id: user.id, count, concerned };
  },
  event: ({ count }, account) => (count > 0 ? ownRecord(account, `sessions/${account.session.sid}`) : undefined),
  touches,
  effect: tell,
});

const EndSessions = representation('AccountSessionsEnd', { current: flag });

export const endSessions = ownWrite({
  name: 'account.endSessions',
  summary: 'Ends all other sessions of the caller, and with `current` the session of the request as well.',
  roles: ['manage-account'],
  input: EndSessions,
  run: async (tx, account: Account, { current = false }, { ctx }): Promise<EndedSessions> => {
    const { realm, user, sid } = account;
    const others = current || sid === undefined ? {} : { sid: { not: sid } };
    const where = { userId: user.id, realmId: realm.id, offline: false, ...others };
    const concerned = await concernedBy(tx, where);
    const { count } = await tx.userSession.deleteMany({ where });
    if (count > 0) await storeOwnEvent(tx, ctx, account, 'LOGOUT', { ended_sessions: String(count) });
    return { id: user.id, count, concerned };
  },
  event: ({ count }, account, { current = false }) =>
    count > 0 ? ownRecord(account, 'sessions', { current }) : undefined,
  touches,
  effect: tell,
});
