import type { Prisma } from '../../generated/sqlite/client.js';
import { long, record, representation, text } from '../core/shape.js';
import { view } from '../core/view.js';

/** UserSessionRepresentation of the contract. `clients` has the clientIds by the IDs of the clients. */
const UserSessionRepresentation = representation('UserSessionRepresentation', {
  id: text,
  username: text,
  userId: text,
  ipAddress: text,
  start: long,
  lastAccess: long,
  clients: record(text),
});

export const sessionSelect = {
  sid: true,
  userId: true,
  ipAddress: true,
  startedAt: true,
  lastAccess: true,
  user: { select: { username: true } },
  clients: { select: { client: { select: { id: true, clientId: true } } } },
} as const satisfies Prisma.UserSessionSelect;

export type SessionRow = Prisma.UserSessionGetPayload<{ select: typeof sessionSelect }>;

const encodeSession = (session: SessionRow) => ({
  id: session.sid,
  username: session.user.username,
  userId: session.userId,
  ipAddress: session.ipAddress,
  start: session.startedAt * 1000,
  lastAccess: session.lastAccess * 1000,
  clients: Object.fromEntries(session.clients.map(({ client }) => [client.id, client.clientId])),
});

export const userSession = view<SessionRow>(UserSessionRepresentation, sessionSelect, encodeSession);

/** The offline sessions of one user: only here, the reference server returns the last access in seconds. */
export const offlineUserSession = view<SessionRow>(UserSessionRepresentation, sessionSelect, (session) =>
  Object.assign(encodeSession(session), { lastAccess: session.lastAccess }),
);
