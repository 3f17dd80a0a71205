import { sessionByRow } from '../../services/sessions/locate.js';
import { end, logoutUser, ofClient, ofRealm, ofUser } from '../../services/sessions/operations.js';
import { impersonate } from '../../services/users/impersonation.js';
import { userById } from '../../services/users/locate.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, onSeconds, onText, whether } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';

const at = (seconds: number): Date => new Date(seconds * 1000);

const ClientSession = builder.prismaObject('ClientSession', {
  description: 'The part of a client in a user session.',
  fields: (t) => ({
    startedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the client joined the session.',
      select: { startedAt: true },
      resolve: ({ startedAt }) => at(startedAt),
    }),
    lastAccessAt: t.field({
      type: 'DateTime',
      description: 'Time at which the client last received tokens in the session.',
      select: { lastAccess: true },
      resolve: ({ lastAccess }) => at(lastAccess),
    }),
  }),
});

/** A login of a user. */
export const UserSession = builder.prismaNode('UserSession', {
  id: { field: 'id' },
  description: 'A user session: a login of a user, in which several clients can take part.',
  select: { realmId: true },
  fields: (t) => ({
    // the REST contract uses one ID for a session and its offline session
    uuid: t.exposeString('sid', {
      description: 'ID of the session in the REST API, which is the session ID. Not the ID in `id`.',
    }),
    sessionId: t.exposeString('sid', { description: 'Session ID, as in the `sid` claim of tokens.' }),
    isOffline: t.exposeBoolean('offline', {
      description:
        'Whether this is an offline session, which clients use without the user and which survives a logout.',
    }),
    ipAddress: t.exposeString('ipAddress', { description: 'IP address that the login came from.' }),
    isRemembered: t.exposeBoolean('rememberMe', { description: 'Whether the user chose "remember me".' }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'Time of the login.',
      select: { startedAt: true },
      resolve: ({ startedAt }) => at(startedAt),
    }),
    lastAccessAt: t.field({
      type: 'DateTime',
      description: 'Time at which the session was last used.',
      select: { lastAccess: true },
      resolve: ({ lastAccess }) => at(lastAccess),
    }),
    clients: t.relation('clients', {
      type: ClientSession,
      description: 'The clients that take part in the session.',
      query: { orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] },
    }),
  }),
});

guardNode(UserSession, ofUser);

readableField(ClientSession, 'client', { type: Client, relation: 'client', description: 'The client.' });

readableField(UserSession, 'user', {
  type: User,
  relation: 'user',
  description: 'The user of the session.',
  byRolesAlone: true,
});

const SessionConnection = connectionType('UserSession', UserSession);

const sessionLists = {
  connection: SessionConnection,
  list: listType({
    name: 'UserSession',
    plural: 'sessions',
    conditions: {
      isOffline: whether('Matches offline (true) or regular (false) sessions.', (offline) => ({ offline })),
      ipAddress: onText('ipAddress', 'Condition on the IP address of the login.'),
      startedAt: onSeconds('startedAt', 'Condition on the time of the login.'),
      lastAccessAt: onSeconds('lastAccess', 'Condition on the time of the last use.'),
    },
    orders: {
      STARTED_AT: { path: 'startedAt', description: 'Order by the time of the login.' },
      LAST_ACCESS_AT: { path: 'lastAccess', description: 'Order by the time of the last use.' },
    },
  }),
};

relatedField(Realm, 'userSessions', {
  ...sessionLists,
  relation: 'sessions',
  listing: ofRealm,
  args: builder.args((t) => ({
    search: t.string({
      description: 'Returns only sessions whose IP address or username contains this text. Case-insensitive.',
    }),
  })),
  where: ({ search }) =>
    search
      ? { OR: [{ ipAddress: { contains: search } }, { user: { username: { contains: search.toLowerCase() } } }] }
      : {},
  description: 'Sessions of the users of the realm, latest login first.',
});

relatedField(User, 'sessions', {
  ...sessionLists,
  relation: 'sessions',
  listing: ofUser,
  description: 'Sessions of the user, oldest first.',
});

relatedField(Client, 'sessions', {
  ...sessionLists,
  relation: 'sessions',
  through: 'session',
  listing: ofClient,
  description: 'Sessions in which the client takes part, in the order in which it joined them.',
  order: [{ path: 'startedAt' }, { path: 'id' }],
});

mutation('userSessionEnd', {
  description: 'Ends a session. Tokens issued in it are revoked.',
  operation: end,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the session.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'UserSession');
    return sessionByRow(ctx, realm, row);
  },
  returns: {
    user: { type: User, model: 'user', description: 'The user of the ended session.', id: ({ userId }) => userId },
  },
});

mutation('userLogout', {
  description: 'Ends all sessions of a user. Tokens issued until now are revoked, including offline tokens.',
  operation: logoutUser,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'User');
    return userById(ctx, realm, row);
  },
  returns: { user: { type: User, model: 'user', description: 'The user whose sessions ended.', id: ({ id }) => id } },
});

mutation('userImpersonate', {
  description: 'Starts a session of a user for the administrator. Only the REST operation also logs the browser in.',
  operation: impersonate,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'User');
    return userById(ctx, realm, row);
  },
  returns: {
    session: {
      type: UserSession,
      model: 'userSession',
      description: 'The session that started.',
      id: ({ sid }) => sid,
    },
  },
  values: {
    isSameRealm: {
      type: 'Boolean',
      description:
        "Whether the administrator belongs to the same realm. If so, the administrator's own session has ended.",
      of: ({ sameRealm }) => sameRealm,
    },
  },
});
