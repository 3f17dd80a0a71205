import { clearAllFailures, clearFailures, statusOf } from '../../services/attack-detection/operations.js';
import type { FailureStatus } from '../../services/attack-detection/representation.js';
import { permitFor } from '../../services/core/permit.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { User } from '../users/users.js';

const LoginFailures = builder.objectRef<FailureStatus>('LoginFailures').implement({
  description: 'What is known of the failed logins of a user.',
  fields: (t) => ({
    count: t.exposeInt('failures', { description: 'How many there were since the last good login.' }),
    isLocked: t.exposeBoolean('locked', { description: 'Whether no login is accepted now.' }),
    lockedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When logins are accepted again; null when they are now.',
      resolve: ({ lockedUntil }) => (lockedUntil === undefined ? null : new Date(lockedUntil * 1000)),
    }),
    lastFailureAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the last one was; null where none is counted.',
      resolve: ({ lastFailure }) => (lastFailure > 0 ? new Date(lastFailure) : null),
    }),
    lastIpAddress: t.string({
      nullable: true,
      description: 'Address that the last one came from.',
      resolve: ({ lastAddress }) => lastAddress ?? null,
    }),
  }),
});

builder.prismaObjectField(User, 'loginFailures', (t) =>
  t.field({
    type: LoginFailures,
    nullable: true,
    description: 'The failed logins, where the realm counts them.',
    select: {
      realmId: true,
      loginFailures: { select: { failures: true, notBefore: true, lastFailure: true, lastAddress: true } },
    },
    resolve: async ({ realmId, loginFailures }, _args, ctx) => {
      const realm = await realmById(ctx, realmId);
      (await permitFor(ctx, realm)).require('view:users');
      return statusOf(realm, loginFailures[0], ctx.services.now());
    },
  }),
);

mutation('userLoginFailuresClear', {
  description: 'Forgets the failed logins of a user, who can log in again unless it is disabled.',
  operation: clearFailures,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: userId } = await locatedNode(ctx, id, 'id', 'User');
    return { realm, userId };
  },
  values: { count: { type: 'Int', description: 'How many users had any: one or none.', of: (count) => count } },
});

mutation('realmLoginFailuresClear', {
  description: 'Forgets the failed logins of all users of a realm.',
  operation: clearAllFailures,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  values: { count: { type: 'Int', description: 'How many users had any.', of: (count) => count } },
});
