import { sessionByRow } from '../../services/sessions/locate.js';
import { end, logoutUser } from '../../services/sessions/operations.js';
import { impersonate } from '../../services/users/impersonation.js';
import { userById } from '../../services/users/locate.js';
import { Client, clientBehind } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, permitById } from '../core/node.js';
import { User } from '../users/users.js';

const at = (seconds: number): Date => new Date(seconds * 1000);

const ClientSession = builder.prismaObject('ClientSession', {
  description: 'The part of a client in a user session.',
  fields: (t) => ({
    client: t.field(clientBehind),
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
const UserSession = builder.prismaNode('UserSession', {
  id: { field: 'id' },
  description: 'A user session: a login of a user, in which several clients can take part.',
  select: { realmId: true },
  fields: (t) => ({
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
    user: t.field({
      type: User,
      nullable: true,
      description: 'The user of the session. Null for callers who may not view users.',
      select: (_args, _ctx, nested) => ({ user: nested() as { select: { id: true; realmId: true } } }),
      resolve: async ({ user }, _args, ctx) =>
        (await permitById(ctx, user.realmId)).can('view:users') ? (user as never) : null,
    }),
    clients: t.field({
      type: [ClientSession],
      description: 'The clients that take part in the session.',
      select: (_args, _ctx, nested) => ({
        clients: nested({ orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] }) as object,
      }),
      resolve: (session) => (session as unknown as { clients: never[] }).clients,
    }),
  }),
});

guardNode('UserSession', 'UserSession', 'view:users');

const SessionConnection = connectionType('UserSession', UserSession);

const sessionArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    offline: t.boolean({ description: 'Returns only offline (true) or only regular (false) sessions. Omit for both.' }),
  })),
};

interface SessionListArgs {
  offline?: boolean | null;
}

const kind = ({ offline }: SessionListArgs) => (offline == null ? {} : { offline });

builder.prismaObjectField(User, 'sessions', (t) =>
  t.field({
    type: SessionConnection,
    nullable: true,
    description: 'Sessions of the user, oldest first.',
    args: sessionArgs,
    ...related<SessionListArgs>({
      parent: 'user',
      relation: 'sessions',
      where: kind,
      order: [{ path: 'startedAt' }, { path: 'id' }],
      permission: 'view:users',
    }),
  } as never),
);

builder.prismaObjectField(Client, 'sessions', (t) =>
  t.field({
    type: SessionConnection,
    nullable: true,
    description: 'Sessions in which the client takes part, in the order in which it joined them.',
    args: sessionArgs,
    ...related<SessionListArgs>({
      parent: 'client',
      relation: 'sessions',
      through: 'session',
      where: kind,
      order: [{ path: 'startedAt' }, { path: 'id' }],
      permission: 'view:clients',
    }),
  } as never),
);

mutation('sessionEnd', {
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
