import type DataLoader from 'dataloader';
import type { PrismaClient } from '../../generated/sqlite/client.js';
import { type Context, loader } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import { batchLoader } from '../../services/core/pace.js';

interface Lookup {
  where: Record<string, unknown>;
  select?: Record<string, unknown> | null;
}
type Row = Record<string, unknown>;
interface Delegate {
  findMany(args: object): Promise<Row[]>;
  findUnique(args: Lookup): Promise<Row | null>;
}

/**
 * The core's delegates for the schema builder. Concurrent lookups by ID with the same selection become one statement.
 * This is necessary because the builder looks up each parent again when two fields select one relation differently.
 */
export const batchingClient = (ctx: Context): PrismaClient =>
  loader(ctx, 'client of the schema builder', () => {
    const delegates = new Map<string, unknown>();
    // the schema builder is typed for Prisma's client, but calls only methods that the core has too
    return new Proxy(ctx.db, {
      get(db, name: string) {
        if (!delegates.has(name)) {
          const delegate: unknown = Reflect.get(db, name);
          const isModel = typeof delegate === 'object' && delegate !== null && 'findUnique' in delegate;
          delegates.set(name, isModel ? batchingDelegate(ctx, delegate as Delegate) : delegate);
        }
        return delegates.get(name);
      },
    }) as unknown as PrismaClient;
  });

function batchingDelegate(ctx: Context, delegate: Delegate) {
  const lookups = new Map<string, DataLoader<string, Row | null>>();
  const findUnique = async (args: Lookup): Promise<Row | null> => {
    const { where, ...form } = args;
    const { id } = where;
    if (typeof id !== 'string' || Object.keys(where).length > 1) return delegate.findUnique(args);
    const key = exactText(form);
    let lookup = lookups.get(key);
    if (!lookup) {
      const query = form.select ? { ...form, select: { ...form.select, id: true } } : form;
      lookup = batchLoader(
        ctx,
        async (ids) => {
          const rows = await delegate.findMany({ ...query, where: { id: { in: [...ids] } } });
          const byId = new Map(rows.map((row) => [row.id, row]));
          return ids.map((wanted) => byId.get(wanted) ?? null);
        },
        { cache: false },
      );
      lookups.set(key, lookup);
    }
    return lookup.load(id);
  };
  return {
    ...delegate,
    findUnique,
    async findUniqueOrThrow(args: Lookup): Promise<Row> {
      const row = await findUnique(args);
      if (!row) throw new Error('The object was deleted in the meantime');
      return row;
    },
  };
}
