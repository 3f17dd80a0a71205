import type { Db } from '../../database/db.js';
import { deleteInParts } from '../../database/in-parts.js';
import { booleanValue, listedNumbers } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';

/** A login, or a further client that joins it. */
export interface NewSession {
  /** the ID in tokens */
  sid: string;
  realmId: string;
  userId: string;
  /** ID of the client's row */
  clientId: string;
  ipAddress: string;
  offline: boolean;
  rememberMe?: boolean;
  /** seconds since 1970 */
  startedAt: number;
  /** seconds since 1970 */
  at: number;
  /** seconds since 1970; null if only the realm says when it ends */
  endsAt?: number | null;
  /** hash of the account at an identity provider that the user has logged in with */
  account?: string | null;
  redirectUri?: string | undefined;
  /** ID of the refresh token that is issued with it */
  refreshToken?: string | undefined;
  notes?: Prisma.InputJsonObject;
  /** notes of the client about its own session, for example its host */
  clientNotes?: Prisma.InputJsonObject;
}

/** A login without any client yet. */
export type NewLogin = Omit<NewSession, 'clientId' | 'redirectUri' | 'refreshToken' | 'clientNotes'>;

/**
 * An online session is stored under the ID that tokens have; an offline one has another, as both may be there at once.
 */
const rowId = (sid: string, offline: boolean): string => (offline ? `offline ${sid}` : sid);

/** Stores a login without clients; an existing one stays unchanged. */
export async function storeLogin(tx: Db, session: NewLogin): Promise<void> {
  const {
    sid,
    realmId,
    userId,
    ipAddress,
    offline,
    startedAt,
    at,
    endsAt = null,
    account = null,
    notes = {},
  } = session;
  const id = rowId(sid, offline);
  const rememberMe = session.rememberMe ?? false;
  const times = { startedAt, lastAccess: at, endsAt };
  const row = { id, sid, realmId, userId, offline, ipAddress, rememberMe, ...times, account, notes };
  await tx.later.insertNew('UserSession', [row]);
}

/** Stores a login with its first client, or a client that joins an existing login. */
export async function storeSession(tx: Db, newId: () => string, session: NewSession): Promise<void> {
  const { sid, realmId, clientId, offline, at, clientNotes: notes = {} } = session;
  const link = { sessionId: rowId(sid, offline), clientId, realmId, offline, startedAt: at, lastAccess: at, notes };
  const own = { redirectUri: session.redirectUri ?? null, refreshToken: session.refreshToken ?? null, refreshUses: 0 };
  await storeLogin(tx, session);
  await tx.later.insertNew('ClientSession', [{ id: newId(), ...link, ...own }]);
}

/** Stores when sessions, or the parts of clients in them, were last used, in seconds since 1970. */
export async function storeLastAccess(
  tx: Db,
  table: 'UserSession' | 'ClientSession',
  used: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.execute(Prisma.sql`UPDATE ${Prisma.raw(`"${table}"`)} AS s SET "lastAccess" = u."value"
    FROM (${listedNumbers(tx, used)}) u WHERE s."id" = u."id" AND s."lastAccess" < u."value"`);
}

/** A query for the IDs of the realm's users with sessions. */
export const usersWithSessions = (realmId: string): Prisma.Sql =>
  Prisma.sql`SELECT "userId" FROM "UserSession" WHERE "realmId" = ${realmId}`;

/** Sessions of one kind, and the times in seconds since 1970 after which they count as alive. */
interface LivingKind {
  offline: boolean;
  rememberMe: boolean;
  usedAfter: number;
  /** undefined if they may last forever */
  startedAfter: number | undefined;
}

/** The number of active sessions of each client in the realm, by kind. `at` is in seconds since 1970. */
export function countByClient(db: Db, realmId: string, at: number, kinds: readonly LivingKind[]) {
  const living = kinds.map(({ offline, rememberMe, usedAfter, startedAfter }) => {
    const started = startedAfter === undefined ? Prisma.empty : Prisma.sql`AND s."startedAt" > ${startedAfter}`;
    return Prisma.sql`(s."offline" = ${booleanValue(db, offline)} AND s."rememberMe" = ${booleanValue(db, rememberMe)}
      AND s."lastAccess" > ${usedAfter} ${started})`;
  });
  return db.query<{ id: string; clientId: string; offline: unknown; count: number }>(Prisma.sql`
    SELECT c."id" AS "id", c."clientId" AS "clientId", s."offline" AS "offline", count(*) AS "count"
      FROM "ClientSession" p JOIN "UserSession" s ON s."id" = p."sessionId" JOIN "Client" c ON c."id" = p."clientId"
     WHERE p."realmId" = ${realmId} AND (s."endsAt" IS NULL OR s."endsAt" > ${at}) AND (${Prisma.join(living, ' OR ')})
     GROUP BY c."id", c."clientId", s."offline" ORDER BY c."clientId"`);
}

/** IDs of the clients of a realm with an admin URL or a logout URL. */
export async function idsOfManagedClients(db: Db, realmId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(Prisma.sql`
    SELECT "id" FROM "Client" WHERE "realmId" = ${realmId}
       AND ("adminUrl" <> '' OR CAST("attributes" AS TEXT) LIKE '%"backchannel.logout.url"%'
            OR "protocol" = 'saml' AND CAST("attributes" AS TEXT) LIKE '%"saml_single_logout_service_url%')`);
  return rows.map(({ id }) => id);
}

/** Deletes the sessions of a realm that are not offline. */
export async function deleteSessions(tx: Db, realmId: string): Promise<void> {
  await deleteInParts(tx, 'UserSession', Prisma.sql`"realmId" = ${realmId} AND NOT "offline"`);
  await tx.userSession.deleteMany({ where: { realmId, offline: false } });
}
