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
  description: 'What a client has of a session.',
  fields: (t) => ({
    client: t.field(clientBehind),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When the client came into the session.',
      select: { startedAt: true },
      resolve: ({ startedAt }) => at(startedAt),
    }),
    lastAccessAt: t.field({
      type: 'DateTime',
      description: 'When the client last got tokens in it.',
      select: { lastAccess: true },
      resolve: ({ lastAccess }) => at(lastAccess),
    }),
  }),
});

/** A login of a user. */
const UserSession = builder.prismaNode('UserSession', {
  id: { field: 'id' },
  description: 'A login of a user, in which clients take part.',
  select: { realmId: true },
  fields: (t) => ({
    sessionId: t.exposeString('sid', { description: 'What tokens call it.' }),
    isOffline: t.exposeBoolean('offline', {
      description: 'Whether it outlives the logout: clients use it while the user is not there.',
    }),
    ipAddress: t.exposeString('ipAddress', { description: 'Address that the login came from.' }),
    isRemembered: t.exposeBoolean('rememberMe', { description: 'Whether the user asked to be remembered.' }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When the user logged in.',
      select: { startedAt: true },
      resolve: ({ startedAt }) => at(startedAt),
    }),
    lastAccessAt: t.field({
      type: 'DateTime',
      description: 'When it was last used.',
      select: { lastAccess: true },
      resolve: ({ lastAccess }) => at(lastAccess),
    }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'Who logged in; null for callers who may not see users.',
      select: (_args, _ctx, nested) => ({ user: nested() as { select: { id: true; realmId: true } } }),
      resolve: async ({ user }, _args, ctx) =>
        (await permitById(ctx, user.realmId)).can('view:users') ? (user as never) : null,
    }),
    clients: t.field({
      type: [ClientSession],
      description: 'The clients that take part.',
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
    offline: t.boolean({ description: 'Only sessions of this kind; both unless told.' }),
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
    description: 'The sessions of the user, oldest first.',
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
    description: 'The sessions in which the client takes part, in the order in which it came into them.',
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
  description: 'Ends a session: what was issued in it counts no more.',
  operation: end,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the session.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'UserSession');
    return sessionByRow(ctx, realm, row);
  },
  returns: { user: { type: User, model: 'user', description: 'Whose session it was.', id: ({ userId }) => userId } },
});

mutation('userLogout', {
  description: 'Ends all sessions of a user. What was issued until now counts no more, offline tokens included.',
  operation: logoutUser,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'User');
    return userById(ctx, realm, row);
  },
  returns: { user: { type: User, model: 'user', description: 'The user.', id: ({ id }) => id } },
});

mutation('userImpersonate', {
  description:
    'Begins a session of a user for the administrator. The browser login of it comes with the REST operation.',
  operation: impersonate,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, id, 'id', 'User');
    return userById(ctx, realm, row);
  },
  returns: {
    session: { type: UserSession, model: 'userSession', description: 'The session that began.', id: ({ sid }) => sid },
  },
  values: {
    isSameRealm: {
      type: 'Boolean',
      description: 'Whether the administrator is of the realm of the user; then the own session has ended.',
      of: ({ sameRealm }) => sameRealm,
    },
  },
});
