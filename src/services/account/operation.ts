import type { z } from 'zod';
import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { type Operation, type Read, read, type Write, write } from '../core/operation.js';
import { storeLoginEvent } from '../events/login-events.js';
import { type Account, type AccountRole, requireRole } from './account.js';

/**
 * The required roles of an operation on the own account, in place of a permission: one of these roles of the client
 * `account`.
 */
interface Needs {
  roles: readonly AccountRole[];
}

const rolesByOperation = new Map<string, readonly AccountRole[]>();

/**
 * The roles of the client `account` for an operation, which requires any one; undefined for operations of other areas.
 */
export const accountRolesFor = (operation: string): readonly AccountRole[] | undefined =>
  rolesByOperation.get(operation);

/** Refuses requests without the role for an operation, before any lookup. */
export function requireRoleFor({ name }: Pick<Operation, 'name'>, account: Account): void {
  requireRole(account, accountRolesFor(name) ?? []);
}

/** Declares a read of the own account. */
export function ownRead<T extends Account, S extends z.ZodType = z.ZodUndefined, R = unknown>({
  roles,
  ...operation
}: Omit<Read<T, S, R>, 'kind' | 'allow' | 'check'> & Needs): Read<T, S, R> {
  rolesByOperation.set(operation.name, roles);
  return read({ ...operation, allow: 'any:caller', check: (_permit, account: T) => requireRole(account, roles) });
}

/** Declares a change of the own account. */
export function ownWrite<T extends Account, S extends z.ZodType = z.ZodUndefined, R = unknown, P = undefined>({
  roles,
  check,
  ...operation
}: Omit<Write<T, S, R, P>, 'kind' | 'allow'> & Needs): Write<T, S, R, P> {
  rolesByOperation.set(operation.name, roles);
  return write({
    ...operation,
    allow: 'any:caller',
    check: async (permit, account: T, input, ctx) => {
      requireRole(account, roles);
      await check?.(permit, account, input, ctx);
    },
  });
}

/** Stores the login event of a change that users make to their own accounts. */
export const storeOwnEvent = (
  tx: Db,
  { services, caller, ipAddress }: Context,
  { realm, user, sid }: Account,
  type: string,
  details: Record<string, string | undefined> = {},
): Promise<void> =>
  storeLoginEvent(tx, services, realm, {
    type,
    clientId: caller.clientId,
    userId: user.id,
    sessionId: sid,
    ipAddress,
    details: { username: user.username, ...details },
  });

/** The audit record of a change of the own account; `what` is added to the path of the user. */
export const ownRecord = ({ path }: Pick<Account, 'path'>, what: string, representation?: unknown) => ({
  operationType: 'ACTION' as const,
  resourceType: 'USER',
  resourcePath: `${path}/${what}`,
  ...(representation !== undefined && { representation }),
});
