import type DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { typenameOf } from '../authorization/policy-kinds.js';
import { isVisible } from '../core/node.js';

/** The ID of an object that an event names, if the object is there and the caller may see it. */
export async function seenId(ctx: Context, typename: string, id: string | null | undefined): Promise<string | null> {
  if (!id) return null;
  return (await isVisible(ctx, { typename, id })) ? id : null;
}

interface Named {
  realmId: string;
  name: string;
}

type Find = (realmIds: string[], names: string[]) => Promise<{ id: string; realmId: string; name: string }[]>;

/** Finds the IDs of rows by their names in realms. Concurrent lookups share one statement. */
const idsByName = (ctx: Context, what: string, find: Find): DataLoader<Named, string | null, string> =>
  loader(ctx, `ids of ${what}`, () => {
    const keyOf = ({ realmId, name }: Named) => `${realmId} ${name}`;
    const read = async (wanted: readonly Named[]) => {
      const rows = await find(
        [...new Set(wanted.map(({ realmId }) => realmId))],
        wanted.map(({ name }) => name),
      );
      const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
      return wanted.map((one) => ids.get(keyOf(one)) ?? null);
    };
    return batchLoader(ctx, read, { cacheKeyFn: keyOf });
  });

/** The ID of the client with a clientId, if it exists and the caller may see it. */
export async function seenClient(ctx: Context, realmId: string | null, name: string | null): Promise<string | null> {
  if (!realmId || !name) return null;
  const find: Find = async (realmIds, names) => {
    const where = { realmId: { in: realmIds }, clientId: { in: names } };
    const rows = await ctx.db.client.findMany({ where, select: { id: true, realmId: true, clientId: true } });
    return rows.map((row) => ({ ...row, name: row.clientId }));
  };
  return seenId(ctx, 'Client', await idsByName(ctx, 'clients', find).load({ realmId, name }));
}

/**
 * The ID of the session with this ID in tokens, if it is active and the caller may see it. An offline session is the
 * second choice.
 */
export async function seenSession(ctx: Context, realmId: string, name: string | null): Promise<string | null> {
  if (!name) return null;
  const find: Find = async (realmIds, names) => {
    const rows = await ctx.db.userSession.findMany({
      where: { realmId: { in: realmIds }, sid: { in: names } },
      select: { id: true, realmId: true, sid: true },
      orderBy: [{ offline: 'desc' }, { id: 'asc' }],
    });
    return rows.map((row) => ({ ...row, name: row.sid }));
  };
  return seenId(ctx, 'UserSession', await idsByName(ctx, 'sessions', find).load({ realmId, name }));
}

/**
 * The name of the object type of a policy or permission, or null if it does not exist. Concurrent lookups share one
 * statement.
 */
export const policyType = (ctx: Context, id: string): Promise<string | null> =>
  loader(ctx, 'types of policies', () => {
    const read = async (ids: readonly string[]) => {
      const where = { id: { in: [...ids] } };
      const rows = await ctx.db.authorizationPolicy.findMany({ where, select: { id: true, type: true } });
      const types = new Map(rows.map((row) => [row.id, typenameOf(row.type)]));
      return ids.map((one) => types.get(one) ?? null);
    };
    return batchLoader(ctx, read);
  }).load(id);
