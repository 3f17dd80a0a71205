import type { Context } from '../core/context.js';
import { type AccessType, isHost, type Occasion, type UpdaterContext } from './conditions.js';
import { groupNamesOfUser, rolesOfClients, rolesOfUser } from './store.js';

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

/** The same request, which is sent once and whose answer is shared. */
function once<A>(ask: () => Promise<A>): () => Promise<A> {
  let answer: Promise<A> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

/** The occasions of clients that are created or changed by the caller of one request. What conditions ask is read once for all of them. */
export function writingEach(ctx: Context, clients: readonly Written[]): Occasion[] {
  const { userId, registration } = ctx.caller;
  const context: UpdaterContext = registration ?? 'ByAuthenticatedUser';
  const hostsAsked = new Map<string, () => Promise<boolean>>();
  const updater = {
    context,
    isAt: (hosts: readonly string[]) => {
      const key = JSON.stringify(hosts);
      const ask = hostsAsked.get(key) ?? once(() => isHost(ctx.ipAddress, hosts));
      hostsAsked.set(key, ask);
      return ask();
    },
    roles: once(() => rolesOfUser(ctx.db, userId)),
    groups: once(() => groupNamesOfUser(ctx.db, userId)),
  };
  const ids = clients.flatMap(({ id }) => id ?? []);
  const rolesOfAll = once(() => rolesOfClients(ctx.db, ids));
  return clients.map(({ id, ...client }) => ({
    accessType: accessTypeOf(client),
    ...(id !== undefined && { roles: async () => (await rolesOfAll()).get(id) ?? [] }),
    updater,
  }));
}

/** The occasion of a client that is created or changed by the caller of a request. */
export const writing = (ctx: Context, client: Written): Occasion => writingEach(ctx, [client])[0] as Occasion;
