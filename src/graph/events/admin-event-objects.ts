import { get as getClient } from '../../services/clients/operations.js';
import { getUser } from '../../services/users/list.js';
import { Client } from '../clients/clients.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { nodeId } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';
import { AdminEventRef, objectOf } from './admin-events.js';
import { policyType, seenClient, seenId } from './event-objects.js';

// the payloads of mutations have admin events too, and the files of these types declare mutations
builder.objectFields(AdminEventRef, (t) => ({
  realm: t.prismaField({
    type: Realm,
    nullable: true,
    description: 'The realm of the event. Null if it was deleted.',
    resolve: async (query, { realmId }, _args, ctx) => {
      const id = await seenId(ctx, 'Realm', realmId);
      return id ? batchingClient(ctx).realm.findUnique({ ...query, where: { id } }) : null;
    },
  }),
  actor: t.prismaField({
    type: User,
    nullable: true,
    description: 'The user who made the change. Null if the user was deleted.',
    requires: { operation: getUser, otherwise: 'NULL', isChecked: true },
    resolve: async (query, { authUserId }, _args, ctx) => {
      const id = await seenId(ctx, 'User', authUserId);
      return id ? batchingClient(ctx).user.findUnique({ ...query, where: { id } }) : null;
    },
  }),
  actorRealm: t.prismaField({
    type: Realm,
    nullable: true,
    description: 'The realm of the user who made the change. Null if it was deleted or the caller may not view it.',
    resolve: async (query, { authRealmId }, _args, ctx) => {
      const id = await seenId(ctx, 'Realm', authRealmId);
      return id ? batchingClient(ctx).realm.findUnique({ ...query, where: { id } }) : null;
    },
  }),
  client: t.prismaField({
    type: Client,
    nullable: true,
    description: 'The client that made the request. Null if it was deleted.',
    requires: { operation: getClient, otherwise: 'NULL', isChecked: true },
    resolve: async (query, { authRealmId, authClientId }, _args, ctx) => {
      const id = await seenClient(ctx, authRealmId, authClientId);
      return id ? batchingClient(ctx).client.findUnique({ ...query, where: { id } }) : null;
    },
  }),
  resource: t.node({
    description: 'The object that the event is about. Null if it was deleted or the caller may not view it.',
    id: async (event, _args, ctx) => {
      const { type: known, id } = objectOf(event);
      const type = known ?? (id && (await policyType(ctx, id)));
      const seen = type ? await seenId(ctx, type, id) : null;
      return type && seen && nodeId(type, seen);
    },
  }),
}));
