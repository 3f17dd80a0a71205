import type { Context } from '../core/context.js';
import type { AccessType, Occasion, UpdaterContext } from './conditions.js';
import { groupNamesOfUser, rolesOfClient, rolesOfUser } from './store.js';

/** What kind of client it is, by how it proves itself. */
export function accessTypeOf(client: {
  publicClient?: boolean | undefined;
  bearerOnly?: boolean | undefined;
}): AccessType {
  if (client.publicClient) return 'public';
  return client.bearerOnly ? 'bearer-only' : 'confidential';
}

interface Written {
  publicClient?: boolean | undefined;
  bearerOnly?: boolean | undefined;
  /** id of the row of a client that is there already */
  id?: string | undefined;
}

/** The occasion of a client that is created or changed by the caller of a request. */
export function writing(ctx: Context, written: Written): Occasion {
  const { userId, registration } = ctx.caller;
  const context: UpdaterContext = registration ?? 'ByAuthenticatedUser';
  return {
    accessType: accessTypeOf(written),
    ...(written.id !== undefined && { roles: rolesOfClient(ctx.db, written.id) }),
    updater: {
      context,
      address: ctx.ipAddress,
      roles: () => rolesOfUser(ctx.db, userId),
      groups: () => groupNamesOfUser(ctx.db, userId),
    },
  };
}
