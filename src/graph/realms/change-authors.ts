import { getUser } from '../../services/users/list.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { seenId } from '../events/event-objects.js';
import { User } from '../users/users.js';
import { ChangeAuthor } from './plan-types.js';

// payloads of mutations have plans, and the file of users declares mutations
builder.objectFields(ChangeAuthor, (t) => ({
  actor: t.prismaField({
    type: User,
    nullable: true,
    description: 'The user who made the change. Null if the user was deleted.',
    requires: { operation: getUser, otherwise: 'NULL', isChecked: true },
    resolve: async (query, { userId }, _args, ctx) => {
      const id = await seenId(ctx, 'User', userId);
      return id ? batchingClient(ctx).user.findUnique({ ...query, where: { id } }) : null;
    },
  }),
}));
