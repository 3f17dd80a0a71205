import { clearAllFailures, clearFailures, getStatus, statusOf } from '../../services/attack-detection/operations.js';
import type { FailureStatus } from '../../services/attack-detection/representation.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { User } from '../users/users.js';

const LoginFailures = builder.objectRef<FailureStatus>('LoginFailures').implement({
  description: 'Failed logins of a user.',
  fields: (t) => ({
    count: t.exposeInt('failures', { description: 'Number of failed logins since the last successful login.' }),
    isLocked: t.exposeBoolean('locked', {
      description: 'Whether the user is locked, so that no login is accepted now.',
    }),
    lockedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time until which the user is locked. Null: not locked.',
      resolve: ({ lockedUntil }) => (lockedUntil === undefined ? null : new Date(lockedUntil * 1000)),
    }),
    lastFailureAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last failed login. Null: no failed login is counted.',
      resolve: ({ lastFailure }) => (lastFailure > 0 ? new Date(lastFailure) : null),
    }),
    lastIpAddress: t.string({
      nullable: true,
      description: 'IP address of the last failed login.',
      resolve: ({ lastAddress }) => lastAddress ?? null,
    }),
  }),
});

builder.prismaObjectField(User, 'loginFailures', (t) =>
  t.field({
    type: LoginFailures,
    nullable: true,
    requires: { operation: getStatus, byRolesAlone: true },
    description: 'Failed logins of the user. Counted only if the realm has brute-force detection enabled.',
    select: {
      realmId: true,
      loginFailures: { select: { failures: true, notBefore: true, lastFailure: true, lastAddress: true } },
    },
    resolve: async ({ realmId, loginFailures }, _args, ctx) => {
      const realm = await realmById(ctx, realmId);
      return statusOf(realm, loginFailures[0], ctx.services.now());
    },
  }),
);

mutation('userClearLoginFailures', {
  description: 'Resets the failed logins of a user, which unlocks the user unless the account is disabled.',
  operation: clearFailures,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the user.' }) }),
  locate: async ({ id }, ctx) => {
    const { realm, id: userId } = await locatedNode(ctx, id, 'id', 'User');
    return { realm, userId };
  },
  values: {
    count: {
      type: 'Int',
      description: 'Number of users whose failed logins were reset: 0 or 1.',
      of: (count) => count,
    },
  },
});

mutation('realmClearLoginFailures', {
  description: 'Resets the failed logins of all users of a realm.',
  operation: clearAllFailures,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the realm.' }) }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  values: {
    count: { type: 'Int', description: 'Number of users whose failed logins were reset.', of: (count) => count },
  },
});
