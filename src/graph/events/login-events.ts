import { get as getClient } from '../../services/clients/operations.js';
import { loginEventsOf } from '../../services/events/login-operations.js';
import { type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { ofUser } from '../../services/sessions/operations.js';
import { getUser } from '../../services/users/list.js';
import { Client } from '../clients/clients.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { guardNode, nodeId } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { realmEnums } from '../realms/types.js';
import { UserSession } from '../sessions/sessions.js';
import { User } from '../users/users.js';
import { eventsById } from './event-list.js';
import { seenClient, seenId, seenSession } from './event-objects.js';

export const LoginEventType = realmEnums.LoginEventType;

const LoginEventDetail = builder.objectRef<{ name: string; value: string }>('LoginEventDetail').implement({
  description: 'A detail of a login event.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the detail, e.g. `grant_type`.' }),
    value: t.exposeString('value', { description: 'Value of the detail.' }),
  }),
});

/** A login event. */
export const LoginEvent = builder.objectRef<LoginEventRow>('LoginEvent');

builder.node(LoginEvent, {
  id: { resolve: ({ id }) => id },
  loadManyWithoutCache: (ids, ctx) =>
    eventsById(ctx, 'login events', ids, (wanted) =>
      ctx.db.loginEvent.findMany({ where: { id: { in: wanted } }, select: loginEventSelect }),
    ),
  description: 'A login event, such as a login, a logout, or a token request.',
  fields: (t) => ({
    time: t.field({
      type: 'DateTime',
      description: 'Time of the event.',
      resolve: ({ time }) => new Date(Number(time)),
    }),
    type: t.field({ type: LoginEventType, description: 'Type of the event.', resolve: ({ type }) => type }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Error code of a failed attempt. Null if the attempt succeeded.',
    }),
    clientId: t.exposeString('clientId', {
      nullable: true,
      description: 'clientId of the client, as sent in the request. The client need not exist.',
    }),
    userId: t.id({
      nullable: true,
      description: 'ID of the user. The user may have been deleted since.',
      resolve: ({ userId }) => userId && nodeId('User', userId),
    }),
    user: t.prismaField({
      type: User,
      nullable: true,
      description: 'The user. Null if the user was deleted.',
      requires: { operation: getUser, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { userId }, _args, ctx) => {
        const id = await seenId(ctx, 'User', userId);
        return id ? batchingClient(ctx).user.findUnique({ ...query, where: { id } }) : null;
      },
    }),
    client: t.prismaField({
      type: Client,
      nullable: true,
      description: 'The client. Null if it does not exist.',
      requires: { operation: getClient, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { clientId, realmId }, _args, ctx) => {
        const id = await seenClient(ctx, realmId, clientId);
        return id ? batchingClient(ctx).client.findUnique({ ...query, where: { id } }) : null;
      },
    }),
    session: t.prismaField({
      type: UserSession,
      nullable: true,
      description: 'The session. Null if it has ended.',
      requires: { operation: ofUser, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { sessionId, realmId }, _args, ctx) => {
        const id = await seenSession(ctx, realmId, sessionId);
        return id ? batchingClient(ctx).userSession.findUnique({ ...query, where: { id } }) : null;
      },
    }),
    realm: t.prismaField({
      type: Realm,
      nullable: true,
      description: 'The realm of the event. Null if it was deleted.',
      resolve: async (query, { realmId }, _args, ctx) => {
        const id = await seenId(ctx, 'Realm', realmId);
        return id ? batchingClient(ctx).realm.findUnique({ ...query, where: { id } }) : null;
      },
    }),
    sessionId: t.exposeString('sessionId', {
      nullable: true,
      description: 'Session ID, as in the `sid` claim of tokens.',
    }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'IP address that the request came from.' }),
    details: t.field({
      type: [LoginEventDetail],
      description: 'Further details of the event, ordered by name.',
      resolve: ({ details }) =>
        Object.entries(details as Record<string, string>).map(([name, value]) => ({ name, value })),
    }),
  }),
});

guardNode({ name: 'LoginEvent', modelName: 'LoginEvent' }, loginEventsOf);
