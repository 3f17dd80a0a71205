import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';

/** Type of the earlier passwords of a user, which nobody is shown. */
export const passwordHistory = 'password-history';

const byName = [{ name: 'asc' }, { position: 'asc' }] as const;

/** What readers of users select. */
export const brief = {
  id: true,
  realmId: true,
  username: true,
  email: true,
  emailVerified: true,
  firstName: true,
  lastName: true,
  enabled: true,
  createdTimestamp: true,
  federationLink: true,
  version: true,
} satisfies Prisma.UserSelect;

export const full = {
  ...brief,
  notBefore: true,
  requiredActions: true,
  attributes: { select: { name: true, value: true }, orderBy: [...byName] },
  _count: { select: { credentials: { where: { type: 'otp' } } } },
} satisfies Prisma.UserSelect;

export const single = {
  ...full,
  federatedIdentities: {
    select: { identityProvider: true, externalUserId: true, externalUsername: true },
    orderBy: [{ identityProvider: 'asc' }],
  },
} satisfies Prisma.UserSelect;

export type SingleUser = Prisma.UserGetPayload<{ select: typeof single }>;

/** Counts up the version of a user whose representation changed outside of its own row. */
export const countUp = (tx: Db, id: string) =>
  tx.later.user.updateMany({ where: { id }, data: { version: { increment: 1 } } });
